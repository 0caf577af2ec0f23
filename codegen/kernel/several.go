package kernel

import (
	"fmt"
	"slices"
)

// Several has the rows end in several sinks, so that one scan serves all of them (input dependence,
// section 4.4 of Kernel Weaver). Each branch gives a result of its own, in their order.
type Several struct{ Branches []Branch }

// Branch is a sink and the instructions before it that are its own: they compute and filter,
// and what they define no other branch sees. The sink is a Materialize of all rows in any order,
// or an Aggregate.
type Branch struct {
	Body Block
	Sink Sink
}

func (s *Several) sink(w *fields) {
	w.word("several")
	w.line()
	w.nest(1)
	for i := range s.Branches {
		w.word("branch")
		w.line()
		w.nest(1)
		w.instrs(s.Branches[i].Body)
		s.Branches[i].Sink.sink(w)
		w.nest(-1)
	}
	w.nest(-1)
	w.end()
}

func (v *verifier) several(s *Several) {
	if len(s.Branches) < 2 {
		v.failf("%d branches", len(s.Branches))
	}
	for i := range s.Branches {
		b := &s.Branches[i]
		v.scoped(func() {
			v.branchBody(b.Body)
			switch s := b.Sink.(type) {
			case *Materialize:
				if s.Limit >= 0 || s.Offset > 0 || s.Ordered {
					v.failf("branch %d is to write some of its rows, or in an order", i)
				}
			case *Aggregate:
			default:
				v.failf("branch %d ends in a %T", i, s)
				return
			}
			v.sinkOf(b.Sink)
		})
	}
}

// branchBody checks the instructions of a branch, of which none makes rows or looks some up.
func (v *verifier) branchBody(b Block) {
	for _, in := range b {
		if !Branches(in) {
			v.failf("%T in a branch", in)
		}
	}
	v.block(b)
}

// Branches reports whether an instruction may stand in a branch.
func Branches(in Instr) bool {
	switch in.(type) {
	case *Compute, *If, *Map, *Filter:
		return true
	}
	return false
}

// CloneBlock is a copy of a block of instructions that may stand in a branch.
func CloneBlock(b Block) Block {
	out := make(Block, len(b))
	for i, in := range b {
		switch in := in.(type) {
		case *Compute:
			own := *in
			own.Args = slices.Clone(in.Args)
			out[i] = &own
		case *Filter:
			own := *in
			out[i] = &own
		case *If:
			own := *in
			own.Then, own.Else = CloneBlock(in.Then), CloneBlock(in.Else)
			out[i] = &own
		case *Map:
			own := *in
			own.Body = CloneBlock(in.Body)
			out[i] = &own
		default:
			panic(fmt.Sprintf("kernel: a %T in a branch", in)) // see Branches
		}
	}
	return out
}
