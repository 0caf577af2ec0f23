package value

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalForms are the normal forms of Unicode, by the names that SQL has for them.
var normalForms = map[string]normalForm{
	"nfc": {norm.NFD, true}, "nfd": {norm.NFD, false}, "nfkc": {norm.NFKD, true}, "nfkd": {norm.NFKD, false},
}

// normalForm is how characters are decomposed, and whether they are composed then. Package norm gives what is known of
// characters alone: in a text it would insert a character between more than thirty marks, which PostgreSQL does not. It
// knows characters, too, that Unicode has had since PostgreSQL 15.
type normalForm struct {
	decomposed norm.Form
	composes   bool
}

// normalizeText is the routine normalize: (text[, form]).
func normalizeText(m *Meter, a []Value) (Value, error) {
	s, err := normalized(m, a)
	return textValue(s), err
}

// isNormalized is the routine is_normalized: (text[, form]).
func isNormalized(m *Meter, a []Value) (Value, error) {
	s, err := normalized(m, a)
	return boolValue(s == a[0].S), err
}

func normalized(m *Meter, a []Value) (string, error) {
	name := "nfc"
	if len(a) > 1 {
		name = a[1].S
	}
	form, ok := normalForms[Lower(m, name)]
	if !ok {
		return "", Errorf(CodeInvalidParameter, "invalid normalization form: %s", name)
	}
	n := normalizer{form: form, marks: marks{m: m}, out: maker{m: m}}
	for part := range chunks(m, a[0].S) {
		for _, r := range part {
			n.add(r)
		}
	}
	n.flush()
	return n.out.String(), nil
}

// normalizer takes the characters of a text one after the other.
type normalizer struct {
	form    normalForm
	starter rune // the last character that is no mark, 0 for none
	marks   marks
	out     maker
}

// marks are the combining marks behind a starter, with their combining classes.
type marks struct {
	m    *Meter
	list []mark
}

type mark struct {
	char  rune
	class uint8
}

func (n *normalizer) add(r rune) {
	if r < utf8.RuneSelf {
		n.start(r)
		return
	}
	for _, part := range n.form.decomposed.String(string(r)) {
		if class := classOf(part); class > 0 {
			n.marks.add(mark{part, class})
		} else {
			n.start(part)
		}
	}
}

// start takes a character that is no mark. It may be composed with the one before, where no mark is left between them.
func (n *normalizer) start(r rune) {
	n.settle()
	if len(n.marks.list) == 0 && n.form.composes && r >= utf8.RuneSelf {
		if both, ok := compose(n.starter, r); ok {
			n.starter = both
			return
		}
	}
	n.write()
	n.starter = r
}

// flush writes what is left at the end.
func (n *normalizer) flush() {
	n.settle()
	n.write()
}

// settle brings the marks into their order and composes the starter with those that nothing of the same class, or a
// higher one, separates from it.
func (n *normalizer) settle() {
	if len(n.marks.list) == 0 {
		return
	}
	n.marks.sort()
	if !n.form.composes || n.starter == 0 {
		return
	}
	left, last := n.marks.list[:0], uint8(0)
	for _, k := range n.marks.list {
		n.out.m.Must(1)
		if both, ok := compose(n.starter, k.char); ok && last < k.class {
			n.starter = both
			continue
		}
		left, last = append(left, k), k.class
	}
	n.marks.list = left
}

func (n *normalizer) write() {
	if n.starter != 0 {
		n.out.write(string(n.starter))
	}
	for _, k := range n.marks.list {
		n.out.write(string(k.char))
	}
	n.starter, n.marks.list = 0, n.marks.list[:0]
}

func (s *marks) add(k mark) {
	if len(s.list) == cap(s.list) {
		s.m.MustGrow(len(s.list) * 8)
	}
	s.list = append(s.list, k)
}

// sort orders marks by their classes; those of one class stay as they come.
func (s *marks) sort() {
	if len(s.list) < 2 {
		return
	}
	slices.SortStableFunc(s.list, func(a, b mark) int {
		s.m.Must(1)
		return int(a.class) - int(b.class)
	})
}

// classOf is the canonical combining class of a character.
func classOf(r rune) uint8 {
	var b [utf8.UTFMax]byte
	return norm.NFD.Properties(utf8.AppendRune(b[:0], r)).CCC()
}

// compose is the character that two characters are composed to.
func compose(a, b rune) (rune, bool) {
	var buf [2 * utf8.UTFMax]byte
	pair := utf8.AppendRune(buf[:0], b)
	if a == 0 || norm.NFC.Properties(pair).BoundaryBefore() {
		return 0, false
	}
	pair = utf8.AppendRune(utf8.AppendRune(buf[:0], a), b)
	both := norm.NFC.Bytes(pair)
	r, size := utf8.DecodeRune(both)
	return r, size == len(both)
}
