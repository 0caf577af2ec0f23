package tune

import (
	"math"
	"slices"
)

// advance goes on until a configuration is to be measured, or nothing is left.
func (s *Search[C]) advance() {
	s.window, s.first, s.taken = s.window[:0], s.first[:0], 0
	if s.start = len(s.starts) > 0; s.start {
		s.trying, s.starts = s.starts[0], s.starts[1:]
		return
	}
	for len(s.queue) > 0 {
		s.from = s.queue[0]
		if s.times[s.from] <= s.opts.Prune*s.times[s.best] {
			if next, ok := s.untested(s.from); ok {
				s.trying = next
				return
			}
		}
		s.queue = s.queue[1:] // slow, or a minimum
	}
	s.done = true
}

// untested returns the first neighbor that was not measured.
func (s *Search[C]) untested(of C) (next C, ok bool) {
	for _, c := range s.neighbors(of) {
		if _, tested := s.times[c]; !tested {
			return c, true
		}
	}
	return next, false
}

// settle notes the time of a configuration, and from where the search goes on. The queue
// is first in, first out: what is alike waits until the minimum of the path is found.
func (s *Search[C]) settle(c C, time float64) {
	first := len(s.times) == 0
	s.times[c] = time
	switch {
	case s.start || s.alike(s.times[s.from], time):
		s.queue = append(s.queue, c)
	case time < s.times[s.from]:
		s.queue[0] = c
	}
	if first || time < s.times[s.best] {
		s.best = c
		s.bestFirst = slices.Clone(s.first)
	}
}

// alike reports whether the second of two times lies within the range of the first.
func (s *Search[C]) alike(a, b float64) bool {
	return !math.IsInf(a, 0) && (1-s.opts.Similarity)*a <= b && b <= (1+s.opts.Similarity)*a
}

// measured returns the mean of the window where its blocks took about the same, or no
// more are to be had: the first of them is dropped otherwise.
func (s *Search[C]) measured() (mean float64, ok bool) {
	if t := s.window[len(s.window)-1]; math.IsInf(t, 1) {
		return t, true // no other block is lost on it
	}
	if s.isClear() {
		return s.mean(), true
	}
	last := s.taken >= max(s.opts.MaxBlocks, 1)
	if len(s.window) < Window && !last {
		return 0, false
	}
	mean = s.mean()
	return mean, last || slices.Max(s.window)-slices.Min(s.window) <= s.opts.MaxVariation*mean
}

// mean is that of the window.
func (s *Search[C]) mean() float64 {
	sum := 0.0
	for _, t := range s.window {
		sum += t
	}
	return sum / float64(len(s.window))
}

// isClear reports whether no more blocks are measured of a configuration: all of them were slower than those in
// their place of the fastest one, and after a block alone whether it is gone on from is not in doubt.
func (s *Search[C]) isClear() bool {
	if s.opts.Doubt == 0 || len(s.times) == 0 || s.taken >= Window {
		return false
	}
	mean, best := s.mean(), s.times[s.best]
	if mean <= best {
		return false
	}
	for i, t := range s.window {
		if t <= s.bestFirst[i] {
			return false
		}
	}
	return s.taken > 1 || math.Abs(mean/(s.opts.Prune*best)-1) > s.opts.Doubt
}
