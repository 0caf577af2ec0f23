package operators

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Prune notes for the source that only rows for which cond is true matter, if
// cond compares a column of the source with a parameter: whole blocks can then
// be skipped by their statistics.
func (w *Weave) Prune(cond kernel.ValueID) {
	scan, ok := w.Func.Source.(*kernel.Scan)
	if !ok {
		return
	}
	i := slices.IndexFunc(w.Func.Body, func(in kernel.Instr) bool {
		c, ok := in.(*kernel.Compute)
		return ok && c.Dst == cond
	})
	if i < 0 {
		return
	}
	c := w.Func.Body[i].(*kernel.Compute)
	if c.Op == kernel.OpIn {
		w.pruneIn(scan, c.Args[0], c.Args[1:])
		return
	}
	p := kernel.Prune{Lo: kernel.NoValue, Hi: kernel.NoValue}
	column, bound := c.Args[0], c.Args[len(c.Args)-1]
	op := c.Op
	if w.isBound(column) {
		column, bound, op = bound, column, mirrored[op]
	}
	switch op {
	case kernel.OpEq:
		p.Lo, p.Hi = bound, bound
	case kernel.OpLt, kernel.OpLe:
		p.Hi = bound
	case kernel.OpGt, kernel.OpGe:
		p.Lo = bound
	default:
		return
	}
	if w.isBound(bound) {
		prune(scan, column, p)
	}
}

// pruneIn notes the least and the greatest constant of an IN list.
func (w *Weave) pruneIn(scan *kernel.Scan, column kernel.ValueID, list []kernel.ValueID) {
	p := kernel.Prune{Lo: list[0], Hi: list[0]}
	for _, v := range list {
		if !w.isBound(v) {
			return
		}
		if w.Constant(v).I < w.Constant(p.Lo).I {
			p.Lo = v
		}
		if w.Constant(v).I > w.Constant(p.Hi).I {
			p.Hi = v
		}
	}
	prune(scan, column, p)
}

// prune adds p for a column, if the source gives that.
func prune(scan *kernel.Scan, column kernel.ValueID, p kernel.Prune) {
	k := slices.IndexFunc(scan.Cols, func(s kernel.SourceCol) bool { return s.Dst == column })
	if k >= 0 {
		p.Ordinal = scan.Cols[k].Ordinal
		scan.Prune = append(scan.Prune, p)
	}
}

// mirrored is the comparison with its sides exchanged.
var mirrored = map[kernel.Op]kernel.Op{
	kernel.OpEq: kernel.OpEq, kernel.OpLt: kernel.OpGt, kernel.OpLe: kernel.OpGe,
	kernel.OpGt: kernel.OpLt, kernel.OpGe: kernel.OpLe,
}

// isBound reports whether a value is an integer parameter that is not NULL.
func (w *Weave) isBound(v kernel.ValueID) bool {
	val := w.Value(v)
	return (val.Type == kernel.I32 || val.Type == kernel.I64) && !val.Nullable && w.Constant(v) != nil
}
