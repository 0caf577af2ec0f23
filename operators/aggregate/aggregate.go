// Package aggregate is the operator that groups rows and accumulates over each
// group. It gives the accumulators as they are; package finalize makes the
// results of the SQL aggregates from them.
package aggregate

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Operator groups by Keys (none: one group, even without rows). Without Accs
// it gives the distinct rows.
type Operator struct {
	Keys    []algebra.Item
	Accs    []Accumulator
	Largest float64 // estimated rows of the largest group; 0: not known, or it is like others
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "aggregate", Detail: Describe(operators.Items(o.Keys), o.Accs), Result: operators.Kernel,
		Why:   "a group is complete when all rows have been aggregated",
		Needs: o.needs(),
	}
}

func (o *Operator) needs() operators.Needs {
	needs := Needs(o.Columns(), len(o.Keys))
	needs.Parts = needs.Plus(operators.ItemOperations(o.Keys))
	for i := range o.Accs {
		needs.Parts = needs.Plus(operators.Operations(o.Accs[i].Exprs()...))
	}
	return needs
}

// Needs are those of an aggregation that gives cols, of which so many are keys: each block
// aggregates what it can in shared memory before it goes to the whole.
func Needs(cols []algebra.Column, keys int) operators.Needs {
	const slots = 64 // groups that a block keeps at the least
	needs := operators.Needs{Shared: slots * 4 * operators.RowRegisters(cols)}
	if keys == 0 {
		needs.Total = float64(len(cols))
		return needs
	}
	needs.Key, needs.Sum = float64(operators.RowRegisters(cols[:keys])), float64(len(cols)-keys)
	return needs
}

// Dependence implements operators.Operator: a block's groups depend on all of
// its rows.
func (o *Operator) Dependence(int) operators.Dependence { return operators.CTA }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	var cols []algebra.Column
	for _, k := range o.Keys {
		cols = append(cols, k.Column)
	}
	for _, a := range o.Accs {
		cols = append(cols, a.Cols...)
	}
	return cols
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet {
	var set algebra.ColSet
	for _, k := range o.Keys {
		set.AddSet(algebra.References(k.Expr))
	}
	for _, a := range o.Accs {
		set.AddSet(operators.References(a.Exprs()))
	}
	return set
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: o.gather}
}

func (o *Operator) compute(w *operators.Weave) {
	for _, k := range o.Keys {
		w.Bind(k.Column, w.Expr(k.Expr))
	}
}

func (o *Operator) gather(w *operators.Weave) {
	s := &Sink{}
	s.sink.Largest = math.Round(o.Largest)
	for _, k := range o.Keys {
		s.Key(w, k.Column)
	}
	for i := range o.Accs {
		a := &o.Accs[i]
		acc := a.Lower(w)
		s.Acc(acc, a.Cols, func() []kernel.ValueID {
			return w.Accumulate(acc, a.Cols, w.MaxRows, len(o.Keys) == 0)
		})
	}
	s.End(w)
}
