package ordered

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// part is one worker's part.
type part struct {
	plan    *group.Grouping
	w       *exec.Worker
	series  []*series
	ends    []int32 // of the runs at hand
	starts  []int32 // of those that begin at hand
	rows    []int32
	numbers []uint32
	ints    []int64
	buf     vector.ViewBuffer
}

// series is the runs of morsels that a worker has taken in their order. A worker that
// helps others with morsels before its last one begins another.
type series struct {
	*group.Groups
	keys      []int64 // by run
	stretches []stretch
}

// stretch is the runs of a morsel: first … end−1 of the series. The first may have begun
// in a morsel before.
type stretch struct {
	series     *series
	morsel     int64
	first, end int
}

// Add implements group.Part.
func (p *part) Add(n int, views []vector.View) {
	s := p.take()
	key := &views[p.plan.Keys[p.plan.Order.By]]
	p.ends = runEnds(vector.Room(&p.ends, n+1), key)
	had := len(s.keys)
	first := p.begin(s, key)
	if here := &s.stretches[len(s.stretches)-1]; here.end == 0 {
		here.first, here.end = first, len(s.keys)
	} else {
		here.end = len(s.keys)
	}
	for _, k := range p.plan.Order.Others {
		p.keep(s, k, had, &views[k.Operand])
	}
	s.AddRuns(first, p.ends, n, views)
}

// take returns the series that takes the rows at hand, with a stretch for their morsel.
func (p *part) take() *series {
	var s *series
	if n := len(p.series); n > 0 {
		s = p.series[n-1]
		switch last := s.stretches[len(s.stretches)-1].morsel; {
		case last == p.w.Morsel:
			return s
		case last > p.w.Morsel:
			s = nil
		}
	}
	if s == nil {
		g := p.plan.NewGroups(0)
		s = &series{Groups: g}
		p.series = append(p.series, s)
	}
	s.stretches = append(s.stretches, stretch{series: s, morsel: p.w.Morsel})
	return s
}

// begin numbers the runs of the rows at hand, and returns the number of the first.
func (p *part) begin(s *series, key *vector.View) (first int) {
	had := len(s.keys)
	first = had
	p.starts = p.starts[:0]
	if had > 0 && s.keys[had-1] == key.IntAt(0) {
		first--
	} else {
		p.starts = append(p.starts, 0)
	}
	p.starts = append(p.starts, p.ends[:len(p.ends)-1]...)
	s.keys = exec.Grown(&p.plan.Run.Mem, s.keys, had+len(p.starts))
	picked := key.Pick(p.starts, &p.buf)
	copy(s.keys[had:], picked.Ints(vector.Room(&p.ints, picked.N)))
	s.Reserve(len(s.keys))
	return first
}

// keep keeps another key of the runs that have begun, from had on.
func (p *part) keep(s *series, k group.OtherKey, had int, v *vector.View) {
	p.rows, p.numbers = p.rows[:0], p.numbers[:0]
	for i, r := range p.starts {
		if v.Null == nil || v.Null[r] == 0 {
			p.rows, p.numbers = append(p.rows, r), append(p.numbers, uint32(had+i))
		}
	}
	if len(p.rows) == 0 {
		return
	}
	picked := v.Pick(p.rows, &p.buf)
	picked.Null = nil
	s.AddTo(k.Spec, p.numbers, &picked)
}
