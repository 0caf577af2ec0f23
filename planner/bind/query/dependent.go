package query

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
)

// noteKey remembers that the columns at the ordinals of key are unique and not
// NULL in the table that cols are read from.
func noteKey(b *scope.Binder, cols []algebra.Column, key []int) {
	if b.KeysOf == nil {
		b.KeysOf = make(map[algebra.ColumnID][]algebra.ColSet)
	}
	var set algebra.ColSet
	for _, ordinal := range key {
		set.Add(cols[ordinal].ID)
	}
	for _, c := range cols {
		b.KeysOf[c.ID] = append(b.KeysOf[c.ID], set)
	}
}

// dependent reports whether a column has one value in each group because every
// grouping set has a key of its table. Rows that an outer join has made have
// NULL in both.
func (r *regrouper) dependent(ref *algebra.ColumnRef) bool {
	var grouped algebra.ColSet
	common := r.agg.KeysInAllSets()
	for i, key := range r.agg.Keys {
		if bare, ok := key.Expr.(*algebra.ColumnRef); ok && common.Has(i) {
			grouped.Add(bare.Column.ID)
		}
	}
	return slices.ContainsFunc(r.KeysOf[ref.Column.ID], func(key algebra.ColSet) bool { return key.SubsetOf(grouped) })
}

// anyValue adds an aggregate that gives the one value of a dependent column.
func (r *regrouper) anyValue(ref *algebra.ColumnRef) algebra.Expr {
	c := ref.Column
	out := r.NewColumn(c.Name, c.Type, c.Nullable)
	r.agg.Aggs = append(r.agg.Aggs, algebra.Agg{Column: out, Func: algebra.AnyValue, Arg: ref})
	r.cols[c.ID] = out.Ref()
	return out.Ref()
}
