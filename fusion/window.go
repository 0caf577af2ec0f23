package fusion

import (
	"slices"

	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/operators/window"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// window adds the functions over one window, and what makes the SQL aggregates
// of the accumulators among them. Aggregates over one frame share those.
func (g *graph) window(n *algebra.Window, in int) int {
	op := &window.Operator{Partition: g.exprs(n.PartitionBy), Order: g.sortKeys(n.OrderBy), First: n.First}
	last := &finalize.Operator{}
	var parts []*aggregate.Parts // by frame
	for i := range n.Calls {
		call := &n.Calls[i]
		f := addFrame(op, g.frame(&call.Frame))
		if f == len(parts) {
			parts = append(parts, &aggregate.Parts{NewColumn: g.newColumn})
		}
		if !call.IsAggregate() {
			op.Calls = append(op.Calls, window.Call{
				Func: call.Func, Args: g.exprs(call.Args), Frame: f, Cols: []algebra.Column{call.Column},
			})
			continue
		}
		agg := call.Aggregate()
		agg.Arg, agg.Arg2, agg.Filter = g.expr(agg.Arg), g.expr(agg.Arg2), g.expr(agg.Filter)
		cols := parts[f].Of(&agg)
		if aggregate.IsResult(&agg, cols) {
			g.rename(agg.Column, cols[0])
			continue
		}
		last.Items = append(last.Items, finalize.Item{Column: agg.Column, Func: agg.Func, Accs: cols, Text: algebra.AggText(&agg, false)})
	}
	for f, p := range parts {
		for i := range p.Accs {
			op.Calls = append(op.Calls, window.Call{Acc: &p.Accs[i], Frame: f, Cols: p.Accs[i].Cols})
		}
	}
	id := g.add(op, g.ops[in].Rows, in)
	g.ops[id].Ordered = false
	if len(last.Items) > 0 {
		id = g.add(last, g.ops[id].Rows, id)
	}
	return id
}

// addFrame returns the index of a frame, adding it where there is none like it.
func addFrame(op *window.Operator, f algebra.Frame) int {
	i := slices.IndexFunc(op.Frames, func(have algebra.Frame) bool { return sameFrame(&have, &f) })
	if i < 0 {
		i = len(op.Frames)
		op.Frames = append(op.Frames, f)
	}
	return i
}

func sameFrame(a, b *algebra.Frame) bool {
	same := func(a, b *algebra.FrameBound) bool {
		return a.Kind == b.Kind && a.Offset == b.Offset && algebra.Equal(a.Limit, b.Limit)
	}
	return a.Unit == b.Unit && a.Exclude == b.Exclude && same(&a.Start, &b.Start) && same(&a.End, &b.End)
}

func (g *graph) frame(f *algebra.Frame) algebra.Frame {
	out := *f
	out.Key, out.Start.Limit, out.End.Limit = g.expr(f.Key), g.expr(f.Start.Limit), g.expr(f.End.Limit)
	return out
}
