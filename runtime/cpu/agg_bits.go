package cpu

import "github.com/cubeloom/cubeloom/codegen/kernel"

// bitOps are how integers fold into one for bit_and, bit_or and bit_xor.
var bitOps = map[kernel.AccOp]func(x, y int64) (int64, error){
	kernel.AccBitAnd: func(x, y int64) (int64, error) { return x & y, nil },
	kernel.AccBitOr:  func(x, y int64) (int64, error) { return x | y, nil },
	kernel.AccBitXor: func(x, y int64) (int64, error) { return x ^ y, nil },
}

func newBits(s *accSpec, mem *memory) accumulator {
	t := s.dst[0]
	return newFolder(mem, t, intReader(), storeInts(t), bitOps[s.op])
}
