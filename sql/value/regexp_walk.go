package value

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// walk is the last place up to a limit where a match of a program ends that begins at a place,
// or with anywhere behind it; if it is to be short, the first one from a least place on. It is -1
// for none, and false where the program is not deterministic.
func (s *regexpSearch) walk(p *regexpProgram, anywhere bool, from, least, to int, short bool) (end int, ok bool) {
	d := p.deterministic(anywhere)
	if d == nil {
		return -1, false
	}
	state := s.begin(p, d, from)
	at, paid := from, from
	for end = -1; state > stateNone; {
		next, size := int32(stateUnknown), 1
		if at < len(s.text) && s.text[at] < utf8.RuneSelf {
			next = d.states[state].ascii[s.text[at]]
		}
		if next == stateUnknown {
			next, size = s.follow(p, d, state, at)
		}
		if next&1 != 0 && at >= least {
			if end = at; short {
				break
			}
		}
		if state = next >> 1; at >= to {
			break
		}
		if at += size; at-paid >= meterWork {
			s.m.Must(at - paid)
			paid = at
		}
	}
	s.walked += 1 + at - from
	s.m.Must(1 + at - paid)
	return end, state != stateUnknown
}

// deterministic is the automaton of a program; nil where it would have too many states, or the
// program looks ahead or behind.
func (p *regexpProgram) deterministic(anywhere bool) *regexpStates {
	d := &p.here
	if anywhere {
		d = &p.anywhere
	}
	switch {
	case p.undetermined:
		return nil
	case *d == nil:
		*d = newRegexpStates(anywhere)
	}
	return *d
}

// begin is the state where a search begins.
func (s *regexpSearch) begin(p *regexpProgram, d *regexpStates, at int) int32 {
	state := &d.begin[s.kindBefore(p, at)]
	if *state == stateUnknown {
		*state = s.state(p, d, []int32{0}, at)
	}
	return *state
}

// follow is what a state has for the character at a place, and the length of that.
func (s *regexpSearch) follow(p *regexpProgram, d *regexpStates, state int32, at int) (next int32, size int) {
	char := rune(utf8.RuneSelf)
	if at < len(s.text) {
		char, size = utf8.DecodeRuneInString(s.text[at:])
	}
	known := &d.states[state]
	switch {
	case size == 0 || char < utf8.RuneSelf:
		next = known.ascii[char]
	default:
		next = known.others[char]
	}
	if next != stateUnknown {
		return next, size
	}
	next = s.determine(p, d, state, at, char, size)
	known = &d.states[state]
	switch {
	case size == 0 || char < utf8.RuneSelf:
		known.ascii[char] = next
	case s.re.compiler.states < maxStates/2:
		s.re.compiler.states += 32
		if known.others == nil {
			known.others = map[rune]int32{}
		}
		known.others[char] = next
	}
	return next, size
}

// determine computes what a state has for the character at a place.
func (s *regexpSearch) determine(p *regexpProgram, d *regexpStates, state int32, at int, char rune, size int) int32 {
	now := p.threads()
	defer func() { p.idle = append(p.idle, now) }()
	for _, step := range d.states[state].steps {
		s.enter(p, now, regexpThread{step: step}, at)
	}
	if d.anywhere {
		s.enter(p, now, regexpThread{}, at)
	}
	s.m.Must(1 + len(now.list))
	match, next := int32(0), int32(stateNone)
	if _, ok := now.find(int32(len(p.steps) - 1)); ok {
		match = 1
	}
	if size > 0 {
		var steps []int32
		for _, t := range now.list {
			if step := &p.steps[t.step]; step.op == stepChar && step.set.has(char) {
				steps = append(steps, step.next)
			}
		}
		if next = s.state(p, d, steps, at+size); next == stateUnknown {
			return stateUnknown
		}
	}
	return 2*next + match
}

// state is the number of the state with these steps before a place.
func (s *regexpSearch) state(p *regexpProgram, d *regexpStates, steps []int32, at int) int32 {
	if len(steps) == 0 && !d.anywhere {
		return stateNone
	}
	slices.Sort(steps)
	steps = slices.Compact(steps)
	key := []byte{s.kindBefore(p, at)}
	for _, step := range steps {
		key = binary.NativeEndian.AppendUint32(key, uint32(step))
	}
	if n, ok := d.numbers[string(key)]; ok {
		return n
	}
	if s.re.compiler.states += 1024 + 4*len(key); s.re.compiler.states > maxStates {
		p.undetermined = true
		return stateUnknown
	}
	n := int32(len(d.states))
	d.states = append(d.states, regexpState{steps: steps})
	d.numbers[string(key)] = n
	return n
}

// kindBefore is of what kind the character before a place is, where the program asks for places.
func (s *regexpSearch) kindBefore(p *regexpProgram, at int) byte {
	switch {
	case !p.places:
		return beforeOther
	case at == 0:
		return beforeStart
	case s.text[at-1] == '\n':
		return beforeLine
	}
	if char, _ := utf8.DecodeLastRuneInString(s.text[:at]); s.re.compiler.words().has(char) {
		return beforeWord
	}
	return beforeOther
}
