// Package tune finds the fastest of many configurations while they do useful work, by
// Algorithm 1 of Rosenfeld et al. (Performance Analysis and Automatic Tuning of Hash
// Aggregation on GPUs, DaMoN 2019). Work comes in blocks, each of which may be done with
// another configuration. It knows nothing of what a configuration is.
package tune

// New begins a search at some configurations, one for each part of the space that others
// do not lead to. Neighbors names those that lie beside a configuration, in the order in
// which they are tried. It is called once or more for each configuration and always
// returns the same.
func New[C comparable](neighbors func(C) []C, starts []C, opts Options) *Search[C] {
	s := &Search[C]{neighbors: neighbors, opts: opts, times: make(map[C]float64)}
	seen := make(map[C]bool)
	for _, c := range starts {
		if !seen[c] {
			s.starts = append(s.starts, c)
		}
		seen[c] = true
	}
	if len(starts) > 0 {
		s.best = starts[0]
	}
	s.advance()
	return s
}

// Next returns the configuration of the next block: one whose time is not known yet, or
// the fastest when the search has ended.
func (s *Search[C]) Next() C {
	if s.done {
		return s.best
	}
	return s.trying
}

// Certain returns up to n configurations that are measured whatever those before them take: that
// of Next, and starts that follow it.
func (s *Search[C]) Certain(n int) []C {
	if s.done {
		return nil
	}
	list := []C{s.trying}
	return append(list, s.starts[:min(n-1, len(s.starts))]...)
}

// Done reports whether the search has ended.
func (s *Search[C]) Done() bool { return s.done }

// Ahead returns how many blocks are done with the configuration of Next in any case,
// before another may follow: their times may come together.
func (s *Search[C]) Ahead() int {
	switch {
	case s.done:
		return 1
	case len(s.window) == 0 && s.opts.Doubt > 0 && len(s.times) > 0:
		return 1
	case len(s.window) < Window:
		return min(Window-len(s.window), max(s.opts.MaxBlocks-s.taken, 1))
	}
	return 1
}

// Took notes how long a block took with the configuration of Next, in any unit. +Inf is
// of one that cannot be.
func (s *Search[C]) Took(t float64) {
	if s.done {
		return
	}
	s.blocks++
	s.spent += t
	s.taken++
	if len(s.window) == Window {
		s.window = append(s.window[:0], s.window[1:]...)
	}
	s.window = append(s.window, t)
	if s.taken <= Window {
		s.first = append(s.first, t)
	}
	if mean, ok := s.measured(); ok {
		s.settle(s.trying, mean)
		s.advance()
	}
}

// Best returns the fastest configuration so far, and its time; 0 where none was measured.
func (s *Search[C]) Best() (c C, time float64) { return s.best, s.times[s.best] }

// Effort returns how many blocks the search has taken so far, for how many
// configurations, and how long they took.
func (s *Search[C]) Effort() (blocks, configurations int, time float64) {
	return s.blocks, len(s.times), s.spent
}

// Time returns the time of a configuration, where it was measured.
func (s *Search[C]) Time(c C) (time float64, measured bool) {
	time, measured = s.times[c]
	return time, measured
}
