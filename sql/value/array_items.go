package value

import (
	"iter"
	"strings"
)

// arrayMaker writes an array element by element.
type arrayMaker struct {
	out   maker
	lower int64 // the first subscript
	n     int   // elements so far
}

func newArrayMaker(m *Meter) *arrayMaker { return &arrayMaker{out: maker{m: m}, lower: 1} }

// add writes an element.
func (w *arrayMaker) add(item Item) error {
	if err := w.out.writeByte(w.before()); err != nil {
		return err
	}
	w.n++
	return w.item(item)
}

// before is what stands before the next element.
func (w *arrayMaker) before() byte {
	if w.out.out.Len() == 0 {
		return '{'
	}
	return ','
}

// item writes an element, in quotes where it needs them.
func (w *arrayMaker) item(item Item) error {
	if item.Null {
		return w.out.write("NULL")
	}
	quote, err := needsQuotes(w.out.m, item.Text)
	if err != nil {
		return err
	}
	if !quote {
		return w.out.write(item.Text)
	}
	if err := w.out.writeByte('"'); err != nil {
		return err
	}
	for rest := item.Text; rest != ""; {
		end := strings.IndexAny(rest[:min(len(rest), chunkLength)], "\"\\")
		switch {
		case end < 0:
			end = min(len(rest), chunkLength)
			err = w.out.write(rest[:end])
		default:
			if err = w.out.write(rest[:end]); err == nil {
				err = w.out.writeByte('\\')
			}
			if err == nil {
				err = w.out.writeByte(rest[end])
			}
			end++
		}
		if err != nil {
			return err
		}
		rest = rest[end:]
	}
	return w.out.writeByte('"')
}

// finish ends the array and returns it.
func (w *arrayMaker) finish() (string, error) {
	if w.out.out.Len() == 0 {
		return "{}", nil
	}
	if err := w.out.writeByte('}'); err != nil || w.lower == 1 {
		return w.out.String(), err
	}
	return Concat(w.out.m, string(appendBounds(nil, w.lower, w.n)), w.out.String())
}

// needsQuotes reports whether an element stands in quotes.
func needsQuotes(m *Meter, s string) (bool, error) {
	if s == "" || len(s) == len("null") && strings.EqualFold(s, "null") {
		return true, nil
	}
	for at := 0; at < len(s); at += chunkLength {
		chunk := s[at:min(at+chunkLength, len(s))]
		for i := range len(chunk) {
			if arrayMarks[chunk[i]] {
				return true, nil
			}
		}
		if err := m.Check(len(chunk)); err != nil {
			return false, err
		}
	}
	return false, nil
}

// arrayMarks are the bytes that an element has in quotes only.
var arrayMarks = func() (marks [256]bool) {
	for _, c := range []byte("{},\"\\" + arraySpace) {
		marks[c] = true
	}
	return marks
}()

// JoinArray writes an array whose first subscript is 1.
func JoinArray(m *Meter, items []Item) (string, error) { return JoinArrayFrom(m, 1, items) }

// JoinArrayFrom writes an array with its first subscript; an empty one has none.
func JoinArrayFrom(m *Meter, lower int64, items []Item) (string, error) {
	w := newArrayMaker(m)
	w.lower = lower
	for _, item := range items {
		if err := w.add(item); err != nil {
			return "", err
		}
	}
	return w.finish()
}

// SplitArray returns the elements of an array that JoinArray wrote.
func SplitArray(m *Meter, array string) (split []Item, err error) {
	for item := range items(m, array, &err) {
		if err := m.Grow(itemBytes); err != nil {
			return nil, err
		}
		split = append(split, item)
	}
	return split, err
}

// items are the elements of an array that JoinArray wrote. Err is set where they end
// because the statement is to end.
func items(m *Meter, array string, err *error) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		_, body := cutBounds(array)
		for rest := body[1:]; rest != "}" && rest != ""; {
			var item Item
			if item, rest, *err = cutItem(m, rest); *err != nil || !yield(item) {
				return
			}
		}
	}
}

// itemWork is what reading an element costs beside its text, in bytes looked at.
const itemWork = 16

// cutItem takes the first element of an array whose bracket, or the comma, has
// been taken; what follows its comma is the rest.
func cutItem(m *Meter, s string) (item Item, rest string, err error) {
	if s[0] != '"' {
		end := strings.IndexAny(s, ",}")
		rest = strings.TrimPrefix(s[end:], ",")
		if s[:end] == "NULL" {
			return Item{Null: true}, rest, m.Check(itemWork)
		}
		return Item{Text: s[:end]}, rest, m.Check(end + itemWork)
	}
	end, escapes := 1, false
	for ; s[end] != '"'; end++ {
		if s[end] == '\\' {
			escapes = true
			end++
		}
	}
	text := s[1:end]
	if escapes {
		if text, err = unescape(m, text); err != nil {
			return Item{}, "", err
		}
	}
	return Item{Text: text}, strings.TrimPrefix(s[end+1:], ","), m.Check(end + itemWork)
}

// unescape takes the backslashes before characters away.
func unescape(m *Meter, s string) (string, error) {
	out := maker{m: m}
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			err := out.write(s)
			return out.String(), err
		}
		if err := out.write(s[:i]); err != nil {
			return "", err
		}
		if err := out.writeByte(s[i+1]); err != nil {
			return "", err
		}
		s = s[i+2:]
	}
}

// vectorToArray makes an array of an int2vector or oidvector: its numbers stand with
// blanks between them, and the first has the subscript 0.
func vectorToArray(m *Meter, a []Value) (Value, error) {
	w := newArrayMaker(m)
	w.lower = 0
	for word := range strings.FieldsSeq(a[0].S) {
		if err := w.add(Item{Text: word}); err != nil {
			return Value{}, err
		}
	}
	s, err := w.finish()
	return textValue(s), err
}
