package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// handOver allocates the places of rows that are handed over, and empties them before each
// launch of an entry that fills them.
func (p *Planner) handOver() {
	if p.handing == 0 {
		return
	}
	figures := &p.target.Device.Expand
	number := expr.Times(launch.Int(figures.Children), expr.SMs)
	b := p.buffer("children", 2)
	fills := map[ArgKind]launch.Arg{
		ArgChildCounts: {Ref: launch.Ref{Buffer: b}, Access: launch.InOut},
		ArgChildPlaces: {Ref: launch.Ref{Buffer: b, Part: 1}, Access: launch.Out},
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
		return []launch.Stmt{&launch.Clear{At: fills[ArgChildCounts].Ref, Bytes: launch.Int(8 * childCounts)}}
	})
	p.list = slices.Insert(p.list, 0, launch.Stmt(&launch.Alloc{
		Buffer: b, Sizes: []launch.Expr{launch.Int(8 * childCounts), expr.Times(launch.Int(p.handing), number)}, Fill: launch.Anything,
	}))
}

// childCounts is the number of words of ArgChildCounts.
const childCounts = 3
