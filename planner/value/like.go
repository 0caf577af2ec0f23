package value

import (
	"strings"
	"unicode/utf8"
)

// Like is a compiled LIKE or ILIKE pattern. It is immutable and may be used by
// several goroutines.
type Like struct {
	fold bool
	kind likeKind
	// text is what an exact, prefix, suffix or contains pattern looks for.
	text string
	// head and tail are the segments before the first and after the last %, and
	// middle those between, in a pattern of kind likeSegments. Without a % the
	// pattern is its head.
	head, tail likeSegment
	middle     []likeSegment
	open       bool // there is a %
}

type likeKind uint8

const (
	likeSegments likeKind = iota
	likeExact             // no wildcard
	likePrefix            // abc%
	likeSuffix            // %abc
	likeContains          // %abc%
)

// likeSegment is a part of a pattern without %: it matches a fixed number of
// characters.
type likeSegment struct {
	pieces []LikePiece
	chars  int
}

// LikePiece is a number of characters of any kind and the text after them.
type LikePiece struct {
	Any  int
	Text string
}

// NewLike compiles a pattern. escape is the character that takes a wildcard
// its meaning, or empty for none; fold makes the match insensitive to case. A
// pattern that ends with the escape character is an error of SQLSTATE 22025,
// here and not only when a match comes that far.
func NewLike(pattern, escape string, fold bool) (*Like, error) {
	if utf8.RuneCountInString(escape) > 1 {
		err := Errorf(CodeInvalidEscape, "invalid escape string")
		err.Detail = "Escape string must be empty or one character."
		return nil, err
	}
	if fold {
		pattern, escape = Lower(pattern), Lower(escape)
	}
	l := &Like{fold: fold}
	segments, err := splitLike(pattern, escape)
	if err != nil {
		return nil, err
	}
	l.classify(segments)
	return l, nil
}

// splitLike splits a pattern at its %.
func splitLike(pattern, escape string) ([]likeSegment, error) {
	segments := make([]likeSegment, 1)
	for pattern != "" {
		last := &segments[len(segments)-1]
		_, size := utf8.DecodeRuneInString(pattern)
		char := pattern[:size]
		pattern = pattern[size:]
		switch {
		case char == escape:
			if pattern == "" {
				return nil, Errorf(CodeInvalidEscape, "LIKE pattern must not end with escape character")
			}
			_, size = utf8.DecodeRuneInString(pattern)
			last.addText(pattern[:size])
			pattern = pattern[size:]
		case char == "%":
			segments = append(segments, likeSegment{})
		case char == "_":
			last.pieces = append(last.pieces, LikePiece{Any: 1})
			last.chars++
		default:
			last.addText(char)
		}
	}
	return segments, nil
}

func (g *likeSegment) addText(char string) {
	g.chars++
	if len(g.pieces) == 0 {
		g.pieces = []LikePiece{{}}
	}
	last := &g.pieces[len(g.pieces)-1]
	last.Text += char
}

// literal gives the text of a segment without underscores.
func (g *likeSegment) literal() (text string, ok bool) {
	switch len(g.pieces) {
	case 0:
		return "", true
	case 1:
		return g.pieces[0].Text, g.pieces[0].Any == 0
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
	case len(l.middle) == 1 && head == "" && tail == "":
		if text, ok := l.middle[0].literal(); ok {
			l.kind, l.text = likeContains, text
		}
	}
}

// Segments gives the pieces of the pattern before its first % (all of it where open
// is false), those after its last, and those of each part between two that is not
// empty. They are those of the pattern in lower case for ILIKE.
func (l *Like) Segments() (open bool, head, tail []LikePiece, middle [][]LikePiece) {
	for i := range l.middle {
		middle = append(middle, l.middle[i].pieces)
	}
	return l.open, l.head.pieces, l.tail.pieces, middle
}

// Match tells whether s matches the pattern.
func (l *Like) Match(s string) bool {
	if l.fold {
		s = Lower(s)
	}
	switch l.kind {
	case likeExact:
		return s == l.text
	case likePrefix:
		return strings.HasPrefix(s, l.text)
	case likeSuffix:
		return strings.HasSuffix(s, l.text)
	case likeContains:
		return strings.Contains(s, l.text)
	}
	return l.matchSegments(s)
}

// matchSegments anchors the head and the tail and finds each segment between
// at its first place after the one before, which leaves the most to the rest.
func (l *Like) matchSegments(s string) bool {
	s, ok := l.head.matchPrefix(s)
	if !ok || !l.open {
		return ok && s == ""
	}
	s, ok = l.tail.cutSuffix(s)
	if !ok {
		return false
	}
	for i := range l.middle {
		if s, ok = l.middle[i].find(s); !ok {
			return false
		}
	}
	return true
}

// matchPrefix gives what follows the segment at the start of s.
func (g *likeSegment) matchPrefix(s string) (rest string, ok bool) {
	for _, piece := range g.pieces {
		for range piece.Any {
			if s == "" {
				return "", false
			}
			_, size := utf8.DecodeRuneInString(s)
			s = s[size:]
		}
		if !strings.HasPrefix(s, piece.Text) {
			return "", false
		}
		s = s[len(piece.Text):]
	}
	return s, true
}

// cutSuffix gives what stands before the segment at the end of s.
func (g *likeSegment) cutSuffix(s string) (rest string, ok bool) {
	if text, literal := g.literal(); literal {
		return strings.CutSuffix(s, text)
	}
	start := len(s)
	for range g.chars {
		if start == 0 {
			return "", false
		}
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	_, ok = g.matchPrefix(s[start:])
	return s[:start], ok
}

// find gives what follows the segment at its first place in s.
func (g *likeSegment) find(s string) (rest string, ok bool) {
	first := g.pieces[0]
	for {
		if first.Any == 0 {
			i := strings.Index(s, first.Text)
			if i < 0 {
				return "", false
			}
			s = s[i:]
		}
		if rest, ok = g.matchPrefix(s); ok {
			return rest, true
		}
		if s == "" {
			return "", false
		}
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
}
