package fusion

import (
	"math"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
)

// estimator guesses sizes from the statistics of the columns. Its guesses
// choose between ways that give the same answer; nothing is proven by them.
type estimator struct {
	cols map[algebra.ColumnID]columnGuess
}

// columnGuess is what is guessed of a column.
type columnGuess struct {
	distinct float64
	bounded  bool
	lo, hi   float64
}

// The guesses where nothing better is known.
const (
	guessSelectivity = 1.0 / 3
	guessLike        = 0.1
	guessDistinct    = 1000
)

func newEstimator() estimator {
	return estimator{cols: map[algebra.ColumnID]columnGuess{}}
}

// table notes the statistics of a table's columns.
func (e *estimator) table(n *algebra.Scan) {
	for i, c := range n.Cols {
		s := n.ColStats[i]
		g := columnGuess{distinct: s.Distinct, bounded: s.HasBounds, lo: float64(s.Min), hi: float64(s.Max)}
		switch {
		case g.distinct > 0:
		case s.HasBounds:
			g.distinct = min(g.hi-g.lo+1, float64(n.Table.Rows))
		default:
			g.distinct = max(float64(n.Table.Rows)/10, 1)
		}
		e.cols[c.ID] = g
	}
}

// computed notes that a column holds an expression: it has no more distinct
// values than the combinations of the columns that it is computed from.
func (e *estimator) computed(c algebra.Column, x algebra.Expr) {
	e.cols[c.ID] = columnGuess{distinct: e.distinct(x)}
	if ref, ok := x.(*algebra.ColumnRef); ok {
		e.cols[c.ID] = e.guess(ref.Column.ID)
	}
}

func (e *estimator) guess(id algebra.ColumnID) columnGuess {
	if g, ok := e.cols[id]; ok {
		return g
	}
	return columnGuess{distinct: guessDistinct}
}

// fieldValues are the numbers of values of the parts of a date that have few.
var fieldValues = map[string]float64{
	"year": 30, "quarter": 4, "month": 12, "week": 53, "day": 31, "doy": 366,
	"dow": 7, "isodow": 7, "hour": 24, "minute": 60,
}

func (e *estimator) distinct(x algebra.Expr) float64 {
	product := 1.0
	refs := map[algebra.ColumnID]bool{}
	algebra.WalkExpr(x, func(x algebra.Expr) bool {
		if ref, ok := x.(*algebra.ColumnRef); ok && !refs[ref.Column.ID] {
			refs[ref.Column.ID] = true
			product *= e.guess(ref.Column.ID).distinct
		}
		return true
	})
	if call, ok := x.(*algebra.Call); ok && call.Func == algebra.Extract {
		if c, ok := call.Args[0].(*algebra.Const); ok && fieldValues[c.Val.S] > 0 {
			return min(product, fieldValues[c.Val.S])
		}
	}
	if x.Type().Kind == algebra.Bool {
		return min(product, 2)
	}
	return max(product, 1)
}

// groups guesses the number of groups by keys among rows: the combinations of
// the keys that are hit at least once if each row hits one at random.
func (e *estimator) groups(keys []algebra.Item, rows float64) float64 {
	product := 1.0
	for _, k := range keys {
		product *= e.distinct(k.Expr)
	}
	return min(-product*math.Expm1(-rows/product), rows)
}

// join guesses the number of rows of a join, residual conditions aside. The
// keys of the right input contain those of the left, as a dimension's do.
func (e *estimator) join(kind algebra.JoinKind, left, right float64, keys []operators.Key) float64 {
	values := 1.0
	for _, k := range keys {
		values *= e.distinct(k.Expr)
	}
	rows := left * right / max(values, 1)
	switch kind {
	case algebra.JoinLeft:
		return max(rows, left)
	case algebra.JoinRight:
		return max(rows, right)
	case algebra.JoinFull:
		return max(rows, left, right)
	case algebra.JoinSemi:
		return min(rows, left)
	case algebra.JoinAnti:
		return max(left-rows, left/10)
	}
	return rows
}

// selectivity guesses which part of the rows satisfies all conditions.
func (e *estimator) selectivity(conds []algebra.Expr) float64 {
	s := 1.0
	for _, c := range conds {
		s *= e.condition(c)
	}
	return s
}

func (e *estimator) condition(x algebra.Expr) float64 {
	call, ok := x.(*algebra.Call)
	if !ok {
		return guessSelectivity
	}
	switch call.Func {
	case algebra.And:
		return e.selectivity(call.Args)
	case algebra.Or:
		none := 1.0
		for _, arg := range call.Args {
			none *= 1 - e.condition(arg)
		}
		return 1 - none
	case algebra.Not:
		return 1 - e.condition(call.Args[0])
	case algebra.Eq:
		return 1 / max(e.distinct(call.Args[0]), e.distinct(call.Args[1]), 1)
	case algebra.In:
		return min(1, float64(len(call.Args)-1)/e.distinct(call.Args[0]))
	case algebra.Like, algebra.ILike:
		return guessLike
	case algebra.Lt, algebra.Le, algebra.Gt, algebra.Ge:
		return e.inequality(call)
	}
	return guessSelectivity
}

// inequality guesses by the place of a constant between a column's bounds.
func (e *estimator) inequality(call *algebra.Call) float64 {
	column, isColumn := call.Args[0].(*algebra.ColumnRef)
	constant, isConst := call.Args[1].(*algebra.Const)
	less := call.Func == algebra.Lt || call.Func == algebra.Le
	if !isColumn || !isConst {
		column, isColumn = call.Args[1].(*algebra.ColumnRef)
		constant, isConst = call.Args[0].(*algebra.Const)
		less = !less
	}
	if !isColumn || !isConst {
		return guessSelectivity
	}
	g := e.guess(column.Column.ID)
	at, ok := place(constant.Val)
	if !g.bounded || !ok {
		return guessSelectivity
	}
	part := math.Min(math.Max((at-g.lo+0.5)/(g.hi-g.lo+1), 0), 1)
	if !less {
		part = 1 - part
	}
	return max(part, 0.001)
}

// place is a constant as a number on the scale of statistics.
func place(v value.Value) (float64, bool) {
	switch v.Kind {
	case value.Int:
		return float64(v.I), true
	case value.Decimal:
		return v.Num.Coef.Float64(), true
	}
	return 0, false
}
