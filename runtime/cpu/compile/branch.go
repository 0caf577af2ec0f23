package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// branch compiles an If: each arm runs on a selection of its own.
func (c *Compiler) branch(in *kernel.If) exec.Step {
	then, els := c.InPlace(in.Then), c.InPlace(in.Else)
	// What an arm decodes it would decode for its own rows only, so everything
	// that comes from outside is decoded before.
	outer := c.FreeIn(append(append(kernel.Block{}, in.Then...), in.Else...), in.ThenVal, in.ElseVal)
	c.Worker.Meter.Must(freeWork * len(outer))
	c.free[in] = outer
	dst := c.define(in.Dst)
	yes, no := make([]int32, c.Worker.Rows), make([]int32, c.Worker.Rows)
	return func(b *vector.Batch) {
		for _, id := range outer {
			b.Value(id)
		}
		active := b.Sel
		t, e := split(b.Value(in.Cond), b.ActiveRows(), yes, no)
		defer func() { b.Sel = active }()
		if len(t) > 0 {
			b.Sel = t
			then(b)
		}
		if len(e) > 0 {
			b.Sel = e
			els(b)
		}
		switch {
		case len(e) == 0:
			b.Vals[in.Dst] = b.Vals[in.ThenVal]
		case len(t) == 0:
			b.Vals[in.Dst] = b.Vals[in.ElseVal]
		default:
			merge(dst, b.Rows, b.Vals[in.ThenVal], t, b.Vals[in.ElseVal], e)
			b.Vals[in.Dst] = dst
		}
	}
}

// freeWork is the work of finding a value that an If reads.
const freeWork = 256

// split divides rows into those for which cond is true and the others. The
// slices yes and no have room for all.
func split(cond *vector.Vector, rows, yes, no []int32) (t, f []int32) {
	truth := vector.Of[uint8](cond)
	if cond.Const {
		if truth[0] != 0 && !cond.IsNull(0) {
			return rows, no[:0]
		}
		return yes[:0], rows
	}
	nt, nf := 0, 0
	if cond.Null == nil {
		for _, i := range rows {
			x := int(truth[i])
			yes[nt], no[nf] = i, i
			nt += x
			nf += 1 - x
		}
		return yes[:nt], no[:nf]
	}
	for _, i := range rows {
		x := int(truth[i] &^ cond.Null[i])
		yes[nt], no[nf] = i, i
		nt += x
		nf += 1 - x
	}
	return yes[:nt], no[:nf]
}

// merge sets dst to a at the rows in at and to b at the rows in bt.
func merge(dst *vector.Vector, n int, a *vector.Vector, at []int32, b *vector.Vector, bt []int32) {
	vector.CopyRows(dst, a, at)
	vector.CopyRows(dst, b, bt)
	dst.Dict, dst.Fleeting = vector.Longer(a.Dict, b.Dict), a.Fleeting || b.Fleeting
	dst.Null = nil
	if a.Null == nil && b.Null == nil {
		return
	}
	if len(dst.Buffer().Null) < n {
		dst.Buffer().Null = make([]uint8, n)
	}
	dst.Null = dst.Buf.Null[:n]
	mergeNulls(dst.Null, a, at)
	mergeNulls(dst.Null, b, bt)
}

func mergeNulls(dst []uint8, src *vector.Vector, rows []int32) {
	if src.Null == nil {
		for _, i := range rows {
			dst[i] = 0
		}
		return
	}
	vector.CopyRowsOf(dst, src.Null, rows, src.Const)
}
