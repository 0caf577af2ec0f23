package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// FilterResiduals returns a kernel in which a filter behind each inner probe tests its residual. That is the same:
// a pair for which the residual is not true gives no row. What a filter tests is taken apart, and what it leaves out
// is not computed. What has been computed for a filter is not computed again behind it.
func FilterResiduals(f *kernel.Func) *kernel.Func {
	if !slices.ContainsFunc(f.Body, hasFilter) {
		return f
	}
	out := *f
	out.Body = nil
	known := make(map[kernel.Instr]bool)
	for i, in := range f.Body {
		switch {
		case known[in]:
		case hasFilter(in):
			probe := *in.(*kernel.Probe)
			filters := kernel.CloneBlock(appendFilters(f, nil, probe.Residual, probe.Cond))
			probe.Residual, probe.Cond = nil, kernel.NoValue
			shareComputed(f, filters, f.Body[i+1:], known)
			out.Body = append(append(out.Body, &probe), filters...)
		default:
			out.Body = append(out.Body, in)
		}
	}
	return &out
}

// shareComputed has what filters compute define the values of equal computations of the instructions behind them, as
// far as these are for the same rows, and adds these computations to those that are known.
func shareComputed(f *kernel.Func, filters, behind kernel.Block, known map[kernel.Instr]bool) {
	if i := slices.IndexFunc(behind, Multiplies); i >= 0 {
		behind = behind[:i]
	}
	for _, in := range filters {
		c, ok := in.(*kernel.Compute)
		if !ok {
			continue
		}
		again := slices.IndexFunc(behind, func(in kernel.Instr) bool {
			d, ok := in.(*kernel.Compute)
			return ok && !known[d] && d.Op == c.Op && d.Aux == c.Aux && slices.Equal(d.Args, c.Args) && alike(&f.Values[d.Dst], &f.Values[c.Dst])
		})
		if again < 0 {
			continue
		}
		known[behind[again]] = true
		was, is := c.Dst, behind[again].(*kernel.Compute).Dst
		kernel.VisitBlock(filters, func(id *kernel.ValueID) {
			if *id == was {
				*id = is
			}
		})
	}
}

// alike reports whether the same is known of two values: of one that is read behind a filter, more may be.
func alike(v, w *kernel.Value) bool {
	return v.Type == w.Type && v.Nullable == w.Nullable && v.Range == w.Range
}

// hasFilter reports whether an instruction is an inner probe with a residual. One that marks rows has to
// know which pairs match.
func hasFilter(in kernel.Instr) bool {
	p, ok := in.(*kernel.Probe)
	return ok && p.Kind == kernel.ProbeInner && p.Cond != kernel.NoValue && !p.Mark
}

// appendFilters appends a block and filters that a condition of its values has to pass, one for each condition that
// guards another.
func appendFilters(f *kernel.Func, body, block kernel.Block, cond kernel.ValueID) kernel.Block {
	if n := len(block); n >= 2 {
		if guard, ok := guardOf(f, block[n-2], block[n-1], cond); ok {
			branch := block[n-1].(*kernel.If)
			body = appendFilters(f, body, block[:n-2], guard)
			return appendFilters(f, body, branch.Else, branch.ElseVal)
		}
	}
	return append(append(body, block...), &kernel.Filter{Cond: cond})
}

// guardOf returns what has to be true for the other operand of a conjunction to be evaluated: the conjunction cond
// is an If that follows the negation of its first operand, which is never NULL.
func guardOf(f *kernel.Func, before, last kernel.Instr, cond kernel.ValueID) (guard kernel.ValueID, ok bool) {
	not, ok := before.(*kernel.Compute)
	branch, isIf := last.(*kernel.If)
	if !ok || !isIf || not.Op != kernel.OpNot || branch.Cond != not.Dst || branch.Dst != cond || !neverHolds(f, branch.ThenVal) {
		return guard, false
	}
	reads := 0
	kernel.Operands(branch, func(id kernel.ValueID) { reads += int(vector.B2u(id == not.Dst)) }, nil)
	return not.Args[0], reads == 1 && !f.Values[not.Args[0]].Nullable
}

// neverHolds reports whether a value is the constant false.
func neverHolds(f *kernel.Func, id kernel.ValueID) bool {
	return slices.ContainsFunc(f.Params, func(p kernel.Param) bool {
		return p.Dst == id && p.Val.Kind == value.Bool && !p.Val.B
	})
}
