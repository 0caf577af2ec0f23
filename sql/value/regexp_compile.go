package value

import (
	"regexp"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Regexp is a compiled regular expression with its flags. It is for one goroutine.
type Regexp struct {
	all         bool // flag g
	lines, fold bool
	refers      bool // back to parentheses
	compiler    regexpCompiler
	whole       *regexpTree
}

// NewRegexp compiles a pattern with PostgreSQL's flags: i ignores case, c does not, n
// and m make line ends special, s does not, p and w do half of that, x takes no blanks
// and comments, t does, q takes the pattern literally, and g, where it is allowed,
// means all matches. As in PostgreSQL the longest match counts unless the
// pattern asks for short ones.
func NewRegexp(m *Meter, pattern, flags string, global bool) (*Regexp, error) {
	r := &Regexp{}
	var options regexpOptions
	for _, f := range flags {
		switch {
		case f == 'g' && global:
			r.all = true
		case f >= utf8.RuneSelf || !options.set(byte(f)):
			return nil, Errorf(CodeInvalidParameter, "invalid regular expression option: \"%c\"", f)
		}
	}
	if len(pattern) > maxPattern {
		return nil, errRegexpTooLarge()
	}
	tree, parsed, err := parseRegexp(pattern, options)
	if err != nil {
		return nil, err
	}
	if parsed.literal {
		tree = literalRegexp(parsed.rest)
	}
	r.lines, r.fold, r.refers = parsed.lines, parsed.fold, parsed.refers
	r.compiler = regexpCompiler{mode: parsed.mode(), groups: parsed.groups, sets: map[string]*regexpSet{}}
	r.whole = makeRegexpTree(tree)
	if err := sqlstate.Run(func() { r.program(r.whole) }); err != nil {
		return nil, err
	}
	return r, m.Check(patternWork*len(pattern) + r.compiler.size)
}

// literalRegexp is the characters of a text.
func literalRegexp(text string) *regexpNode {
	n := &regexpNode{op: regexpSequence}
	for _, char := range text {
		n.parts = append(n.parts, &regexpNode{op: regexpChars, source: regexp.QuoteMeta(string(char))})
	}
	return n
}

func (r *Regexp) program(t *regexpTree) *regexpProgram {
	if t.program == nil {
		t.program = r.compiler.compile(t.node)
	}
	return t.program
}

// patternWork is what compiling a byte of a pattern costs, in bytes looked at.
const patternWork = 256
