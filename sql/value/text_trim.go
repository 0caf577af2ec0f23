package value

import (
	"strings"
	"unicode/utf8"
)

// Trim cuts characters of the set from both ends.
func Trim(m *Meter, s, set string) string {
	return RTrim(m, LTrim(m, s, set), set)
}

// LTrim cuts characters of the set from the start.
func LTrim(m *Meter, s, set string) string {
	if len(s) <= chunkLength && set == " " {
		return strings.TrimLeft(s, " ")
	}
	in := newRuneSet(m, set)
	for s != "" {
		chunk := s
		if len(chunk) > chunkLength {
			chunk = s[:offset(nil, s, chunkLength/utf8.UTFMax)]
		}
		left := strings.TrimLeftFunc(chunk, in.has)
		if s = s[len(chunk)-len(left):]; left != "" {
			break
		}
		m.Must(len(chunk))
	}
	return s
}

// RTrim cuts characters of the set from the end.
func RTrim(m *Meter, s, set string) string {
	if len(s) <= chunkLength && set == " " {
		return strings.TrimRight(s, " ")
	}
	in := newRuneSet(m, set)
	for s != "" {
		start := max(len(s)-chunkLength, 0)
		for start > 0 && !utf8.RuneStart(s[start]) {
			start--
		}
		left := len(strings.TrimRightFunc(s[start:], in.has))
		size := len(s) - start
		if s = s[:start+left]; left > 0 {
			break
		}
		m.Must(size)
	}
	return s
}

// runeSet is a set of characters.
type runeSet struct {
	text string // of few characters, which are found faster so
	all  map[rune]bool
}

// fewRunes is how many bytes a set has that is searched as a text.
const fewRunes = 16

func newRuneSet(m *Meter, text string) runeSet {
	if len(text) <= fewRunes {
		return runeSet{text: text}
	}
	set := runeSet{all: map[rune]bool{}}
	for chunk := range chunks(m, text) {
		for _, r := range chunk {
			set.all[r] = true
		}
		m.Must(8 * len(chunk))
	}
	return set
}

func (s *runeSet) has(r rune) bool {
	if s.all == nil {
		return strings.ContainsRune(s.text, r)
	}
	return s.all[r]
}
