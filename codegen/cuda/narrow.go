package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// narrowValues reports of each value whether it is a 64-bit integer that is kept in
// 32 bits: it is known to fit, and is a column as it is stored or what unchecked
// arithmetic gives, whose low bits depend on low bits alone. Registers are spared,
// and a product of two such values is one instruction.
func (r *renderer) narrowValues() []bool {
	narrow := make([]bool, len(r.f.Values))
	for id := range r.f.Values {
		if c, ok := r.sourceColumn(kernel.ValueID(id)); ok && c.shape.Encoding.isOffset() {
			narrow[id] = fits32(&r.f.Values[id])
		}
	}
	for _, b := range r.f.Blocks() {
		for _, in := range b {
			if compute, ok := in.(*kernel.Compute); ok && r.low(compute) {
				narrow[compute.Dst] = fits32(&r.f.Values[compute.Dst])
			}
		}
	}
	return narrow
}

// low reports whether the low bits of what is computed depend on low bits alone.
func (r *renderer) low(in *kernel.Compute) bool {
	if in.Checked || r.f.Values[in.Args[0]].Type != kernel.I64 {
		return false
	}
	return in.Op == kernel.OpAdd || in.Op == kernel.OpSub || in.Op == kernel.OpMul
}

// fits32 reports whether a value is a 64-bit integer that fits in 32 bits.
func fits32(v *kernel.Value) bool {
	return v.Type == kernel.I64 && v.Range.Known && v.Range.Lo >= math.MinInt32 && v.Range.Hi <= math.MaxInt32
}
