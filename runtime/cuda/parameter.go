package cuda

import (
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// set sets an argument of the kernel, where the kernel has it.
func (r *run) set(arg cudagen.Arg, word uint64) {
	if i := slices.Index(r.module.Args, arg); i >= 0 {
		r.words[i] = word
	}
}

// asBytes is the memory of a slice of words.
func asBytes[W int32 | uint32 | uint64](words []W) []byte {
	var w W
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), int(unsafe.Sizeof(w))*len(words))
}

// paramWords are the words of a constant, which is in the form of
// kernel.Param.Val.
func paramWords(t kernel.Type, v value.Value) (lo, hi uint64) {
	switch t {
	case kernel.Bool:
		if v.B {
			return 1, 0
		}
		return 0, 0
	case kernel.F64:
		return math.Float64bits(v.F), 0
	case kernel.Interval:
		return uint64(v.Interval.Micros), uint64(v.Interval.Months)<<32 | uint64(uint32(v.Interval.Days))
	case kernel.Str:
		var first [8]byte
		copy(first[:], v.S)
		return 0, binary.BigEndian.Uint64(first[:])
	case kernel.I128, kernel.Num:
		return v.Num.Coef.Lo, uint64(v.Num.Coef.Hi)
	}
	return uint64(v.I), 0
}
