package several

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// source is what devices have of the source of a kernel.
type source struct {
	of    []any // by device, rows or groups; nil of one that has none
	apart []int // columns of which no two devices have the same value
}

// source cuts the source, where it is a relation.
func (r *run) source() *source {
	src := &source{of: make([]any, len(r.backend.members))}
	scan, ok := r.f.Source.(*kernel.Scan)
	if !ok {
		return src
	}
	switch in := r.inputs[scan.Input].(type) {
	case *groups:
		src.apart = in.apart
		for _, made := range in.made {
			src.of[r.backend.holder(made)] = made
		}
	case runtime.Relation:
		src.of = devices(sqlstate.Must(r.backend.cutFor(r.f, in, r.opts.Exchange)))
		if n, _ := src.on(); n > 1 {
			src.apart = r.backend.apart(in)
		}
	default: // groups of one device
		src.of[r.backend.holder(in)] = in
	}
	return src
}

// on is how many devices have some, and the last of them.
func (s *source) on() (n, at int) {
	for i, of := range s.of {
		if of != nil {
			n, at = n+1, i
		}
	}
	return n, at
}

// rows is how many rows devices have; of groups that is not known.
func (s *source) rows() (n float64) {
	for _, of := range s.of {
		if rel, ok := of.(runtime.Relation); ok {
			n += float64(rel.Rows())
		}
	}
	return n
}
