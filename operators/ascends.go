package operators

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Ascends reports whether the rows at hand come in ascending order of a value, which is
// never NULL.
func (w *Weave) Ascends(v kernel.ValueID) bool { return slices.Contains(w.order.ascending, v) }

// InOrder returns why rows do not come in the order of keys, or "" where they do: each key is
// one in whose ascending order they come, or depends on one before it.
func (w *Weave) InOrder(keys []kernel.SortKey) string {
	for i, key := range keys {
		switch {
		case !key.Desc && w.Ascends(key.Val):
		case i == 0:
			return "the rows do not come in ascending order of the first key"
		case !slices.ContainsFunc(keys[:i], func(on kernel.SortKey) bool { return w.Ascends(on.Val) && w.Depends(key.Val, on.Val) }):
			return "rows with the same first key may differ in others"
		}
	}
	return ""
}

// Multiplies reports whether the kernel makes several rows of one. A device deals those out to
// all threads, in no order.
func (w *Weave) Multiplies() bool {
	return slices.ContainsFunc(w.Func.Body, func(in kernel.Instr) bool {
		switch in := in.(type) {
		case *kernel.Repeat:
			return true
		case *kernel.Probe:
			return (in.Kind == kernel.ProbeInner || in.Kind == kernel.ProbeLeft) && !slices.Contains(w.order.single, in)
		}
		return false
	})
}

// Equal notes that two expressions are equal from here on, where they are columns. Where the
// rows come in the order of the first, its value becomes that of the other.
func (w *Weave) Equal(a, b algebra.Expr) {
	first, ok := a.(*algebra.ColumnRef)
	second, too := b.(*algebra.ColumnRef)
	if !ok || !too {
		return
	}
	v, ok := w.Var(first.Column.ID)
	other, too := w.Var(second.Column.ID)
	if !ok || !too || w.Value(v).Type != w.Value(other).Type {
		return
	}
	w.order.equal = append(w.order.equal, [2]kernel.ValueID{v, other})
	if w.Ascends(v) {
		w.Bind(second.Column, v)
	}
}

// Depends reports whether it is known that rows at hand which agree in one value agree
// in v.
func (w *Weave) Depends(v, on kernel.ValueID) bool {
	return w.order.dependsOn(on, w.Func.Body).of(v)
}
