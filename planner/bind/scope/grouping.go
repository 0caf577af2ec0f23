package scope

import "github.com/cubeloom/cubeloom/planner/algebra"

// Add returns the column of an aggregate.
func (g *Grouping) Add(b *Binder, agg algebra.Agg, name string, typ algebra.Type) algebra.Column {
	g.Used = true
	for i := range g.Aggs {
		have := &g.Aggs[i]
		if have.Func == agg.Func && have.Distinct == agg.Distinct &&
			algebra.Equal(have.Arg, agg.Arg) && algebra.Equal(have.Arg2, agg.Arg2) && algebra.Equal(have.Filter, agg.Filter) {
			return have.Column
		}
	}
	agg.Column = b.NewColumn(name, typ, !agg.Func.Row().Counts)
	g.Aggs = append(g.Aggs, agg)
	g.Made.Add(agg.Column.ID)
	return agg.Column
}
