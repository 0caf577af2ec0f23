package rewrite

import (
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// mayOverflow is why a plan is not taken whose numbers, or those of the plan as it
// is, are not known to fit: the one would fail where the other does not.
const mayOverflow = "nothing proves that no product or sum overflows"

// raisesLate looks whether computing the aggregates from the joined rows may fail,
// as it would for rows that the early aggregation never makes.
func (b *builder) raisesLate() string {
	var known *proofs
	for _, acc := range b.accs.list {
		multiplied := len(acc.factors) > 1
		for _, e := range []algebra.Expr{acc.of.Arg, acc.of.Arg2, acc.of.Filter} {
			if e == nil || !algebra.MayRaise(e, nil) {
				continue
			}
			if known == nil {
				known = b.proofs()
			}
			if known.mayRaise(e) {
				if multiplied {
					return mayOverflow
				}
				return "an argument may raise an error, for a row that a join would drop"
			}
		}
	}
	return ""
}

// proofs are what is proven of the numbers in columns.
type proofs struct {
	ranges     algebra.Ranges
	magnitudes algebra.Magnitudes
}

// proofsOf are those of the columns of nodes. Magnitudes are looked for where something of
// double precision or numeric is accumulated: tables may have to be read for them.
func (b *builder) proofsOf(nodes ...algebra.Node) *proofs {
	p := &proofs{algebra.Ranges{}, algebra.Magnitudes{}}
	for _, n := range nodes {
		maps.Copy(p.ranges, algebra.ColumnRanges(n))
		if b.unbounded() {
			maps.Copy(p.magnitudes, algebra.ColumnMagnitudes(n))
		}
	}
	return p
}

// proofs are those of all columns of the spine, whatever joins leave out.
func (b *builder) proofs() *proofs {
	nodes := []algebra.Node{b.base}
	for i := range b.steps {
		if !b.steps[i].makes.Empty() {
			nodes = append(nodes, b.steps[i].other)
		}
	}
	return b.proofsOf(nodes...)
}

// unbounded reports whether something is accumulated whose range its type does not say:
// double precision or numeric.
func (b *builder) unbounded() bool {
	return slices.ContainsFunc(b.accs.list, func(acc *accumulation) bool {
		return slices.ContainsFunc(acc.factors, func(e algebra.Expr) bool { return algebra.HasMagnitude(e.Type()) })
	})
}

func (p *proofs) mayRaise(e algebra.Expr) bool { return p.magnitudes.MayRaise(e, p.ranges) }

// check looks whether the products and sums of an early aggregation fit their types.
// Exact sums of what is nowhere multiplied are those that the query would make.
func (b *builder) check(n *algebra.Aggregate) {
	multiplied := b.multiplies()
	if !multiplied && !b.unbounded() {
		return
	}
	in, out := b.proofsOf(n.Input), b.proofsOf(n)
	for i := range n.Aggs {
		agg := &n.Aggs[i]
		if agg.Arg != nil && (multiplied || algebra.HasMagnitude(agg.Column.Type)) && !fits(agg, in, out) {
			b.problem = mayOverflow
		}
	}
}

// multiplies reports whether parts are multiplied further up, by factors or by
// numbers of rows.
func (b *builder) multiplies() bool {
	for _, acc := range b.accs.list {
		if len(acc.factors) > 1 || acc.power > 1 || acc.fn == algebra.Sum && acc.counts(b.outputs(b.places[0].done)) {
			return true
		}
	}
	return false
}

// checkLate looks whether the products of the aggregation at the end fit. What their
// sums do is what the query would do, but for those of numeric: whether they overflow
// depends on the order of the rows.
func (b *builder) checkLate(n *algebra.Aggregate) {
	in, out := b.proofsOf(n.Input), b.proofsOf(n)
	for i := range n.Aggs {
		agg := &n.Aggs[i]
		switch {
		case agg.Arg == nil:
		case isProduct(agg.Arg) && in.mayRaise(agg.Arg), agg.Column.Type.Kind == algebra.Numeric && !fits(agg, in, out):
			b.problem = mayOverflow
		}
	}
}

// fits reports whether it is known that an aggregate raises no error.
func fits(agg *algebra.Agg, in, out *proofs) bool {
	if in.mayRaise(agg.Arg) {
		return false
	}
	if agg.Func != algebra.Sum {
		return true
	}
	if algebra.HasMagnitude(agg.Column.Type) {
		sum, known := out.magnitudes[agg.Column.ID]
		return known && sum.Fits(agg.Column.Type)
	}
	sum, known := out.ranges[agg.Column.ID]
	limit, ok := algebra.TypeRange(agg.Column.Type)
	return known && ok && limit.Contains(sum)
}

// isProduct reports whether an expression multiplies.
func isProduct(e algebra.Expr) bool {
	found := false
	algebra.WalkExpr(e, func(e algebra.Expr) bool {
		call, ok := e.(*algebra.Call)
		found = found || ok && call.Func == algebra.Mul
		return !found
	})
	return found
}
