// Package cubing is the operator that makes the groups of several grouping sets by
// refinement: coarse groups first, and finer ones within those that may pass the conditions
// on groups. Each grouping set is a result of its own.
package cubing

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// The strategies of cubes.
const (
	Rollup = "rollup" // the finest sets first, and each other one of the smallest that has its keys
	Refine = "refine" // this operator
)

// Strategies are the names of the strategies of cubes.
func Strategies() []string { return []string{Rollup, Refine} }

// Operator groups by each of Sets. Columns of keys that a set lacks are NULL in its result.
type Operator struct {
	Keys []algebra.Item // in the order in which groups are refined
	Accs []aggregate.Accumulator
	Sets []algebra.KeySet // of Keys; each once
	Bars []Bar
}

// Bar is a condition that a group passes with more rows if it does so without them: column
// Acc, of an accumulator, is at least Limit, or with AtMost at most Limit, both integers of
// the scale of the accumulator's argument.
type Bar struct {
	Acc    algebra.Column
	AtMost bool
	Limit  int64
}

// text is the bar in print.
func (b *Bar) text() string {
	op := ">="
	if b.AtMost {
		op = "<="
	}
	return fmt.Sprintf("%s %s %d", b.Acc.Name, op, b.Limit)
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := fmt.Sprintf("%s in %d sets", aggregate.Describe(operators.Items(o.Keys), o.Accs), len(o.Sets))
	if len(o.Bars) > 0 {
		bars := make([]string, len(o.Bars))
		for i := range o.Bars {
			bars[i] = o.Bars[i].text()
		}
		detail += ", pruned by " + strings.Join(bars, " AND ")
	}
	return operators.Traits{
		Name: "cubing", Detail: detail, Result: operators.Kernel,
		Why: "a group is complete when all rows have been read", Needs: aggregate.Needs(o.Columns(), len(o.Keys)),
	}
}

// Dependence implements operators.Operator: groups depend on all of their rows.
func (o *Operator) Dependence(int) operators.Dependence { return operators.CTA }

func (o *Operator) aggregation() *aggregate.Operator {
	return &aggregate.Operator{Keys: o.Keys, Accs: o.Accs}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	cols := o.aggregation().Columns()
	for i := range o.Keys {
		cols[i].Nullable = true
	}
	return cols
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return o.aggregation().Uses() }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.aggregation().Skeleton().Compute, Gather: o.gather}
}

func (o *Operator) gather(w *operators.Weave) {
	s := &kernel.Cubing{Rows: w.Rows}
	var cols []algebra.Column
	var vals []kernel.ValueID
	hasAll := false // a set of no keys has a group even without rows
	for _, set := range o.Sets {
		s.Sets = append(s.Sets, uint64(set))
		hasAll = hasAll || set == 0
	}
	for _, k := range o.Keys {
		v := w.Column(k.Column)
		s.Keys = append(s.Keys, v)
		cols, vals = append(cols, k.Column), append(vals, v)
	}
	for i := range o.Accs {
		a := &o.Accs[i]
		acc := a.Lower(w)
		acc.Dst = w.Accumulate(acc, a.Cols, w.MaxRows, hasAll)
		s.Accs = append(s.Accs, acc)
		cols, vals = append(cols, a.Cols...), append(vals, acc.Dst...)
		for _, b := range o.Bars {
			if b.Acc.ID == a.Cols[0].ID {
				s.Bars = append(s.Bars, kernel.Bar{Acc: i, AtMost: b.AtMost, Limit: b.Limit})
			}
		}
	}
	w.Func.Sink = s
	w.Unique = algebra.ColSet{}
	w.Describe(cols, vals)
	for i := range o.Keys {
		w.Fields[i].Nullable = true
	}
	if w.MaxRows > 0 {
		w.MaxRows *= float64(len(o.Sets))
	}
}

// Refusal says why the operator cannot group by a key, or accumulate, "" where it can.
func Refusal(keys []algebra.Item, accs []aggregate.Accumulator) string {
	for _, k := range keys {
		if t := lower.PhysicalType(k.Column.Type); t == kernel.Num || t == kernel.Interval {
			return fmt.Sprintf("the values of key %s have no form of fixed size", k.Column.Name)
		}
	}
	for i := range accs {
		a := &accs[i]
		if a.Op == kernel.AccCount && !a.Distinct {
			continue
		}
		for _, arg := range []algebra.Expr{a.Arg, a.Arg2} {
			if arg == nil {
				continue
			}
			switch lower.PhysicalType(arg.Type()) {
			case kernel.Num, kernel.Interval, kernel.Str:
				return fmt.Sprintf("an argument of %s has no form of fixed size", a.Op)
			}
		}
	}
	return ""
}
