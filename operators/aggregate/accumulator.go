package aggregate

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Accumulator is a combinable part of an aggregate: all that an SQL aggregate
// needs to know of a group of rows.
type Accumulator struct {
	Op       kernel.AccOp
	Arg      algebra.Expr // nil for count_star
	Arg2     algebra.Expr // of pairs; nil for others
	Distinct bool
	Filter   algebra.Expr // nil for all rows
	Cols     []algebra.Column
}

// Exprs are the expressions that the accumulator reads.
func (a *Accumulator) Exprs() []algebra.Expr {
	var exprs []algebra.Expr
	if a.Arg != nil {
		exprs = append(exprs, a.Arg)
	}
	if a.Arg2 != nil {
		exprs = append(exprs, a.Arg2)
	}
	if a.Filter != nil {
		exprs = append(exprs, a.Filter)
	}
	return exprs
}

// String is the accumulator in print.
func (a *Accumulator) String() string {
	var b strings.Builder
	b.WriteString(string(a.Op))
	if a.Arg != nil {
		b.WriteByte('(')
		if a.Distinct {
			b.WriteString("DISTINCT ")
		}
		b.WriteString(a.Arg.String())
		if a.Arg2 != nil {
			b.WriteString(", " + a.Arg2.String())
		}
		b.WriteByte(')')
	}
	if a.Filter != nil {
		b.WriteString(" FILTER (WHERE " + a.Filter.String() + ")")
	}
	return b.String()
}

// Describe is the detail of an aggregation by keys.
func Describe(keys string, accs []Accumulator) string {
	texts := make([]string, len(accs))
	for i := range accs {
		texts[i] = accs[i].String()
	}
	detail := strings.Join(texts, ", ")
	switch {
	case keys == "":
		return detail
	case detail == "":
		return "distinct " + keys
	}
	return detail + " by " + keys
}

// Combines reports whether the results over finer groups can be combined to those over
// coarser ones.
func (a *Accumulator) Combines() bool { return !a.Distinct && !a.needsAllRows() }

func (a *Accumulator) needsAllRows() bool {
	row, _ := a.Op.Row()
	return row.AllRows
}

// Lower emits what the accumulator takes of each row.
func (a *Accumulator) Lower(w *operators.Weave) kernel.Acc {
	acc := kernel.Acc{Op: a.Op, Distinct: a.Distinct, Filter: kernel.NoValue}
	args := []algebra.Expr{a.Arg, a.Arg2}
	if row, _ := a.Op.Row(); row.Fraction {
		fraction, ok := a.Arg2.(*algebra.Const)
		if !ok {
			panic(value.Errorf(value.CodeInternal, "%s of a fraction that is not constant", a.Op))
		}
		acc.Fraction, args = fraction.Val.F, args[:1]
	}
	if a.Filter != nil {
		acc.Filter = w.Expr(a.Filter)
	}
	for _, e := range args {
		if e == nil {
			continue
		}
		acc.Args = append(acc.Args, w.AccArg(a.Op, w.Guarded(acc.Filter, e)))
	}
	if a.Op == kernel.AccCount && !a.Distinct && !w.Value(acc.Args[0]).Nullable {
		acc.Op, acc.Args = kernel.AccCountStar, nil
	}
	return acc
}
