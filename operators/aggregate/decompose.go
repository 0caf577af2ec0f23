package aggregate

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Parts makes the accumulators of a list of aggregates, each only once however
// many aggregates share it.
type Parts struct {
	Accs []Accumulator
	// NewColumn returns a column with an ID of its own.
	NewColumn func(name string, t algebra.Type) algebra.Column
}

// Of returns the accumulator columns that the result of an aggregate is made
// from; see IsResult. An aggregate that no other way is named for is the accumulator
// of its name.
func (p *Parts) Of(agg *algebra.Agg) []algebra.Column {
	switch agg.Func {
	case algebra.Avg:
		return append(p.acc(agg, kernel.AccSum, sumType(agg.Arg.Type())), p.acc(agg, kernel.AccCount, algebra.TInt64)...)
	case algebra.ApproxCountDistinct:
		return p.acc(agg, kernel.AccSketch, algebra.TText)
	}
	_, of, ok := kernel.FindStatistic(string(agg.Func))
	switch {
	case !ok:
		return p.acc(agg, kernel.AccOp(agg.Func), agg.Column.Type)
	case agg.Arg.Type().Kind == algebra.Float64:
		return p.acc(agg, of, algebra.TFloat64)
	}
	return p.variance(agg)
}

// IsResult reports whether the accumulator columns of an aggregate are its result.
func IsResult(agg *algebra.Agg, cols []algebra.Column) bool {
	return len(cols) == 1 && agg.Func != algebra.ApproxCountDistinct
}

func sumType(arg algebra.Type) algebra.Type {
	t, _ := algebra.AggResult(algebra.Sum, arg)
	return t
}

// variance are the parts of variances of exact numbers.
func (p *Parts) variance(agg *algebra.Agg) []algebra.Column {
	cols := p.acc(agg, kernel.AccCount, algebra.TInt64)
	cols = append(cols, p.acc(agg, kernel.AccSum, sumType(agg.Arg.Type()))...)
	return append(cols, p.acc(agg, kernel.AccSumSquare, algebra.TNumeric)...)
}

// acc finds or makes an accumulator over the aggregate's argument. The
// extremes of distinct values are those of all values.
func (p *Parts) acc(agg *algebra.Agg, op kernel.AccOp, t algebra.Type) []algebra.Column {
	arg := agg.Arg
	if ref, ok := arg.(*algebra.ColumnRef); ok && op == kernel.AccCount && !agg.Distinct && !ref.Column.Nullable {
		op, arg = kernel.AccCountStar, nil
	}
	distinct := agg.Distinct && !op.IgnoresDuplicates()
	for i := range p.Accs {
		a := &p.Accs[i]
		if a.Op == op && a.Distinct == distinct && algebra.Equal(a.Arg, arg) && algebra.Equal(a.Arg2, agg.Arg2) && algebra.Equal(a.Filter, agg.Filter) {
			return a.Cols
		}
	}
	a := Accumulator{Op: op, Arg: arg, Arg2: agg.Arg2, Distinct: distinct, Filter: agg.Filter}
	row, _ := op.Row()
	names := []string{agg.Column.Name}
	if row.State != nil {
		names = names[:0]
		for _, part := range row.Parts {
			names = append(names, part.Column)
		}
	}
	for _, name := range names {
		c := p.NewColumn(name, t)
		c.Nullable = !row.NotNull
		a.Cols = append(a.Cols, c)
	}
	p.Accs = append(p.Accs, a)
	return a.Cols
}
