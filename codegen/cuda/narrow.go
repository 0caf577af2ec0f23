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
	for _, in := range r.f.Body {
		compute, ok := in.(*kernel.Compute)
		if !ok || compute.Checked || r.f.Values[compute.Args[0]].Type != kernel.I64 {
			continue
		}
		switch compute.Op {
		case kernel.OpAdd, kernel.OpSub, kernel.OpMul:
			narrow[compute.Dst] = fits32(&r.f.Values[compute.Dst])
		}
	}
	return narrow
}

// fits32 reports whether a value is a 64-bit integer that fits in 32 bits.
func fits32(v *kernel.Value) bool {
	return v.Type == kernel.I64 && v.Range.Known && v.Range.Lo >= math.MinInt32 && v.Range.Hi <= math.MaxInt32
}
