package value

import "strings"

// Match reports whether some part of s matches.
func (r *Regexp) Match(m *Meter, s string) bool {
	if r.refers {
		return r.find(m, s, 0) != nil
	}
	search, p := &regexpSearch{re: r, m: m, text: s}, r.program(r.whole)
	start, _, ok := search.try(p, 0, true)
	if !ok {
		start, ok = search.walk(p, true, 0, 0, len(s), true)
	}
	if !ok {
		start, _ = search.scanFirst(p, 0, true)
	}
	return start >= 0
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
