package value

import (
	"strings"
	"unicode/utf8"
)

// Trim cuts characters of the set from both ends.
func Trim(m *Meter, s, set string) (string, error) {
	s, err := LTrim(m, s, set)
	if err != nil {
		return "", err
	}
	return RTrim(m, s, set)
}

// LTrim cuts characters of the set from the start.
func LTrim(m *Meter, s, set string) (string, error) {
	if len(s) <= chunkLength && set == " " {
		return strings.TrimLeft(s, " "), nil
	}
	in, err := newRuneSet(m, set)
	for err == nil && s != "" {
		chunk := s
		if len(chunk) > chunkLength {
			end, _ := offset(nil, s, chunkLength/utf8.UTFMax)
			chunk = s[:end]
		}
		left := strings.TrimLeftFunc(chunk, in.has)
		if s = s[len(chunk)-len(left):]; left != "" {
			break
		}
		err = m.Check(len(chunk))
	}
	return s, err
}

// RTrim cuts characters of the set from the end.
func RTrim(m *Meter, s, set string) (string, error) {
	if len(s) <= chunkLength && set == " " {
		return strings.TrimRight(s, " "), nil
	}
	in, err := newRuneSet(m, set)
	for err == nil && s != "" {
		start := max(len(s)-chunkLength, 0)
		for start > 0 && !utf8.RuneStart(s[start]) {
			start--
		}
		left := len(strings.TrimRightFunc(s[start:], in.has))
		size := len(s) - start
		if s = s[:start+left]; left > 0 {
			break
		}
		err = m.Check(size)
	}
	return s, err
}

// runeSet is a set of characters.
type runeSet struct {
	text string // of few characters, which are found faster so
	all  map[rune]bool
}

// fewRunes is how many bytes a set has that is searched as a text.
const fewRunes = 16

func newRuneSet(m *Meter, text string) (runeSet, error) {
	if len(text) <= fewRunes {
		return runeSet{text: text}, nil
	}
	set := runeSet{all: map[rune]bool{}}
	var err error
	for chunk := range chunks(m, text, &err) {
		for _, r := range chunk {
			set.all[r] = true
		}
		if err := m.Check(8 * len(chunk)); err != nil {
			return set, err
		}
	}
	return set, err
}

func (s *runeSet) has(r rune) bool {
	if s.all == nil {
		return strings.ContainsRune(s.text, r)
	}
	return s.all[r]
}
