package value

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

const (
	maxRepeat  = 255 // of a bound in braces
	maxNesting = 500 // of parentheses
)

// parseRegexp reads a pattern with what its own beginning says of the options. A pattern
// that is taken literally has no tree, and is what is left of it.
func parseRegexp(pattern string, o regexpOptions) (*regexpNode, *regexpParser, error) {
	t := &regexpParser{regexpOptions: o, rest: pattern, groups: []*regexpNode{nil}}
	if err := t.director(); err != nil || t.literal {
		return nil, t, err
	}
	tree, err := t.alternatives(0, false)
	if err == nil && t.rest != "" {
		err = errRegexpParentheses()
	}
	return tree, t, err
}

func errRegexpParentheses() error { return errRegexpSyntax("parentheses () not balanced") }

// alternatives reads up to a closing parenthesis or the end.
func (t *regexpParser) alternatives(depth int, inLook bool) (*regexpNode, error) {
	n := &regexpNode{op: regexpAlternatives}
	if depth > maxNesting {
		return nil, errRegexpTooLarge()
	}
	for {
		part, err := t.sequence(depth, inLook)
		if err != nil {
			return nil, err
		}
		n.parts = append(n.parts, part)
		if !t.eat("|") {
			break
		}
	}
	if len(n.parts) == 1 {
		return n.parts[0], nil
	}
	return n, nil
}

func (t *regexpParser) eat(what string) bool {
	after, ok := strings.CutPrefix(t.rest, what)
	if ok {
		t.rest = after
	}
	return ok
}

// skip passes over comments, and over blanks where they do not count.
func (t *regexpParser) skip() {
	for t.rest != "" {
		switch {
		case t.expand && strings.IndexByte(cSpace, t.rest[0]) >= 0:
			t.rest = t.rest[1:]
		case t.expand && t.rest[0] == '#':
			_, t.rest, _ = strings.Cut(t.rest, "\n")
		case strings.HasPrefix(t.rest, "(?#"):
			_, t.rest, _ = strings.Cut(t.rest, ")")
		default:
			return
		}
	}
}

func (t *regexpParser) sequence(depth int, inLook bool) (*regexpNode, error) {
	n := &regexpNode{op: regexpSequence}
	for {
		t.skip()
		if t.rest == "" || t.rest[0] == '|' || t.rest[0] == ')' {
			return n, nil
		}
		part, err := t.atom(depth, inLook)
		if err == nil && part.op != regexpPlace && part.op != regexpLook {
			t.skip()
			part, err = t.quantified(part)
		}
		if err != nil {
			return nil, err
		}
		if t.nodes++; t.nodes > maxPattern || t.classes > maxClasses {
			return nil, errRegexpTooLarge()
		}
		n.parts = append(n.parts, part)
	}
}

// quantified reads what stands behind an atom of how often it is repeated.
func (t *regexpParser) quantified(atom *regexpNode) (*regexpNode, error) {
	n := &regexpNode{op: regexpRepeat, parts: []*regexpNode{atom}, max: regexpEndless, prefers: regexpLonger}
	switch {
	case t.eat("*"):
	case t.eat("+"):
		n.min = 1
	case t.eat("?"):
		n.max = 1
	case t.bound():
		if err := t.bounds(n); err != nil {
			return nil, err
		}
	default:
		return atom, nil
	}
	if t.eat("?") && n.prefers != 0 {
		n.prefers = regexpShorter
	}
	return n, nil
}

// bound reports whether the pattern begins with {, behind which a digit stands.
func (t *regexpParser) bound() bool {
	if !strings.HasPrefix(t.rest, "{") {
		return false
	}
	after := t.rest[1:]
	if t.expand {
		after = strings.TrimLeft(after, cSpace)
	}
	return after != "" && isDigit(after[0])
}

// bounds reads {m}, {m,} or {m,n}.
func (t *regexpParser) bounds(n *regexpNode) error {
	t.rest = t.rest[1:]
	var err error
	if n.min, err = t.count(); err != nil {
		return err
	}
	n.max = n.min
	if t.eat(",") {
		t.skip()
		n.max = regexpEndless
		if t.rest != "" && isDigit(t.rest[0]) {
			if n.max, err = t.count(); err == nil && n.max < n.min {
				err = errRegexpSyntax("invalid repetition count(s)")
			}
		}
	} else {
		n.prefers = 0 // as what is repeated does
	}
	switch {
	case err != nil:
		return err
	case t.rest == "":
		return errRegexpSyntax("braces {} not balanced")
	case !t.eat("}"):
		return errRegexpSyntax("invalid repetition count(s)")
	}
	return nil
}

// count reads a number of repetitions.
func (t *regexpParser) count() (int, error) {
	t.skip()
	n := 0
	for t.rest != "" && isDigit(t.rest[0]) {
		if n = 10*n + int(t.rest[0]-'0'); n > maxRepeat {
			return 0, errRegexpSyntax("invalid repetition count(s)")
		}
		t.rest = t.rest[1:]
		t.skip()
	}
	return n, nil
}

// atom reads what a quantifier may stand behind, or a place.
func (t *regexpParser) atom(depth int, inLook bool) (*regexpNode, error) {
	c := t.rest[0]
	switch {
	case c == '(':
		return t.parentheses(depth, inLook)
	case c == '*' || c == '+' || c == '?' || t.bound():
		return nil, errRegexpQuantifier()
	case c == '^' || c == '$':
		t.rest = t.rest[1:]
		return &regexpNode{op: regexpPlace, kind: c}, nil
	case t.eat("[[:<:]]"):
		return &regexpNode{op: regexpPlace, kind: '<'}, nil
	case t.eat("[[:>:]]"):
		return &regexpNode{op: regexpPlace, kind: '>'}, nil
	case c == '\\' && len(t.rest) > 1:
		if kind := regexpPlaces[t.rest[1]]; kind != 0 {
			t.rest = t.rest[2:]
			return &regexpNode{op: regexpPlace, kind: kind}, nil
		}
		if n := t.backReference(); n != nil {
			return n, t.checkReference(n, inLook)
		}
	}
	t.out.Reset()
	err := t.char(c)
	source := t.out.String()
	if err == nil && c == '[' && strings.Contains(source, "-") {
		if _, wrong := syntax.Parse(source, syntax.Perl); wrong != nil {
			err = errRegexpSyntax("invalid character range")
		}
	}
	return &regexpNode{op: regexpChars, source: source}, err
}

// regexpPlaces are the escapes that are places.
var regexpPlaces = map[byte]byte{'A': 'A', 'Z': 'Z', 'm': '<', 'M': '>', 'y': 'y', 'Y': 'Y'}

// char translates one character or a class of them.
func (t *regexpParser) char(c byte) error {
	switch c {
	case '\\':
		return t.escape(false)
	case '[':
		return t.bracket()
	case '.':
		t.copy(1)
		return nil
	}
	_, n := utf8.DecodeRuneInString(t.rest)
	t.out.WriteString(regexp.QuoteMeta(t.rest[:n]))
	t.rest = t.rest[n:]
	return nil
}

func (t *regexpParser) checkReference(n *regexpNode, inLook bool) error {
	if inLook || n.number >= len(t.groups) || t.groups[n.number] == nil {
		return errRegexpSyntax("invalid backreference number")
	}
	return nil
}

// parentheses reads what begins with one. Those in what looks around do not count.
func (t *regexpParser) parentheses(depth int, inLook bool) (*regexpNode, error) {
	n := &regexpNode{op: regexpGroup}
	switch {
	case t.eat("(?:"):
	case t.eat("(?="):
		n.op, n.kind = regexpLook, '='
	case t.eat("(?!"):
		n.op, n.kind, n.negated = regexpLook, '=', true
	case t.eat("(?<="):
		n.op, n.kind = regexpLook, '<'
	case t.eat("(?<!"):
		n.op, n.kind, n.negated = regexpLook, '<', true
	case strings.HasPrefix(t.rest, "(?"):
		return nil, errRegexpQuantifier()
	default:
		t.rest = t.rest[1:]
		if !inLook {
			n.number = len(t.groups)
			t.groups = append(t.groups, nil)
		}
	}
	inside, err := t.alternatives(depth+1, inLook || n.op == regexpLook)
	if err != nil {
		return nil, err
	}
	if !t.eat(")") {
		return nil, errRegexpParentheses()
	}
	n.parts = []*regexpNode{inside}
	if n.number > 0 {
		t.groups[n.number] = inside
	}
	return n, nil
}
