package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// Moments are a count, a sum, and the sum of squared deviations from the mean. The
// rows are gone over twice: the mean is known only after the first time.

// isMoments reports whether an accumulator gives moments.
func isMoments(op kernel.AccOp) bool { return op == kernel.AccMoments || op == kernel.AccMergeMom }

// addMoments adds a row to the count and the sum.
func (a *GroupedAcc) addMoments(e *Entry) {
	if a.acc.Op == kernel.AccMoments {
		a.addFloat(e, 0, "1.0")
		a.addFloat(e, 1, e.At(a.acc.Args[0]))
		return
	}
	a.addFloat(e, 0, e.At(a.acc.Args[0]))
	a.addFloat(e, 1, e.At(a.acc.Args[1]))
}

// deviations adds up the squared deviations of the rows of a tile. Those of
// finer groups are from the groups' means.
func (a *GroupedAcc) deviations(e *Entry) {
	e.Begin("")
	e.Line("const u32 rows = %s;", e.Counted(a.acc))
	e.openPlane(a.plane)
	e.Begin("ROWS if (bit(rows, r))")
	e.Line("const f64 mean = %s[cell[r]] / %s[cell[r]];", a.Array(e, 1), a.Array(e, 0))
	if a.acc.Op == kernel.AccMoments {
		e.Line("const f64 d = %s - mean;", e.At(a.acc.Args[0]))
		e.Line("const f64 v = d * d;")
	} else {
		n, sum, m := e.At(a.acc.Args[0]), e.At(a.acc.Args[1]), e.At(a.acc.Args[2])
		e.Line("if (%s == 0) continue;", n)
		e.Line("const f64 d = %s / %s - mean;", sum, n)
		e.Line("const f64 v = %s + %s * d * d;", m, n)
	}
	a.addFloat(e, 2, "v")
	e.End()
	e.End()
}

// momentResults declares the results of a cell as values of one row.
func (a *GroupedAcc) momentResults(e *Entry) {
	for i, id := range a.acc.Dst {
		e.Line("const f64 %s[1] = {%s[cell]};", e.name(id), a.Array(e, i))
		if n := e.nulls(id); n != "" {
			e.Line("const u32 %s = 0;", n)
		}
	}
}
