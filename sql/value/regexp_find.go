package value

import (
	"iter"
	"unicode/utf8"
)

// matches are the matches in s from a place on, all of them or the first one alone, each as
// the place of its start and end and those of its parentheses.
func (r *Regexp) matches(m *Meter, s string, from int, all bool) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		search := matchSearch{re: r, s: s, at: from}
		for match := search.next(m); match != nil && yield(match) && all; match = search.next(m) {
		}
	}
}

// matchSearch takes one match in a text after the other.
type matchSearch struct {
	re    *Regexp
	s     string
	at    int // where the next search begins
	found int64
}

// next returns the next match, nil behind the last. As in PostgreSQL an empty one right
// behind another counts.
func (f *matchSearch) next(m *Meter) []int {
	if f.at > len(f.s) {
		return nil
	}
	match := f.re.find(m, f.s, f.at)
	if match == nil {
		return nil
	}
	f.at = match[1]
	if match[0] == match[1] {
		_, size := utf8.DecodeRuneInString(f.s[f.at:])
		f.at += max(size, 1)
	}
	f.found++
	return match
}
