package launch

import (
	"fmt"
	"slices"
)

type verifier struct {
	plan   *Plan
	at     string // the statement at hand
	pieces bool   // within Pieces
	err    error  // the first defect
}

func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("launch plan %s is malformed: %s%s", v.plan.Name, v.at, fmt.Sprintf(format, args...))
	}
}

// state is what is known at a place of a plan, whichever way leads there.
type state struct {
	alive   []bool   // by buffer
	written [][]bool // by buffer and part
	set     []bool   // by variable
}

func newState(p *Plan) *state {
	s := &state{alive: make([]bool, len(p.Buffers)), written: make([][]bool, len(p.Buffers)), set: make([]bool, len(p.Vars))}
	for i := range p.Buffers {
		s.written[i] = make([]bool, max(p.Buffers[i].Parts, 0))
	}
	return s
}

func (s *state) clone() *state {
	c := &state{alive: slices.Clone(s.alive), set: slices.Clone(s.set), written: make([][]bool, len(s.written))}
	for i := range s.written {
		c.written[i] = slices.Clone(s.written[i])
	}
	return c
}

func (s *state) equal(o *state) bool {
	return slices.Equal(s.alive, o.alive) && slices.Equal(s.set, o.set) &&
		slices.EqualFunc(s.written, o.written, func(x, y []bool) bool { return slices.Equal(x, y) })
}

// join leaves what is known on both ways. A buffer is allocated on both or on none.
func (v *verifier) join(s, o *state, where string) {
	for i := range s.alive {
		if s.alive[i] != o.alive[i] {
			v.failf("buffer %s is allocated on one way only through %s", v.bufferName(i), where)
		}
		for k := range s.written[i] {
			s.written[i][k] = s.written[i][k] && o.written[i][k]
		}
	}
	for i := range s.set {
		s.set[i] = s.set[i] && o.set[i]
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
