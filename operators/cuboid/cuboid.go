// Package cuboid is the operator that aggregates the groups of a finer grouping
// set into those of a coarser one: the accumulators of a group combine, so that
// a cube reads its input once.
package cuboid

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Operator groups by Keys, columns of the finer aggregation it reads, and
// combines that one's accumulators. Its columns are the same columns, by ID.
type Operator struct {
	Keys []algebra.Column
	Accs []aggregate.Accumulator
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	ops := lists.Map(o.Accs, func(a aggregate.Accumulator) string { return string(a.Op.Merge()) })
	return operators.Traits{
		Name: "cuboid", Detail: strings.Join(ops, ", ") + " by (" + operators.Names(o.Keys) + ")",
		Result: operators.Kernel,
		Why:    "a group is complete when all finer groups have been aggregated", Needs: aggregate.Needs(o.Columns(), len(o.Keys)),
	}
}

// Dependence implements operators.Operator: a block's groups depend on all of
// its rows.
func (o *Operator) Dependence(int) operators.Dependence { return operators.CTA }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	cols := append([]algebra.Column(nil), o.Keys...)
	for _, a := range o.Accs {
		cols = append(cols, a.Cols...)
	}
	return cols
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.SetOf(o.Columns()) }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: o.gather}
}

func (o *Operator) gather(w *operators.Weave) {
	s := &aggregate.Sink{}
	for _, k := range o.Keys {
		s.Key(w, k)
	}
	for _, a := range o.Accs {
		acc := kernel.Acc{Op: a.Op.Merge(), Filter: kernel.NoValue}
		for _, c := range a.Cols {
			acc.Args = append(acc.Args, w.Column(c))
		}
		s.Acc(acc, a.Cols, func() []kernel.ValueID { return w.Combine(acc, a.Cols, len(o.Keys) == 0) })
	}
	s.End(w)
}
