// Package window is the operator that computes functions over windows of rows:
// it sorts the rows of each partition and gives them with the functions'
// values. Aggregates come as accumulators; package finalize makes the results
// of the SQL aggregates from them.
package window

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator computes Calls over the rows of each partition, in order.
type Operator struct {
	Partition []algebra.Expr
	Order     []algebra.SortKey
	Frames    []algebra.Frame
	Calls     []Call
	First     algebra.FirstRows
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
	if o.First.Rows > 0 {
		detail += fmt.Sprintf(" first %d", o.First.Rows)
	}
	return operators.Traits{
		Name: "window", Detail: detail, Passes: true, Result: operators.Kernel,
		Why:   "a partition is complete and in order when all rows are there",
		Needs: operators.Needs{Parts: machine.Parts{Sort: 1}, Shared: 16 * operators.BlockThreads}, // a key and a position each
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

// gather makes the window the sink of the kernel. Its result has the columns
// that pass through and then those of the calls.
func (o *Operator) gather(w *operators.Weave) {
	s := &kernel.Window{}
	for _, e := range o.Partition {
		s.Partition = append(s.Partition, kernel.SortKey{Val: w.Rank(w.Expr(e))})
	}
	s.Order = w.SortKeys(o.Order)
	for i := range o.Frames {
		s.Frames = append(s.Frames, frame(w, &o.Frames[i]))
	}
	cols, vals := o.passed(w)
	s.Cols = vals[:len(vals):len(vals)]
	for i := range o.Calls {
		c := &o.Calls[i]
		call := c.lower(w, &s.Frames[c.Frame])
		s.Calls = append(s.Calls, call)
		cols, vals = append(cols, c.Cols...), append(vals, call.Dst...)
	}
	d := w.Decide(strategy.Preference{}, "window", strategies.Offers(&ordering{w, slices.Concat(s.Partition, s.Order), o.First}))
	if d.Takes(firstStrategy) {
		s.First, s.Ties = o.First.Rows, o.First.Ties
	}
	s.InOrder = d.Takes(orderedStrategy)
	w.Func.Sink = s
	w.Describe(cols, vals)
}

// passed are the columns of the result that pass through.
func (o *Operator) passed(w *operators.Weave) ([]algebra.Column, []kernel.ValueID) {
	made := algebra.SetOf(o.Columns())
	var cols []algebra.Column
	var vals []kernel.ValueID
	for _, c := range w.Out {
		if made.Has(c.ID) {
			continue
		}
		cols, vals = append(cols, c), append(vals, w.Column(c))
	}
	return cols, vals
}

// functions are the kernel's words for window functions.
var functions = map[algebra.WindowFunc]kernel.WindowFunc{
	algebra.RowNumber: kernel.WindowRowNumber, algebra.Rank: kernel.WindowRank, algebra.DenseRank: kernel.WindowDenseRank,
	algebra.PercentRank: kernel.WindowPercentRank, algebra.CumeDist: kernel.WindowCumeDist, algebra.Ntile: kernel.WindowNtile,
	algebra.Lag: kernel.WindowLag, algebra.Lead: kernel.WindowLead, algebra.FirstValue: kernel.WindowFirstValue,
	algebra.LastValue: kernel.WindowLastValue, algebra.NthValue: kernel.WindowNthValue,
	algebra.StringAgg: kernel.WindowStringAgg, algebra.StringAggDistinct: kernel.WindowStringAggDistinct,
}

func (c *Call) lower(w *operators.Weave, f *kernel.Frame) kernel.WindowCall {
	call := kernel.WindowCall{Func: kernel.WindowAggregate, Frame: c.Frame}
	if c.Acc != nil {
		acc := c.Acc.Lower(w)
		acc.Dst = w.Accumulate(acc, c.Cols, w.MaxRows, !f.NeverEmpty())
		call.Acc = acc
		return call
	}
	call.Func, call.Filter = functions[c.Func], kernel.NoValue
	for i, e := range c.Args {
		v := w.Expr(e)
		switch {
		case c.Func == algebra.StringAgg || c.Func == algebra.StringAggDistinct:
			v = w.Text(v)
		case i > 0 || c.Func == algebra.Ntile:
			v = w.Plain(v, algebra.TInt32)
		}
		call.Args = append(call.Args, v)
	}
	switch c.Func {
	case algebra.FirstValue, algebra.LastValue:
		call.Dst = []kernel.ValueID{w.Picked(c.Cols[0], call.Args[0], !f.NeverEmpty())}
	case algebra.Lag, algebra.Lead, algebra.NthValue:
		call.Dst = []kernel.ValueID{w.Picked(c.Cols[0], call.Args[0], true)}
	default:
		call.Dst = []kernel.ValueID{w.Numbering(c.Cols[0], w.MaxRows)}
	}
	return call
}

var units = map[algebra.FrameUnit]kernel.FrameUnit{
	algebra.FrameRows: kernel.FrameRows, algebra.FrameRange: kernel.FrameRange, algebra.FrameGroups: kernel.FrameGroups,
}

var bounds = map[algebra.BoundKind]kernel.BoundKind{
	algebra.UnboundedPreceding: kernel.UnboundedPreceding, algebra.Preceding: kernel.Preceding,
	algebra.CurrentRow: kernel.CurrentRow, algebra.Following: kernel.Following,
	algebra.UnboundedFollowing: kernel.UnboundedFollowing,
}

var exclusions = map[algebra.FrameExclusion]kernel.FrameExclusion{
	algebra.ExcludeNothing: kernel.ExcludeNothing, algebra.ExcludeCurrent: kernel.ExcludeCurrent,
	algebra.ExcludeGroup: kernel.ExcludeGroup, algebra.ExcludeTies: kernel.ExcludeTies,
}

func frame(w *operators.Weave, f *algebra.Frame) kernel.Frame {
	out := kernel.Frame{Unit: units[f.Unit], Exclude: exclusions[f.Exclude]}
	out.Key, out.Start, out.End = plain(w, f.Key), bound(w, &f.Start), bound(w, &f.End)
	return out
}

func bound(w *operators.Weave, b *algebra.FrameBound) kernel.FrameBound {
	return kernel.FrameBound{Kind: bounds[b.Kind], Offset: b.Offset, Limit: plain(w, b.Limit)}
}

// plain emits an expression, if there is one, in the form that its type gives.
func plain(w *operators.Weave, e algebra.Expr) kernel.ValueID {
	if e == nil {
		return kernel.NoValue
	}
	return w.Plain(w.Expr(e), e.Type())
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: o.gather}
}
