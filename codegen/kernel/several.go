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

// Alone is the kernel with one branch as if there were no others.
func (s *Several) Alone(f *Func, branch int) *Func {
	g, b := *f, s.Branches[branch]
	g.Body, g.Sink = append(f.Body[:len(f.Body):len(f.Body)], b.Body...), b.Sink
	return &g
}

// Blocks are the body of the kernel and those of its branches.
func (f *Func) Blocks() []Block {
	blocks := []Block{f.Body}
	if s, ok := f.Sink.(*Several); ok {
		for i := range s.Branches {
			blocks = append(blocks, s.Branches[i].Body)
		}
	}
	return blocks
}

// Instructions are those of all Blocks, each before those within it.
func (f *Func) Instructions() (all []Instr) {
	for _, b := range f.Blocks() {
		all = append(all, Instructions(b)...)
	}
	return all
}

func (s *Several) sink(w *fields) {
	w.word("several")
	w.line()
	w.nest(1)
	list(w, &s.Branches, is("branch"), func(b *Branch) {
		w.word("branch")
		w.line()
		w.nest(1)
		w.instrs(&b.Body)
		w.sink(&b.Sink)
		w.nest(-1)
	})
	w.nest(-1)
	w.end()
}

// Branches reports whether an instruction may stand in a branch.
func Branches(in Instr) bool {
	switch in.(type) {
	case *Compute, *If, *Map, *Filter:
		return true
	}
	return false
}

// CloneBlock is a copy of a block of instructions.
func CloneBlock(b Block) Block {
	if b == nil {
		return nil
	}
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
		case *Probe:
			own := *in
			own.Keys, own.Payload, own.Residual = slices.Clone(in.Keys), slices.Clone(in.Payload), CloneBlock(in.Residual)
			out[i] = &own
		case *Repeat:
			own := *in
			out[i] = &own
		default:
			panic(fmt.Sprintf("kernel: there is no copy of a %T", in)) // all are there
		}
	}
	return out
}
