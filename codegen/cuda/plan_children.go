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
	p.list = slices.Insert(p.list, 0, launch.Stmt(&launch.Alloc{
		Buffer: b, Sizes: []launch.Expr{launch.Int(8 * childCounts), expr.Times(launch.Int(p.handing), number)}, Fill: launch.Anything,
	}))
	fills := map[ArgKind]launch.Arg{
		ArgChildCounts: {Ref: launch.Ref{Buffer: b}, Access: launch.InOut},
		ArgChildPlaces: {Ref: launch.Ref{Buffer: b, Part: 1}, Access: launch.Out},
		ArgChildNumber: {X: number},
		ArgChildMin:    {X: launch.Int(figures.ChildMatches)},
		ArgChildBlocks: {X: expr.Times(launch.Int(figures.ChildBlocks), expr.SMs)},
	}
	p.list = p.handedOver(p.list, fills)
}

// childCounts is the number of words of ArgChildCounts.
const childCounts = 3

// handedOver fills the arguments of the launches in a list.
func (p *Planner) handedOver(list []launch.Stmt, fills map[ArgKind]launch.Arg) []launch.Stmt {
	var out []launch.Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *launch.Loop:
			s.Body = p.handedOver(s.Body, fills)
		case *launch.Chunks:
			s.Body = p.handedOver(s.Body, fills)
		case *launch.If:
			s.Then, s.Else = p.handedOver(s.Then, fills), p.handedOver(s.Else, fills)
		case *launch.Launch:
			if p.fillHanded(s, fills) {
				out = append(out, &launch.Clear{At: fills[ArgChildCounts].Ref, Bytes: launch.Int(8 * childCounts)})
			}
		}
		out = append(out, s)
	}
	return out
}

// fillHanded fills those arguments of a launch, and reports whether it has any.
func (p *Planner) fillHanded(l *launch.Launch, fills map[ArgKind]launch.Arg) bool {
	hands := false
	for _, word := range p.made.Entries[l.Entry].Takes {
		kind := p.args[word].Kind
		fill, ok := fills[kind]
		if kind == ArgChildShared {
			fill, ok = launch.Arg{X: l.Shared}, true
			if l.Shared == nil {
				fill.X = launch.Int(0)
			}
		}
		if ok {
			hands, fill.Word = true, word
			l.Args = append(l.Args, fill)
		}
	}
	return hands
}
