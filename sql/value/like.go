package value

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Like is a compiled LIKE or ILIKE pattern. It is immutable and may be used by
// several goroutines.
type Like struct {
	fold bool
	kind likeKind
	// text is what an exact, prefix or suffix pattern looks for, and texts what a contains
	// pattern does, one behind the other.
	text  string
	texts []string
	// head and tail are the segments before the first and after the last %, and
	// middle those between, in a pattern of kind likeSegments. Without a % the
	// pattern is its head.
	head, tail likeSegment
	middle     []likeSegment
	open       bool // there is a %
	// unfinished says that the pattern ended with the escape character, which it has no more: what
	// matches, with a character in its place, is an error.
	unfinished bool
}

type likeKind uint8

const (
	likeSegments likeKind = iota
	likeExact             // no wildcard
	likePrefix            // abc%
	likeSuffix            // %abc
	likeContains          // %abc%def%
)

// likeSegment is a part of a pattern without %: it matches a fixed number of
// characters.
type likeSegment struct {
	parts []LikePart
	chars int
	text  []byte // of the last part, while the pattern is read
}

// LikePart is a number of characters of any kind and the text after them.
type LikePart struct {
	Any  int
	Text string
}

// NewLike compiles a pattern. escape is the character that takes a wildcard
// its meaning, or empty for none; fold makes the match insensitive to case.
func NewLike(m *Meter, pattern, escape string, fold bool) (*Like, error) {
	if utf8.RuneCountInString(escape) > 1 {
		err := Errorf(CodeInvalidEscape, "invalid escape string")
		err.Detail = "Escape string must be empty or one character."
		return nil, err
	}
	if fold {
		pattern, escape = Lower(m, pattern), strings.ToLower(escape)
	}
	l := &Like{fold: fold}
	segments, finished := splitLike(m, pattern, escape)
	l.unfinished = !finished
	l.classify(segments)
	return l, nil
}

// segmentBytes is what a segment and a part of it take, beside the text.
const segmentBytes = 64

// splitLike splits a pattern at its %. One that ends with the escape character is not finished: in its place
// stands what a match needs to come that far.
func splitLike(m *Meter, pattern, escape string) (segments []likeSegment, finished bool) {
	segments, finished = make([]likeSegment, 1), true
	last := &segments[0]
	for pattern != "" {
		m.Must(1)
		_, size := utf8.DecodeRuneInString(pattern)
		char := pattern[:size]
		pattern = pattern[size:]
		switch {
		case char == escape && pattern == "":
			pattern, finished = behindSegments(segments), false
			continue
		case char == escape:
			_, size = utf8.DecodeRuneInString(pattern)
			last.addText(pattern[:size])
			pattern = pattern[size:]
			continue
		case char != "%" && char != "_":
			last.addText(char)
			continue
		}
		m.MustGrow(segmentBytes)
		if char == "%" {
			last.finish()
			segments = append(segments, likeSegment{})
			last = &segments[len(segments)-1]
			continue
		}
		last.finish()
		last.parts = append(last.parts, LikePart{Any: 1})
		last.chars++
	}
	last.finish()
	return segments, finished
}

// addText adds a character to the text of the last part.
func (g *likeSegment) addText(char string) {
	g.chars++
	g.text = append(g.text, char...)
}

// behindSegments is what a text has where a match comes to the end of a pattern and does not end there: a
// character, which may be one for the _ and % that the pattern ends with.
func behindSegments(segments []likeSegment) string {
	last := len(segments) - 1
	i := last
	for i > 0 && segments[i].chars == 0 {
		i--
	}
	switch {
	case i > 0 && !segments[i].hasText():
		return ""
	case i == last:
		return "_%"
	}
	return "_"
}

func (g *likeSegment) hasText() bool {
	return len(g.text) > 0 || slices.ContainsFunc(g.parts, func(p LikePart) bool { return p.Text != "" })
}

// finish makes the text that was added the last part's.
func (g *likeSegment) finish() {
	if len(g.text) == 0 {
		return
	}
	if len(g.parts) == 0 {
		g.parts = []LikePart{{}}
	}
	g.parts[len(g.parts)-1].Text = string(g.text)
	g.text = nil
}

// literal returns the text of a segment without underscores.
func (g *likeSegment) literal() (text string, ok bool) {
	switch len(g.parts) {
	case 0:
		return "", true
	case 1:
		return g.parts[0].Text, g.parts[0].Any == 0
	}
	return "", false
}

// classify finds the fastest way to match.
func (l *Like) classify(segments []likeSegment) {
	last := len(segments) - 1
	l.open = last > 0
	l.head, l.tail = segments[0], segments[last]
	for i := 1; i < last; i++ {
		if segments[i].chars > 0 { // %% is %
			l.middle = append(l.middle, segments[i])
		}
	}
	head, literalHead := l.head.literal()
	tail, literalTail := l.tail.literal()
	switch {
	case !l.open && literalHead:
		l.kind, l.text = likeExact, head
	case !l.open || !literalHead || !literalTail:
	case len(l.middle) == 0 && tail == "":
		l.kind, l.text = likePrefix, head
	case len(l.middle) == 0 && head == "":
		l.kind, l.text = likeSuffix, tail
	case head == "" && tail == "":
		l.classifyContains()
	}
}

// classifyContains is classify for a pattern that begins and ends with %.
func (l *Like) classifyContains() {
	var texts []string
	for i := range l.middle {
		text, ok := l.middle[i].literal()
		if !ok {
			return
		}
		texts = append(texts, text)
	}
	l.kind, l.texts = likeContains, texts
}

// Segments returns the parts of the pattern before its first % (all of it where open
// is false), those after its last, and those of each part between two that is not
// empty. They are those of the pattern in lower case for ILIKE.
func (l *Like) Segments() (open bool, head, tail []LikePart, middle [][]LikePart) {
	for i := range l.middle {
		middle = append(middle, l.middle[i].parts)
	}
	return l.open, l.head.parts, l.tail.parts, middle
}

// Finished reports whether the pattern does not end with the escape character.
func (l *Like) Finished() bool { return !l.unfinished }

// Match reports whether s matches the pattern. Where a match comes to an escape character that
// the pattern ends with, it fails with SQLSTATE 22025.
func (l *Like) Match(m *Meter, s string) (bool, error) {
	if l.fold {
		s = Lower(m, s)
	}
	matches := l.matches(m, s)
	if matches && l.unfinished {
		return false, Errorf(CodeInvalidEscape, "LIKE pattern must not end with escape character")
	}
	return matches, nil
}

func (l *Like) matches(m *Meter, s string) bool {
	switch l.kind {
	case likeExact:
		return s == l.text
	case likePrefix:
		return strings.HasPrefix(s, l.text)
	case likeSuffix:
		return strings.HasSuffix(s, l.text)
	case likeContains:
		return l.contains(m, s)
	}
	return l.matchSegments(m, s)
}

// contains finds each text at its first place behind the one before.
func (l *Like) contains(m *Meter, s string) bool {
	for _, text := range l.texts {
		i := index(m, s, text)
		if i < 0 {
			return false
		}
		s = s[i+len(text):]
	}
	return true
}

// matchSegments anchors the head and the tail and finds each segment between
// at its first place after the one before, which leaves the most to the rest.
func (l *Like) matchSegments(m *Meter, s string) bool {
	s, ok := l.head.matchPrefix(m, s)
	if !ok || !l.open {
		return ok && s == ""
	}
	s, ok = l.tail.cutSuffix(m, s)
	for i := 0; ok && i < len(l.middle); i++ {
		s, ok = l.middle[i].find(m, s)
	}
	return ok
}

// matchPrefix returns what follows the segment at the start of s.
func (g *likeSegment) matchPrefix(m *Meter, s string) (rest string, ok bool) {
	work := likePartWork
	for i := range g.parts {
		part := &g.parts[i]
		for range part.Any {
			if s == "" {
				return "", false
			}
			_, size := utf8.DecodeRuneInString(s)
			s = s[size:]
		}
		if !strings.HasPrefix(s, part.Text) {
			m.Must(work)
			return "", false
		}
		s = s[len(part.Text):]
		if work += len(part.Text) + likePartWork; work > chunkLength {
			m.Must(work)
			work = 0
		}
	}
	m.Must(work)
	return s, true
}

// likePartWork is what matching a part costs beside its text, in bytes looked at.
const likePartWork = 4

// cutSuffix returns what stands before the segment at the end of s.
func (g *likeSegment) cutSuffix(m *Meter, s string) (rest string, ok bool) {
	if text, literal := g.literal(); literal {
		rest, ok = strings.CutSuffix(s, text)
		return rest, ok
	}
	m.Must(g.chars)
	start := len(s)
	for range g.chars {
		if start == 0 {
			return "", false
		}
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	_, ok = g.matchPrefix(m, s[start:])
	return s[:start], ok
}

// find returns what follows the segment at its first place in s.
func (g *likeSegment) find(m *Meter, s string) (rest string, ok bool) {
	first := g.parts[0]
	for {
		if first.Any == 0 {
			i := index(m, s, first.Text)
			if i < 0 {
				return "", false
			}
			s = s[i:]
		}
		if rest, ok = g.matchPrefix(m, s); ok {
			return rest, ok
		}
		if s == "" {
			return "", false
		}
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
}
