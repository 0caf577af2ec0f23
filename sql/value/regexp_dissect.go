package value

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// longest is the last place up to a limit where a match ends that begins at a place, -1 for none.
func (s *regexpSearch) longest(p *regexpProgram, from, limit int) int {
	last, ok := s.walk(p, false, from, from, limit, false)
	if ok {
		return last
	}
	last = -1
	s.scan(p, from, limit, startsHere, func(_, end int, _ bool) bool {
		last = end
		return true
	})
	return last
}

// shortest is the first place from one on and up to a limit where a match ends that begins at
// a place, -1 for none.
func (s *regexpSearch) shortest(p *regexpProgram, from, least, limit int) int {
	first, ok := s.walk(p, false, from, least, limit, true)
	if ok {
		return first
	}
	first = -1
	s.scan(p, from, limit, startsHere, func(_, end int, _ bool) bool {
		if end < least {
			return true
		}
		first = end
		return false
	})
	return first
}

// next is the place where a match of a part ends that begins at a place, as the part prefers it
// from one place on: the longest up to there, or the shortest from there up to the end.
func (s *regexpSearch) next(t *regexpTree, from, bound, end int) int {
	if t.flags&treeShorter != 0 {
		return s.shortest(s.re.program(t), from, bound, end)
	}
	return s.longest(s.re.program(t), from, bound)
}

// clear forgets what parentheses in a part match.
func (s *regexpSearch) clear(t *regexpTree) {
	if t.flags&treeCaptures == 0 {
		return
	}
	s.m.Must(1)
	if t.capture > 0 {
		s.captures[2*t.capture], s.captures[2*t.capture+1] = -1, -1
	}
	for _, part := range t.parts {
		s.clear(part)
	}
}

// dissect finds what the parentheses of a part match that matches from a place to another, back
// references aside, and reports whether these do.
func (s *regexpSearch) dissect(t *regexpTree, from, to int) bool {
	s.m.Must(1)
	matches := true
	switch t.op {
	case treeInner:
		matches = s.dissect(t.parts[0], from, to)
	case treePair:
		matches = s.pair(t, from, to)
	case treeAlternatives:
		matches = slices.ContainsFunc(t.parts, func(part *regexpTree) bool {
			return s.longest(s.re.program(part), from, to) == to && s.dissect(part, from, to)
		})
	case treeRepeat:
		matches = s.repeat(t, from, to)
	case treeBack:
		matches = s.refersBack(t, from, to)
	}
	if matches && t.capture > 0 {
		s.captures[2*t.capture], s.captures[2*t.capture+1] = from, to
	}
	return matches
}

func (s *regexpSearch) pair(t *regexpTree, from, to int) bool {
	first, second := t.parts[0], t.parts[1]
	short := first.flags&treeShorter != 0
	bound := to
	if short {
		bound = from
	}
	for {
		mid := s.next(first, from, bound, to)
		if mid < 0 {
			return false
		}
		if s.longest(s.re.program(second), mid, to) == to && s.dissect(first, from, mid) && s.dissect(second, mid, to) {
			return true
		}
		switch {
		case short && mid == to || !short && mid == from:
			return false
		case short:
			bound = s.behind(mid)
		default:
			bound = s.before(mid)
		}
		s.clear(t)
	}
}

// refersBack reports whether the text between two places is what parentheses match, as often as it may be.
func (s *regexpSearch) refersBack(t *regexpTree, from, to int) bool {
	start, end := s.captures[2*t.back], s.captures[2*t.back+1]
	switch {
	case start < 0:
		return false
	case start == end:
		return from == to
	case from == to:
		return t.least == 0
	}
	n := 0
	for ; from < to; n++ {
		for at := start; at < end; {
			s.m.Must(1)
			want, wide := utf8.DecodeRuneInString(s.text[at:end])
			have, size := utf8.DecodeRuneInString(s.text[from:to])
			if want != have && (!s.re.fold || size == 0 || unicode.ToLower(want) != unicode.ToLower(have)) {
				return false
			}
			at, from = at+wide, from+size
		}
	}
	return n >= t.least && (n <= t.most || t.most == regexpEndless)
}

// repetitions divides what a repeated part matches into what it matches each time.
type repetitions struct {
	*regexpSearch
	part        *regexpTree
	short       bool
	from, to    int
	least, most int
	ends        []int // where each repetition ends, at first where the first one begins
	verified    int   // so many of them have been taken apart
	bound       int   // where the next end is looked for
	exhausted   bool  // there is no other way to divide it
}

// repeat is dissect of a repeated part. Of an empty text that may be no repetition at all: what
// prefers short matches then is none, and other parts are one if they can.
func (s *regexpSearch) repeat(t *regexpTree, from, to int) bool {
	part := t.parts[0]
	r := &repetitions{
		regexpSearch: s, part: part, short: part.flags&treeShorter != 0, from: from, to: to, least: max(t.least, 1), most: to - from,
	}
	if t.most != regexpEndless {
		r.most = min(r.most, t.most)
	}
	r.most = max(r.most, r.least)
	r.ends = []int{from}
	defer func() { s.m.Shrink(8 * cap(r.ends)) }()
	s.m.MustGrow(8 * cap(r.ends))
	r.begin()
	r.exhausted = r.short && t.least == 0 && from == to
	for !r.exhausted {
		if r.step() && r.verify() {
			return true
		}
	}
	return t.least == 0 && from == to
}

// begin has the next repetition begin where the last one ends.
func (r *repetitions) begin() {
	if r.bound = r.to; r.short {
		r.bound = r.ends[len(r.ends)-1]
	}
}

// idle reports whether repetition number k need not match the empty text at a place, for there to be
// enough of them.
func (r *repetitions) idle(k, at int) bool { return k >= r.least || r.least-k < r.to-at }

// step finds one more end. It reports whether that is the end of the whole, by as many repetitions as
// there may be.
func (r *repetitions) step() bool {
	k := len(r.ends)
	before := r.ends[k-1]
	if r.short && r.bound == before && before != r.to && r.idle(k, before) {
		r.bound = r.behind(before)
	}
	if r.short && k >= r.most {
		r.bound = r.to
	}
	end := r.next(r.part, before, r.bound, r.to)
	if end < 0 {
		r.back()
		return false
	}
	r.push(end)
	r.verified = min(r.verified, k-1)
	switch {
	case end == r.to:
		if k >= r.least {
			return true
		}
		r.back()
	case k >= r.most:
		r.ends = r.ends[:k]
		r.back()
	case !r.short && end == before && r.idle(k, end):
		r.back()
	default:
		r.begin()
	}
	return false
}

func (r *repetitions) push(end int) {
	if len(r.ends) == cap(r.ends) {
		r.m.MustGrow(8 * cap(r.ends))
		ends := make([]int, len(r.ends), 2*cap(r.ends))
		copy(ends, r.ends)
		r.ends = ends
	}
	r.ends = append(r.ends, end)
}

// verify takes the repetitions apart. Where one does not match, it goes back.
func (r *repetitions) verify() bool {
	for i := r.verified + 1; i < len(r.ends); i++ {
		r.clear(r.part)
		if !r.dissect(r.part, r.ends[i-1], r.ends[i]) {
			r.back()
			return false
		}
		r.verified = i
	}
	return true
}

// back looks for another end of the last repetition that may have one, and takes those behind it
// away.
func (r *repetitions) back() {
	for len(r.ends) > 1 {
		k := len(r.ends) - 1
		before, end := r.ends[k-1], r.ends[k]
		r.ends = r.ends[:k]
		switch {
		case r.short && end < r.to:
			r.bound = r.behind(end)
			return
		case !r.short && end > before:
			r.bound = r.before(end)
			if r.bound > before || k < r.least && r.least-k >= r.to-before {
				return
			}
		}
	}
	r.exhausted = true
}
