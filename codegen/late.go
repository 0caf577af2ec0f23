package codegen

import "github.com/cubeloom/cubeloom/codegen/kernel"

// computeLate moves what a filter does not need behind it, so that it is
// computed for the rows that remain only. Nothing is moved past a probe, which
// can give several rows for one.
func computeLate(b kernel.Block) kernel.Block {
	s := &scheduler{}
	for _, in := range b {
		switch in := in.(type) {
		case *kernel.Filter:
			s.release(in.Cond)
			s.out = append(s.out, in)
		case *kernel.Probe, *kernel.Repeat:
			s.releaseAll()
			s.out = append(s.out, in)
		default:
			s.pending = append(s.pending, in)
		}
	}
	s.releaseAll()
	return s.out
}

// scheduler holds computations back until something needs them.
type scheduler struct {
	out     kernel.Block
	pending kernel.Block // in order of definition
}

func (s *scheduler) releaseAll() {
	s.out = append(s.out, s.pending...)
	s.pending = nil
}

// release emits what value v depends on.
func (s *scheduler) release(v kernel.ValueID) {
	needed := map[kernel.ValueID]bool{v: true}
	wanted := make([]bool, len(s.pending))
	for i := len(s.pending) - 1; i >= 0; i-- {
		one := kernel.Block{s.pending[i]}
		if !needed[kernel.Result(s.pending[i])] {
			continue
		}
		wanted[i] = true
		kernel.VisitBlock(one, func(id *kernel.ValueID) { needed[*id] = true })
	}
	var rest kernel.Block
	for i, in := range s.pending {
		if wanted[i] {
			s.out = append(s.out, in)
		} else {
			rest = append(rest, in)
		}
	}
	s.pending = rest
}
