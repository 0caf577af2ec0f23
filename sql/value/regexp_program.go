package value

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// regexpProgram finds what a part of a regular expression matches, as a nondeterministic
// automaton. A back reference matches there what its parentheses may.
type regexpProgram struct {
	steps []regexpStep // the last one is the end of a match
	first *regexpSet   // what a match may begin with, nil where it may be empty
	idle  []*regexpThreads

	places         bool          // some steps ask for places
	undetermined   bool          // it has no states
	here, anywhere *regexpStates // for matches that begin where a search does, or behind it, once they are needed
}

type regexpStep struct {
	op          regexpStepOp
	place       byte
	next, other int32 // where it goes on, and at a fork where else
	set         *regexpSet
	look        *regexpLookup
}

type regexpStepOp uint8

const (
	stepEnd regexpStepOp = iota
	stepChar
	stepFork
	stepPlace
	stepLook
)

// regexpLookup is what must match before or behind a place, or must not.
type regexpLookup struct {
	program         *regexpProgram
	behind, negated bool
	width           int // of what is looked for behind, in characters; regexpEndless without a bound
}

// maxSteps bounds the programs of a pattern, in all.
const maxSteps = 200_000

// regexpCompiler makes the programs of a pattern.
type regexpCompiler struct {
	mode   string
	groups []*regexpNode // by number
	sets   map[string]*regexpSet
	word   *regexpSet // the characters of words, once they are needed
	size   int
	states int // bytes that states of the programs take
}

func (c *regexpCompiler) words() *regexpSet {
	if c.word == nil {
		c.word = c.set("[" + regexpClasses["word"] + "]")
	}
	return c.word
}

func (c *regexpCompiler) compile(n *regexpNode) *regexpProgram {
	w := &programWriter{regexpCompiler: c, p: &regexpProgram{}}
	w.write(n)
	w.emit(regexpStep{})
	w.p.first = w.p.beginning()
	return w.p
}

// programWriter writes one program, step by step: each goes on with the one behind it.
type programWriter struct {
	*regexpCompiler
	p    *regexpProgram
	back bool // within a back reference, which asks for no places
}

func (w *programWriter) emit(s regexpStep) int {
	if w.size++; w.size > maxSteps {
		panic(errRegexpTooLarge())
	}
	s.next = int32(len(w.p.steps)) + 1
	w.p.steps = append(w.p.steps, s)
	return len(w.p.steps) - 1
}

func (w *programWriter) write(n *regexpNode) {
	switch n.op {
	case regexpChars:
		w.emit(regexpStep{op: stepChar, set: w.set(n.source)})
	case regexpPlace:
		if !w.back {
			w.p.places = true
			w.emit(regexpStep{op: stepPlace, place: n.kind})
		}
	case regexpLook:
		if !w.back {
			look := &regexpLookup{program: w.compile(n.parts[0]), behind: n.kind == '<', negated: n.negated, width: n.parts[0].width()}
			w.p.undetermined = true
			w.emit(regexpStep{op: stepLook, look: look})
		}
	case regexpSequence:
		for _, part := range n.parts {
			w.write(part)
		}
	case regexpAlternatives:
		w.alternatives(n.parts)
	case regexpRepeat:
		w.repeat(n)
	case regexpGroup:
		w.write(n.parts[0])
	case regexpBack:
		outer := w.back
		w.back = true
		w.write(w.groups[n.number])
		w.back = outer
	}
}

func (w *programWriter) alternatives(parts []*regexpNode) {
	var ends []int
	for i, part := range parts {
		if i+1 == len(parts) {
			w.write(part)
			break
		}
		fork := w.emit(regexpStep{op: stepFork, other: -1})
		w.write(part)
		ends = append(ends, w.emit(regexpStep{op: stepFork, other: -1}))
		w.p.steps[fork].other = int32(len(w.p.steps))
	}
	for _, end := range ends {
		w.p.steps[end].next = int32(len(w.p.steps))
	}
}

func (w *programWriter) repeat(n *regexpNode) {
	part := n.parts[0]
	for range n.min {
		w.write(part)
	}
	if n.max == regexpEndless {
		fork := w.emit(regexpStep{op: stepFork})
		w.write(part)
		again := w.emit(regexpStep{op: stepFork, other: -1})
		w.p.steps[again].next = int32(fork)
		w.p.steps[fork].other = int32(len(w.p.steps))
		return
	}
	var forks []int
	for range n.max - n.min {
		forks = append(forks, w.emit(regexpStep{op: stepFork}))
		w.write(part)
	}
	for _, fork := range forks {
		w.p.steps[fork].other = int32(len(w.p.steps))
	}
}

// beginning is the characters that a match may begin with; nil where it may be empty.
func (p *regexpProgram) beginning() *regexpSet {
	seen := make([]bool, len(p.steps))
	todo := []int32{0}
	set := &regexpSet{}
	for len(todo) > 0 {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if pc < 0 || seen[pc] {
			continue
		}
		seen[pc] = true
		switch s := &p.steps[pc]; s.op {
		case stepEnd:
			return nil
		case stepChar:
			set.add(s.set)
		case stepFork:
			todo = append(todo, s.next, s.other)
		default:
			todo = append(todo, s.next)
		}
	}
	return set
}

// regexpSet is a set of characters.
type regexpSet struct {
	ascii  [utf8.RuneSelf]bool
	others bool   // characters beyond ASCII, which are
	ranges []rune // in these, the first and the last one of each, ascending; in any without
}

// add adds what is in another set, all others beyond ASCII if it has one of them.
func (s *regexpSet) add(t *regexpSet) {
	for c, has := range t.ascii {
		s.ascii[c] = s.ascii[c] || has
	}
	s.others = s.others || t.others
}

func (s *regexpSet) has(c rune) bool {
	if c < utf8.RuneSelf {
		return s.ascii[c]
	}
	if !s.others || s.ranges == nil {
		return s.others
	}
	i, _ := slices.BinarySearchFunc(s.ranges, c, func(a, b rune) int { return int(a) - int(b) })
	return i < len(s.ranges) && (s.ranges[i] == c || i%2 == 1)
}

// set is the set of what a part matches that is one character.
func (c *regexpCompiler) set(source string) *regexpSet {
	if found := c.sets[source]; found != nil {
		return found
	}
	re, err := syntax.Parse(c.mode+source, syntax.Perl)
	if err != nil {
		panic(errRegexpTooLarge())
	}
	s := &regexpSet{}
	switch re.Op {
	case syntax.OpAnyChar:
		s.ranges = []rune{0, unicode.MaxRune}
	case syntax.OpAnyCharNotNL:
		s.ranges = []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case syntax.OpCharClass:
		s.ranges = re.Rune
	case syntax.OpLiteral:
		char := re.Rune[0]
		s.ranges = []rune{char, char}
		for f := unicode.SimpleFold(char); re.Flags&syntax.FoldCase != 0 && f != char; f = unicode.SimpleFold(f) {
			s.ranges = append(s.ranges, f, f)
		}
		slices.Sort(s.ranges)
	}
	s.others = len(s.ranges) > 0 && s.ranges[len(s.ranges)-1] >= utf8.RuneSelf
	for i := 0; i < len(s.ranges); i += 2 {
		for char := s.ranges[i]; char <= min(s.ranges[i+1], utf8.RuneSelf-1); char++ {
			s.ascii[char] = true
		}
	}
	c.sets[source] = s
	return s
}

// regexpThreads are the states that an automaton is in at a place, each with where its
// match began, the earliest first.
type regexpThreads struct {
	list  []regexpThread
	index []int32 // by step, its place in the list
}

type regexpThread struct {
	step  int32
	start int
}

func (t *regexpThreads) find(step int32) (regexpThread, bool) {
	if i := t.index[step]; int(i) < len(t.list) && t.list[i].step == step {
		return t.list[i], true
	}
	return regexpThread{}, false
}

// threads takes an empty list of a program's threads.
func (p *regexpProgram) threads() *regexpThreads {
	if n := len(p.idle); n > 0 {
		t := p.idle[n-1]
		p.idle = p.idle[:n-1]
		t.list = t.list[:0]
		return t
	}
	return &regexpThreads{index: make([]int32, len(p.steps))}
}
