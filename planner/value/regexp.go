package value

import (
	"regexp"
	"strings"
)

// Regexp is a compiled regular expression with its flags. The syntax is RE2's;
// back references are errors.
type Regexp struct {
	re  *regexp.Regexp
	all bool // flag g
}

// NewRegexp compiles a pattern with PostgreSQL's flags: i ignores case, c does
// not, n and m make line ends special, s does not, q takes the
// pattern literally, and g, where it is allowed,
// means all matches. As in PostgreSQL the longest match counts unless the
// pattern asks for short ones.
func NewRegexp(pattern, flags string, global bool) (*Regexp, error) {
	r := &Regexp{}
	fold, lines, literal := false, false, false
	for _, f := range flags {
		switch {
		case f == 'i':
			fold = true
		case f == 'c':
			fold = false
		case f == 'n' || f == 'm':
			lines = true
		case f == 's':
			lines = false
		case f == 'q':
			literal = true
		case f == 'g' && global:
			r.all = true
		default:
			return nil, Errorf(CodeInvalidParameter, "invalid regular expression option: \"%c\"", f)
		}
	}
	mode := "s"
	if lines {
		mode = "m"
	}
	if fold {
		mode += "i"
	}
	if literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	re, err := regexp.Compile("(?" + mode + ")" + pattern)
	if err != nil {
		return nil, Errorf(CodeInvalidRegexp, "invalid regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if !prefersShort(pattern) {
		re.Longest()
	}
	r.re = re
	return r, nil
}

// prefersShort tells whether a pattern has a quantifier that matches as little
// as it can.
func prefersShort(pattern string) bool {
	for _, q := range []string{"*?", "+?", "??", "}?"} {
		if strings.Contains(pattern, q) {
			return true
		}
	}
	return false
}

// Match tells whether some part of s matches.
func (r *Regexp) Match(s string) bool { return r.re.MatchString(s) }

// Replace replaces the first match in s, or with flag g each of them. In by, \1
// to \9 stand for what the pattern's parentheses matched, \& for the whole
// match, and \\ for a backslash.
func (r *Regexp) Replace(s, by string) (string, error) {
	n := 1
	if r.all {
		n = -1
	}
	var out strings.Builder
	at := 0
	for _, m := range r.re.FindAllStringSubmatchIndex(s, n) {
		out.WriteString(s[at:m[0]])
		expand(&out, s, by, m)
		at = m[1]
		if out.Len() > MaxLength {
			return "", errTextTooLong()
		}
	}
	out.WriteString(s[at:])
	return out.String(), nil
}

// expand writes what a match is replaced by.
func expand(out *strings.Builder, s, by string, match []int) {
	group := func(k int) {
		if 2*k+1 < len(match) && match[2*k] >= 0 {
			out.WriteString(s[match[2*k]:match[2*k+1]])
		}
	}
	for i := 0; i < len(by); i++ {
		if by[i] != '\\' || i+1 == len(by) {
			out.WriteByte(by[i])
			continue
		}
		i++
		switch c := by[i]; {
		case c == '&':
			group(0)
		case c >= '1' && c <= '9':
			group(int(c - '0'))
		case c == '\\':
			out.WriteByte('\\')
		default:
			out.WriteByte('\\')
			out.WriteByte(c)
		}
	}
}
