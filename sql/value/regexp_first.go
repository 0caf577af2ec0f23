package value

// find finds the first match that begins at a place or behind it, and takes it apart.
func (r *Regexp) find(m *Meter, text string, at int) []int {
	s := &regexpSearch{re: r, m: m, text: text, captures: make([]int, 2*len(r.compiler.groups))}
	for at <= len(text) {
		start, end := s.search(r.program(r.whole), at, r.refers || r.whole.flags&treeShorter != 0)
		if start < 0 {
			return nil
		}
		if r.refers {
			end = s.endOf(start)
		} else {
			s.reset()
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
	if start, end, ok := s.try(p, from, short); ok {
		return start, end
	}
	if end, ok := s.walk(p, true, from, from, len(s.text), true); ok && end < 0 {
		return -1, -1
	}
	return s.scanFirst(p, from, short)
}

// try is search that looks for a match at one place after the other; false where that takes much longer
// than to read the text.
func (s *regexpSearch) try(p *regexpProgram, from int, short bool) (start, end int, ok bool) {
	const most = 2 // times that the text is read
	for s.walked = 0; s.walked <= most*(1+len(s.text)-from); from = s.behind(from) {
		if p.first != nil {
			from = s.skip(p.first, from, len(s.text))
		}
		switch end, ok = s.walk(p, false, from, from, len(s.text), short); {
		case !ok || end >= 0:
			return from, end, ok
		case from == len(s.text):
			return -1, -1, true
		}
	}
	return -1, -1, false
}

// scanFirst is search by threads that go on from all places together.
func (s *regexpSearch) scanFirst(p *regexpProgram, from int, short bool) (start, end int) {
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
