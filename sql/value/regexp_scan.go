package value

import "unicode/utf8"

// regexpSearch searches one text.
type regexpSearch struct {
	re       *Regexp
	m        *Meter
	text     string
	captures []int // where parentheses match, by number: from, to; -1 where they do not
	walked   int   // characters that were read by states
}

// regexpStarts is where the matches that a scan finds begin.
type regexpStarts uint8

const (
	startsHere     regexpStarts = iota // where it begins
	startsFirst                        // there or behind it, but no later than matches that are found
	startsAnywhere                     // there or behind it, wherever
)

// scan finds where matches end that begin at a place, or behind it, up to another place.
// It tells of each end where the match began, and whether none may follow that began
// earlier; false ends the scan.
func (s *regexpSearch) scan(p *regexpProgram, from, to int, starts regexpStarts, found func(start, end int, first bool) bool) {
	now, next := p.threads(), p.threads()
	defer func() { p.idle = append(p.idle, now, next) }()
	last := int32(len(p.steps) - 1)
	for at := from; ; {
		if starts != startsHere && len(now.list) == 0 && p.first != nil {
			at = s.skip(p.first, at, to)
		}
		switch {
		case starts == startsAnywhere || at == from:
			s.enter(p, now, regexpThread{0, from}, at)
		case starts == startsFirst:
			s.enter(p, now, regexpThread{0, at}, at)
		}
		if end, ok := now.find(last); ok {
			if !found(end.start, at, now.list[0].start == end.start) {
				return
			}
			if starts == startsFirst {
				starts = startsHere
			}
			for now.list[len(now.list)-1].start > end.start {
				now.list = now.list[:len(now.list)-1]
			}
		}
		s.m.Must(1 + len(now.list))
		if at >= to || len(now.list) == 0 && starts == startsHere {
			return
		}
		char, size := utf8.DecodeRuneInString(s.text[at:])
		at += size
		next.list = next.list[:0]
		for _, t := range now.list {
			if step := &p.steps[t.step]; step.op == stepChar && step.set.has(char) {
				s.enter(p, next, regexpThread{step.next, t.start}, at)
			}
		}
		now, next = next, now
	}
}

// skip passes over characters that no match begins with.
func (s *regexpSearch) skip(first *regexpSet, at, to int) int {
	from := at
	for at < to {
		c := s.text[at]
		if c < utf8.RuneSelf && first.ascii[c] || c >= utf8.RuneSelf && first.others {
			break
		}
		if at++; at-from == meterWork {
			s.m.Must(at - from)
			from = at
		}
	}
	s.m.Must(at - from)
	return at
}

// enter adds a thread, and those that it becomes without a character.
func (s *regexpSearch) enter(p *regexpProgram, to *regexpThreads, t regexpThread, at int) {
	for t.step >= 0 {
		if _, ok := to.find(t.step); ok {
			return
		}
		to.index[t.step] = int32(len(to.list))
		to.list = append(to.list, t)
		step := &p.steps[t.step]
		switch step.op {
		case stepEnd, stepChar:
			return
		case stepFork:
			s.enter(p, to, regexpThread{step.other, t.start}, at)
		case stepPlace:
			if !s.holds(step.place, at) {
				return
			}
		case stepLook:
			if s.looks(step.look, at) == step.look.negated {
				return
			}
		}
		t.step = step.next
	}
}

// looks reports whether a match ends at a place, or where it does not look behind, begins there.
func (s *regexpSearch) looks(l *regexpLookup, at int) (found bool) {
	if !l.behind {
		s.scan(l.program, at, len(s.text), startsHere, func(int, int, bool) bool {
			found = true
			return false
		})
		return found
	}
	from := 0
	if l.width != regexpEndless {
		from = at
		for range l.width {
			from = s.before(from)
		}
	}
	s.scan(l.program, from, at, startsAnywhere, func(_, end int, _ bool) bool {
		found = end == at
		return true
	})
	return found
}

// before is the place one character before another, or the start of the text.
func (s *regexpSearch) before(at int) int {
	_, size := utf8.DecodeLastRuneInString(s.text[:at])
	return at - size
}

// behind is the place one character behind another.
func (s *regexpSearch) behind(at int) int {
	_, size := utf8.DecodeRuneInString(s.text[at:])
	return at + size
}

// holds reports whether a place is of a kind.
func (s *regexpSearch) holds(kind byte, at int) bool {
	switch kind {
	case '^':
		return at == 0 || s.re.lines && s.text[at-1] == '\n'
	case '$':
		return at == len(s.text) || s.re.lines && s.text[at] == '\n'
	case 'A':
		return at == 0
	case 'Z':
		return at == len(s.text)
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	char, _ := utf8.DecodeRuneInString(s.text[at:])
	words := s.re.compiler.words()
	in, out := at > 0 && words.has(before), at < len(s.text) && words.has(char)
	switch kind {
	case '<':
		return !in && out
	case '>':
		return in && !out
	case 'y':
		return in != out
	}
	return in == out
}
