package value

// findApart finds the first match that begins at a place or behind it, and takes it apart; where
// any will do, which it is and what its parentheses match is left open.
func (r *Regexp) findApart(m *Meter, text string, at int, any bool) []int {
	if r.whole == nil {
		r.whole = makeRegexpTree(r.tree)
	}
	s := &regexpSearch{re: r, m: m, text: text, captures: make([]int, 2*len(r.compiler.groups))}
	for at <= len(text) {
		start, end := s.search(r.program(r.whole), at, any || r.refers || r.whole.flags&treeShorter != 0)
		if start < 0 {
			return nil
		}
		if r.refers {
			end = s.endOf(start)
		} else if s.reset(); !any {
			s.dissect(r.whole, start, end)
		}
		if end >= 0 {
			s.captures[0], s.captures[1] = start, end
			return s.captures
		}
		at = s.behind(start)
		if start == len(text) {
			return nil
		}
	}
	return nil
}

// search finds the longest or the shortest match of those that begin first, from a place on;
// -1 where there is none.
func (s *regexpSearch) search(p *regexpProgram, from int, short bool) (start, end int) {
	start, end = -1, -1
	s.scan(p, from, len(s.text), startsFirst, func(began, ends int, first bool) bool {
		if !short || began != start {
			start, end = began, ends
		}
		return !short || !first
	})
	return start, end
}

// endOf is where a match ends that begins at a place, with what its back references match; -1
// where there is none.
func (s *regexpSearch) endOf(start int) int {
	whole, end := s.re.whole, len(s.text)
	short := whole.flags&treeShorter != 0
	bound := end
	if short {
		bound = start
	}
	for {
		at := s.next(whole, start, bound, end)
		if at < 0 {
			return -1
		}
		s.reset()
		switch {
		case s.dissect(whole, start, at):
			return at
		case short && at == end || !short && at == start:
			return -1
		case short:
			bound = s.behind(at)
		default:
			bound = s.before(at)
		}
	}
}

func (s *regexpSearch) reset() {
	for i := range s.captures {
		s.captures[i] = -1
	}
}
