package device

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
)

// checkPacking refuses machine code in which ptxas has packed several predicates
// into the low bits of a register that holds something: ptxas 12.4 to 13.0 packs
// stale ones where several masks are made of comparisons with one value, and the
// kernel gives wrong answers. The generated source is written so that it has no
// reason to; a spill of predicates packs into RZ.
func checkPacking(code []byte) error {
	file, err := openCode(code)
	if err != nil {
		return err
	}
	for _, section := range file.Sections {
		if !strings.HasPrefix(section.Name, ".text") {
			continue
		}
		text, err := section.Data()
		if err != nil {
			return err
		}
		for at := 0; at+instructionBytes <= len(text); at += instructionBytes {
			if packs(binary.LittleEndian.Uint64(text[at:])) {
				return fmt.Errorf("instruction %#x of %s packs predicates into a mask", at, section.Name)
			}
		}
	}
	return nil
}

// openCode opens machine code, which has CUDA's own number for the version of ELF.
func openCode(code []byte) (*elf.File, error) {
	standard := bytes.Clone(code)
	binary.LittleEndian.PutUint32(standard[versionOffset:], uint32(elf.EV_CURRENT))
	return elf.NewFile(bytes.NewReader(standard))
}

// versionOffset is where the header of an ELF file has the version.
const versionOffset = 20

// The encoding of P2R with an immediate mask, of compute capability 7.0 and later.
const (
	instructionBytes = 16
	opcodeMask       = 0xfff
	opcodeP2R        = 0x803
	registerRZ       = 0xff
)

// packs reports whether the first half of an instruction is a P2R of several
// predicates into a register that is not RZ.
func packs(word uint64) bool {
	return word&opcodeMask == opcodeP2R && word>>24&0xff != registerRZ && bits.OnesCount32(uint32(word>>32)) > 1
}
