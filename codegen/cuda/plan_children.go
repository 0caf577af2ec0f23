package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// handOver allocates the places of rows that are handed over, and empties them before each
// launch of an entry that fills them.
func (p *Planner) handOver() {
	if p.deferral == 0 {
		return
	}
	figures := &p.target.Device.Expand
	number := expr.Times(launch.Int(figures.Children), expr.SMs)
	g := p.paged()
	if g != nil {
		number = expr.CeilDiv(expr.Rows, launch.Int(g.Rows))
		if g.Segment > 0 {
			number = expr.Min(number, launch.Int(g.Segment))
		}
	}
	counts, places := p.buffer("children", 1), p.buffer("places", 1)
	bytes := expr.Times(launch.Int(p.deferral), number)
	fills := map[ArgKind]launch.Arg{
		ArgChildCounts: {Ref: launch.Ref{Buffer: counts}, Access: launch.InOut},
		ArgChildPlaces: {Ref: launch.Ref{Buffer: places}, Access: launch.Out},
		ArgChildNumber: {X: number},
		ArgChildMin:    {X: launch.Int(figures.ChildMatches)},
		ArgChildBlocks: {X: expr.Times(launch.Int(figures.ChildBlocks), expr.SMs)},
	}
	p.beforeLaunches(func(l *launch.Launch) []launch.Stmt {
		shared := l.Shared
		if shared == nil {
			shared = launch.Int(0)
		}
		if !p.fill(l, fills) {
			return nil
		}
		p.fill(l, map[ArgKind]launch.Arg{ArgChildShared: {X: shared}})
		return []launch.Stmt{&launch.Clear{At: fills[ArgChildCounts].Ref, Bytes: launch.Int(8 * childLaunched)}}
	})
	p.list = slices.Insert(p.list, 0,
		launch.Stmt(&launch.Alloc{Buffer: counts, Sizes: []launch.Expr{launch.Int(8 * childCounts)}, Fill: launch.Zeros}),
		launch.Stmt(&launch.Alloc{Buffer: places, Sizes: []launch.Expr{bytes}, Fill: launch.Anything}))
	p.list = slices.Insert(p.list, len(p.list)-1, p.within(func() { p.noteChildren(counts, bytes) })...)
}

// noteChildren has EXPLAIN ANALYZE say what was launched, and ends a plan of which a segment
// was lost.
func (p *Planner) noteChildren(counts int, bytes launch.Expr) {
	p.add(&launch.Read{
		From: launch.Ref{Buffer: counts}, Words: launch.Int(childCounts), Raise: launch.None, Array: launch.None,
		Into: []launch.Into{
			p.word("children_launched", childLaunched), p.word("children_refused", childLaunched+1),
			p.word("children_blocks", childLaunched+2), p.word("children_broken", childLaunched+3),
		},
	})
	p.add(&launch.Fail{Kind: launch.Refused, Cond: p.Value("children_broken"), Text: "pages of an expansion could not be launched, or have too many matches"})
	p.Note("kernels launched by kernels", p.Value("children_launched"))
	p.Note("their blocks", p.Value("children_blocks"))
	p.Note("launches refused", p.Value("children_refused"))
	p.Note("bytes of places", bytes)
}

// The words of ArgChildCounts: those from childLaunched on add up over all launches.
const (
	childLaunched = 5
	childCounts   = 9
)
