// Package window is the operator that computes functions over windows of rows:
// it sorts the rows of each partition and gives them with the functions'
// values. Aggregates come as accumulators; package finalize makes the results
// of the SQL aggregates from them.
package window

import (
	"strings"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Operator computes Calls over the rows of each partition, in order.
type Operator struct {
	Partition []algebra.Expr
	Order     []algebra.SortKey
	Frames    []algebra.Frame
	Calls     []Call
}

// Call is a window function of Args, or the accumulator Acc over a frame.
type Call struct {
	Func  algebra.WindowFunc
	Args  []algebra.Expr
	Acc   *aggregate.Accumulator // nil: Func
	Frame int                    // of Operator.Frames
	Cols  []algebra.Column
}

func (c *Call) exprs() []algebra.Expr {
	if c.Acc != nil {
		return c.Acc.Exprs()
	}
	return c.Args
}

// text is the call in print.
func (c *Call) text(frames []algebra.Frame) string {
	if c.Acc != nil {
		return c.Acc.String() + frames[c.Frame].String()
	}
	return string(c.Func) + "(" + operators.List(c.Args, ", ") + ")"
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	texts := make([]string, len(o.Calls))
	for i := range o.Calls {
		texts[i] = o.Calls[i].text(o.Frames)
	}
	detail := strings.Join(texts, ", ")
	if len(o.Partition) > 0 {
		detail += " partition by " + operators.List(o.Partition, ", ")
	}
	if len(o.Order) > 0 {
		detail += " order by " + operators.SortList(o.Order)
	}
	return operators.Traits{
		Name: "window", Detail: detail, Passes: true, Result: operators.Kernel,
		Why:   "a partition is complete and in order when all rows are there",
		Needs: operators.Resources{Registers: 8, Shared: 16 * operators.BlockThreads}, // a key and a position each
	}
}

// Dependence implements operators.Operator: what is to be ordered is
// compacted block by block.
func (o *Operator) Dependence(int) operators.Dependence { return operators.CTA }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	var cols []algebra.Column
	for i := range o.Calls {
		cols = append(cols, o.Calls[i].Cols...)
	}
	return cols
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet {
	set := operators.References(o.Partition)
	for _, k := range o.Order {
		set.AddSet(algebra.References(k.Expr))
	}
	for _, f := range o.Frames {
		for _, e := range []algebra.Expr{f.Key, f.Start.Limit, f.End.Limit} {
			if e != nil {
				set.AddSet(algebra.References(e))
			}
		}
	}
	for i := range o.Calls {
		set.AddSet(operators.References(o.Calls[i].exprs()))
	}
	return set
}
