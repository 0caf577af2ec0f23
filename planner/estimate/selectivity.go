package estimate

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Guesses where nothing is known.
const (
	guessEqual = 0.05
	guessRange = 1.0 / 3
	guessLike  = 0.1
	guessOther = 0.5
)

// Selectivity guesses the share of rows for which all conditions are true. As
// long as enough rows of a sample are left that share is taken from it: it knows
// of values that are frequent and of columns that depend on each other.
func (p *Props) Selectivity(conds []algebra.Expr) float64 {
	share, left := 1.0, p.drawn
	for i, cond := range conds {
		if p.sample == nil {
			return share * p.formula(conds[i:])
		}
		passing := p.sample.passing(cond)
		if passing == nil {
			share *= p.formula(conds[i : i+1])
			continue
		}
		of := left.count()
		left = left.and(passing)
		hits := left.count()
		switch {
		case p.sample.whole || hits >= enoughHits:
			share *= float64(hits) / max(float64(of), 1)
		case of < enoughRows:
			return share * p.formula(conds[i:])
		default:
			// So few rows are in the sample by chance; it still says that there are not
			// many more.
			return share * min(p.formula(conds[i:]), float64(hits+1)/float64(of))
		}
	}
	return share
}

// How many rows of a sample a guess needs, to pass and to be looked at.
const (
	enoughHits = 6
	enoughRows = 24
)

// passing are the rows that are left of the sample where all conditions hold.
func (p *Props) passing(conds []algebra.Expr) rowSet {
	if p.sample == nil {
		return nil
	}
	left := p.drawn
	for _, cond := range conds {
		if passing := p.sample.passing(cond); passing != nil {
			left = left.and(passing)
		}
	}
	return left
}

// formula guesses the share of rows for which all conditions are true by what is
// known of the columns. Two bounds of one column make one range.
func (p *Props) formula(conds []algebra.Expr) float64 {
	share := 1.0
	ranges := make(map[algebra.ColumnID]float64)
	for _, cond := range conds {
		s := p.selectivity(cond)
		if id, ok := boundedColumn(cond); ok && p.Column(id).HasBounds {
			if other, ok := ranges[id]; ok {
				// Each bound leaves out its own end of the column.
				both := max(other+s-1, other*s/10)
				share *= both / max(other, 1e-12)
				ranges[id] = both
				continue
			}
			ranges[id] = s
		}
		share *= s
	}
	return share
}

// boundedColumn reads a comparison by order of a column with a constant.
func boundedColumn(cond algebra.Expr) (algebra.ColumnID, bool) {
	call, ok := cond.(*algebra.Call)
	if !ok {
		return 0, false
	}
	switch call.Func {
	case algebra.Lt, algebra.Le, algebra.Gt, algebra.Ge:
		ref, ok := call.Args[0].(*algebra.ColumnRef)
		if !ok {
			return 0, false
		}
		_, known := constant(call.Args[1])
		return ref.Column.ID, known
	}
	return 0, false
}

func (p *Props) selectivity(cond algebra.Expr) float64 {
	switch e := cond.(type) {
	case *algebra.Const:
		if e.Val.B {
			return 1
		}
		return 0
	case *algebra.Call:
		return p.callSelectivity(e)
	}
	return guessOther
}

func (p *Props) callSelectivity(e *algebra.Call) float64 {
	switch e.Func {
	case algebra.And:
		return p.formula(e.Args)
	case algebra.Or:
		none := 1.0
		for _, arg := range e.Args {
			none *= 1 - p.selectivity(arg)
		}
		return 1 - none
	case algebra.Not:
		return 1 - p.selectivity(e.Args[0])
	case algebra.IsTrue:
		return p.selectivity(e.Args[0])
	case algebra.IsFalse:
		return 1 - p.selectivity(e.Args[0])
	case algebra.IsNull:
		if ref, ok := e.Args[0].(*algebra.ColumnRef); ok {
			return p.Column(ref.Column.ID).Nulls
		}
		return guessEqual
	case algebra.Eq:
		return p.equal(e.Args[0], e.Args[1])
	case algebra.Ne, algebra.Distinct:
		return 1 - p.equal(e.Args[0], e.Args[1])
	case algebra.In:
		share := 0.0
		for _, arg := range e.Args[1:] {
			share += p.equal(e.Args[0], arg)
		}
		return min(share, 1)
	case algebra.Lt, algebra.Le, algebra.Gt, algebra.Ge:
		return p.ordered(e)
	case algebra.Like, algebra.ILike:
		return guessLike
	}
	return guessOther
}

// equal guesses how often two expressions are equal.
func (p *Props) equal(a, b algebra.Expr) float64 {
	ref, ok := a.(*algebra.ColumnRef)
	if !ok {
		return 1 / max(p.Distinct(a), 1/guessEqual)
	}
	c := p.column(ref.Column.ID)
	if _, isConst := b.(*algebra.Const); !isConst {
		return 1 / max(c.Distinct, p.Distinct(b), 1)
	}
	if x, ok := constant(b); ok && c.HasBounds && (x < c.Min || x > c.Max) {
		return 0
	}
	if p.Column(ref.Column.ID).Distinct == 0 {
		return guessEqual
	}
	return (1 - c.Nulls) / c.Distinct
}

// ordered guesses how often a comparison by order with a constant holds.
func (p *Props) ordered(e *algebra.Call) float64 {
	id, ok := boundedColumn(e)
	c := p.Column(id)
	x, _ := constant(e.Args[1])
	switch {
	case ok && c.Deviation > 0:
		return normal(e.Func, (x-c.Mean)/c.Deviation)
	case !ok || !c.HasBounds:
		return guessRange
	}
	width := c.Max - c.Min + 1
	below := x - c.Min // values below x
	if e.Func == algebra.Le || e.Func == algebra.Gt {
		below++
	}
	share := min(max(below/width, 0), 1)
	if e.Func == algebra.Gt || e.Func == algebra.Ge {
		share = 1 - share
	}
	return share * (1 - c.Nulls)
}

// normal guesses how often a comparison by order with a constant holds that lies so many deviations from
// the mean. Groups differ in size by more than chance: some always pass.
func normal(f algebra.Func, deviations float64) float64 {
	const rare = 0.001
	above := min(max(math.Erfc(deviations/math.Sqrt2)/2, rare), 1-rare)
	if f == algebra.Lt || f == algebra.Le {
		return 1 - above
	}
	return above
}

// constant reads a constant that is an integer of some scale.
func constant(e algebra.Expr) (float64, bool) {
	c, ok := e.(*algebra.Const)
	if !ok {
		return 0, false
	}
	switch c.Val.Kind {
	case value.Int:
		return float64(c.Val.I), true
	case value.Decimal:
		return c.Val.Num.Coef.Float64(), true
	}
	return 0, false
}
