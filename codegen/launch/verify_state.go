package launch

import (
	"fmt"
	"slices"
)

type verifier struct {
	plan   *Plan
	at     string // the statement at hand
	chunks bool   // within Chunks
	err    error  // the first defect

	elements map[partOf]int      // bytes of an element, of what pointers have pointed to
	steps    map[*Let]interval   // by how much a variable grows or shrinks: see step
	ends     map[*Until]interval // what untils wait for
}

// partOf is a part of a buffer.
type partOf struct{ buffer, part int }

func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("launch plan %s is malformed: %s%s", v.plan.Name, v.at, fmt.Sprintf(format, args...))
	}
}

// state is what is known at a place of a plan, whichever way leads there.
type state struct {
	alive   []bool       // by buffer
	written [][]bool     // by buffer and part
	set     []bool       // by variable
	lies    []interval   // by variable: where its value does
	sizes   [][]interval // by buffer and part, in bytes
}

func newState(p *Plan) *state {
	s := &state{
		alive: make([]bool, len(p.Buffers)), written: make([][]bool, len(p.Buffers)), sizes: make([][]interval, len(p.Buffers)),
		set: make([]bool, len(p.Vars)), lies: make([]interval, len(p.Vars)),
	}
	for i := range p.Buffers {
		s.written[i] = make([]bool, max(p.Buffers[i].Parts, 0))
		s.sizes[i] = slices.Repeat([]interval{natural}, len(s.written[i]))
	}
	return s
}

func (s *state) clone() *state {
	c := &state{
		alive: slices.Clone(s.alive), set: slices.Clone(s.set), lies: slices.Clone(s.lies),
		written: make([][]bool, len(s.written)), sizes: make([][]interval, len(s.sizes)),
	}
	for i := range s.written {
		c.written[i], c.sizes[i] = slices.Clone(s.written[i]), slices.Clone(s.sizes[i])
	}
	return c
}

func (s *state) equal(o *state) bool {
	return slices.Equal(s.alive, o.alive) && slices.Equal(s.set, o.set) && slices.Equal(s.lies, o.lies) &&
		slices.EqualFunc(s.written, o.written, slices.Equal) && slices.EqualFunc(s.sizes, o.sizes, slices.Equal)
}

// widen has what has grown since before, in an iteration of a loop, lie anywhere on that side,
// so that the iterations that have to be looked at are few.
func (s *state) widen(before *state) {
	for i := range s.lies {
		s.lies[i] = s.lies[i].widened(before.lies[i])
	}
	for i := range s.sizes {
		for k := range s.sizes[i] {
			s.sizes[i][k] = s.sizes[i][k].widened(before.sizes[i][k])
		}
	}
}

// join leaves what is known on both ways. A buffer is allocated on both or on none.
func (v *verifier) join(s, o *state, where string) {
	for i := range s.alive {
		if s.alive[i] != o.alive[i] {
			v.failf("buffer %s is allocated on one way only through %s", v.bufferName(i), where)
		}
		for k := range s.written[i] {
			s.written[i][k] = s.written[i][k] && o.written[i][k]
			s.sizes[i][k] = s.sizes[i][k].hull(o.sizes[i][k])
		}
	}
	for i := range s.set {
		s.set[i] = s.set[i] && o.set[i]
		s.lies[i] = s.lies[i].hull(o.lies[i])
	}
}

func (v *verifier) bufferName(b int) string {
	if b < 0 || b >= len(v.plan.Buffers) {
		return "?"
	}
	return v.plan.Buffers[b].Name
}

func (v *verifier) varName(x int) string {
	if x < 0 || x >= len(v.plan.Vars) {
		return "?"
	}
	return v.plan.Vars[x].Name
}
