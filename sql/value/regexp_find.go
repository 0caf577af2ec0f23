package value

import (
	"iter"
	"regexp"
	"unicode/utf8"
)

// The package regexp cannot be interrupted while it searches a text, and takes a time
// that grows with the length of the text and the size of the automaton. A large search
// therefore reads the text from a regexpReader, which ends it when the statement is to
// end.

// smallSearch is how many steps of an automaton, one for each instruction and byte,
// are taken in one go.
const smallSearch = 1 << 20

// small reports whether a search of s may be done in one go.
func (r *Regexp) small(s string) bool {
	const always = 256 // bytes, whatever the automaton
	return len(s) <= always || len(s) <= smallSearch/r.automaton()
}

// cost is what a search of s costs, in bytes looked at.
func (r *Regexp) cost(s string) int { return 1 + len(s)*r.automaton() }

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

// find finds the first match that begins at a place or behind it.
func (r *Regexp) find(m *Meter, s string, at int) []int {
	if r.apart {
		return r.findApart(m, s, at, false)
	}
	return r.findPlain(m, s, at)
}

// findPlain is find by package regexp.
func (r *Regexp) findPlain(m *Meter, s string, at int) []int {
	if prefix, _ := r.re.LiteralPrefix(); prefix != "" {
		i := index(m, s[at:], prefix)
		if i < 0 {
			return nil
		}
		at += i
	}
	if at == 0 && r.small(s) {
		m.Must(r.cost(s))
		return r.re.FindStringSubmatchIndex(s)
	}
	re, from := r.re, 0
	if at > 0 {
		re = r.behindOne()
		_, size := utf8.DecodeLastRuneInString(s[:at])
		from = at - size
	}
	var match []int
	if rest := s[from:]; r.small(rest) {
		match = re.FindStringSubmatchIndex(rest)
		m.Must(r.cost(rest))
	} else {
		r.reader = regexpReader{meter: m, rest: rest, step: r.cost("x")}
		match = re.FindReaderSubmatchIndex(&r.reader)
		if r.reader.err != nil {
			panic(r.reader.err)
		}
	}
	if at > 0 && match != nil {
		match = match[2:]
	}
	for i := range match {
		if match[i] >= 0 {
			match[i] += from
		}
	}
	return match
}

// behindOne is the expression behind one character, of which a search that does not
// begin at the start of a text sees what stands before its matches. All of what matches
// the expression is its first group.
func (r *Regexp) behindOne() *regexp.Regexp {
	if r.behind == nil {
		r.behind = regexp.MustCompile("(?s:.)(" + r.source + ")")
		r.behind.Longest()
	}
	return r.behind
}
