package value

import (
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Regexp is a compiled regular expression with its flags. Package regexp finds what it can
// find as PostgreSQL does, and a regexpSearch the rest. It is for one goroutine.
type Regexp struct {
	all         bool // flag g
	lines, fold bool

	tree     *regexpNode // nil where the pattern is taken literally
	apart    bool        // a regexpSearch finds matches
	refers   bool        // back to parentheses
	compiler regexpCompiler
	whole    *regexpTree // once it is needed

	re     *regexp.Regexp // nil where package regexp has no such expression
	source string         // what was compiled, with its flags
	size   int            // of its automaton, once it is known
	behind *regexp.Regexp // finds it behind one character, once it is needed
	reader regexpReader
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
	r.lines, r.fold = parsed.lines, parsed.fold
	r.compiler = regexpCompiler{mode: parsed.mode(), groups: parsed.groups, sets: map[string]*regexpSet{}}
	if tree == nil {
		r.source = parsed.mode() + regexp.QuoteMeta(parsed.rest)
	} else {
		var out strings.Builder
		tree.write(&out)
		r.source = parsed.mode() + out.String()
		r.tree, r.refers, r.apart = tree, parsed.refers, parsed.apart()
	}
	if !parsed.beyond {
		if err := r.compile(); err != nil {
			return nil, err
		}
	}
	return r, m.Check(patternWork * len(pattern))
}

// compile compiles the expression for package regexp.
func (r *Regexp) compile() error {
	if len(r.source) > maxPattern || strings.Contains(r.source, "{") && r.automaton() > maxAutomaton {
		return errRegexpTooLarge()
	}
	re, err := regexp.Compile(r.source)
	if err != nil {
		return errRegexpTooLarge()
	}
	re.Longest()
	r.re = re
	return nil
}

// patternWork is what compiling a byte of a pattern costs, in bytes looked at.
const patternWork = 256

// maxAutomaton is how many instructions an expression may be.
const maxAutomaton = 100_000

// automaton is about how many instructions the expression becomes, 1 where it is not
// valid.
func (r *Regexp) automaton() int {
	if r.size == 0 {
		r.size = 1
		if tree, err := syntax.Parse(r.source, syntax.Perl); err == nil {
			r.size = 1 + instructions(tree)
		}
	}
	return r.size
}

// instructions is about how many instructions an expression becomes.
func instructions(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Max, re.Min+1, 1)
	}
	return n
}

// regexpReader reads a text for package regexp until the statement is to end.
type regexpReader struct {
	meter *Meter
	rest  string
	step  int // what a character costs, in bytes looked at
	err   error
}

// ReadRune implements io.RuneReader.
func (r *regexpReader) ReadRune() (rune, int, error) {
	if r.rest == "" {
		return 0, 0, io.EOF
	}
	if r.err = r.meter.Check(r.step); r.err != nil {
		r.rest = ""
		return 0, 0, r.err
	}
	char, size := utf8.DecodeRuneInString(r.rest)
	r.rest = r.rest[size:]
	return char, size, nil
}
