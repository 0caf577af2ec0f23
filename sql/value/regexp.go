package value

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

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
	var err error
	if r.source, err = translateRegexp(pattern, options); err != nil {
		return nil, err
	}
	if strings.Contains(pattern, "{") && r.automaton() > maxAutomaton {
		return nil, errRegexpTooLarge()
	}
	re, err := regexp.Compile(r.source)
	if err != nil {
		return nil, Errorf(CodeInvalidRegexp, "invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if !prefersShort(pattern) {
		r.longest = true
		re.Longest()
	}
	r.re = re
	return r, m.Check(patternWork * len(pattern))
}

// patternWork is what compiling a byte of a pattern costs, in bytes looked at.
const patternWork = 256

// prefersShort reports whether a pattern has a quantifier that matches as little
// as it can.
func prefersShort(pattern string) bool {
	for _, q := range []string{"*?", "+?", "??", "}?"} {
		if strings.Contains(pattern, q) {
			return true
		}
	}
	return false
}

// Match reports whether some part of s matches.
func (r *Regexp) Match(m *Meter, s string) bool {
	if r.small(s) {
		m.Must(r.cost(s))
		return r.re.MatchString(s)
	}
	return r.find(m, s, 0) != nil
}

// Replace replaces the first match in s, or with flag g each of them. In by, \1
// to \9 stand for what the pattern's parentheses matched, \& for the whole
// match, and \\ for a backslash.
func (r *Regexp) Replace(m *Meter, s, by string) string {
	w := maker{m: m}
	at := 0
	for match := range r.matches(m, s, 0, r.all) {
		w.write(s[at:match[0]])
		expand(&w, s, by, match)
		at = match[1]
	}
	if at == 0 && w.out.Len() == 0 {
		return s
	}
	w.write(s[at:])
	return w.String()
}

// expand writes what a match is replaced by.
func expand(w *maker, s, by string, match []int) {
	group := func(k int) {
		if 2*k+1 < len(match) && match[2*k] >= 0 {
			w.write(s[match[2*k]:match[2*k+1]])
		}
	}
	for by != "" {
		plain := strings.IndexByte(by, '\\')
		if plain < 0 || plain+1 == len(by) {
			w.write(by)
			return
		}
		w.write(by[:plain])
		switch c := by[plain+1]; {
		case c == '&':
			group(0)
		case c >= '1' && c <= '9':
			group(int(c - '0'))
		case c == '\\':
			w.write(by[plain : plain+1])
		default:
			w.write(by[plain : plain+2])
		}
		by = by[plain+2:]
	}
}
