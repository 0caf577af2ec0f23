package accumulator

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// bitOps are how integers fold into one for bit_and, bit_or and bit_xor.
var bitOps = map[kernel.AccOp]func(x, y int64) (int64, error){
	kernel.AccBitAnd: func(x, y int64) (int64, error) { return x & y, nil },
	kernel.AccBitOr:  func(x, y int64) (int64, error) { return x | y, nil },
	kernel.AccBitXor: func(x, y int64) (int64, error) { return x ^ y, nil },
}

func newBits(s *Spec, mem *exec.Memory) Accumulator {
	t := s.Dst[0]
	return newFolder(mem, t, intReader(), storeInts(t), bitOps[s.Op])
}
