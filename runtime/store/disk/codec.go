package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// magic begins segments and ends all files: their kind, of five letters, and the
// number of the format.
func magic(kind string, format byte) string { return kind + "\x00" + string(rune(format)) + "\n" }

// seal appends the checksum, the length and the magic that end a file's
// metadata, and returns the checksum.
func seal(b []byte, kind string) ([]byte, uint32) {
	n, sum := len(b), crc32.Checksum(b, castagnoli)
	b = binary.LittleEndian.AppendUint32(b, sum)
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	return append(b, magic(kind, formatNumber)...), sum
}

// sealBytes is how many bytes seal appends.
const sealBytes = 16

// metadata is what stands at the end of a file.
type metadata struct {
	decoder
	sum    uint32 // its checksum
	format byte
	stamp  stamp // from format 2 on
}

// unseal returns the metadata at the end of a file of a kind.
func unseal(file []byte, kind string) (*metadata, error) {
	if len(file) < sealBytes {
		return nil, errors.New("the file was cut off")
	}
	m := &metadata{format: file[len(file)-2]}
	if string(file[len(file)-8:]) != magic(kind, m.format) || m.format < 1 || m.format > formatNumber {
		return nil, errors.New("the file has another format or was cut off")
	}
	end := len(file) - sealBytes
	n := binary.LittleEndian.Uint32(file[end+4:])
	if uint64(n) > uint64(end) {
		return nil, errors.New("the file's metadata has a wrong length")
	}
	m.b = file[end-int(n) : end]
	m.sum = binary.LittleEndian.Uint32(file[end:])
	if crc32.Checksum(m.b, castagnoli) != m.sum {
		return nil, errors.New("the checksum of the file's metadata is wrong")
	}
	if m.format > 1 {
		m.stamp = decodeStamp(&m.decoder)
	}
	return m, m.err
}

// open unseals a file that a state names: of that database, and with that checksum.
// Both are not known of files that format 1 names.
func (m *expected) open(file []byte, kind string) (*metadata, error) {
	meta, err := unseal(file, kind)
	if err != nil {
		return nil, err
	}
	if m.known && meta.sum != m.Sum {
		return nil, fmt.Errorf("it is not the file that was written: its checksum is %08x instead of %08x", meta.sum, m.Sum)
	}
	if meta.format > 1 {
		err = meta.stamp.check(m.File, m.database)
	}
	return meta, err
}

// expected is a file that a state names.
type expected struct {
	fileEntry
	known    bool // what the checksum is
	database string
}
