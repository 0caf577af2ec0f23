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
func (w *arrayMaker) add(item Item) {
	w.out.writeByte(w.before())
	w.n++
	w.item(item)
}

// before is what stands before the next element.
func (w *arrayMaker) before() byte {
	if w.out.out.Len() == 0 {
		return '{'
	}
	return ','
}

// item writes an element, in quotes where it needs them.
func (w *arrayMaker) item(item Item) {
	if item.Null {
		w.out.write("NULL")
		return
	}
	if !needsQuotes(w.out.m, item.Text) {
		w.out.write(item.Text)
		return
	}
	w.out.writeByte('"')
	for rest := item.Text; rest != ""; {
		end := strings.IndexAny(rest[:min(len(rest), chunkLength)], "\"\\")
		if end < 0 {
			end = min(len(rest), chunkLength)
			w.out.write(rest[:end])
		} else {
			w.out.write(rest[:end])
			w.out.writeByte('\\')
			w.out.writeByte(rest[end])
			end++
		}
		rest = rest[end:]
	}
	w.out.writeByte('"')
}

// finish ends the array and returns it.
func (w *arrayMaker) finish() string {
	if w.out.out.Len() == 0 {
		return "{}"
	}
	if w.out.writeByte('}'); w.lower == 1 {
		return w.out.String()
	}
	return Concat(w.out.m, string(appendBounds(nil, w.lower, w.n)), w.out.String())
}

// needsQuotes reports whether an element stands in quotes.
func needsQuotes(m *Meter, s string) bool {
	if s == "" || len(s) == len("null") && strings.EqualFold(s, "null") {
		return true
	}
	for at := 0; at < len(s); at += chunkLength {
		chunk := s[at:min(at+chunkLength, len(s))]
		for i := range len(chunk) {
			if arrayMarks[chunk[i]] {
				return true
			}
		}
		m.Must(len(chunk))
	}
	return false
}

// arrayMarks are the bytes that an element has in quotes only.
var arrayMarks = func() (marks [256]bool) {
	for _, c := range []byte("{},\"\\" + arraySpace) {
		marks[c] = true
	}
	return marks
}()

// JoinArray writes an array whose first subscript is 1.
func JoinArray(m *Meter, items []Item) string { return JoinArrayFrom(m, 1, items) }

// JoinArrayFrom writes an array with its first subscript; an empty one has none.
func JoinArrayFrom(m *Meter, lower int64, items []Item) string {
	w := newArrayMaker(m)
	w.lower = lower
	for _, item := range items {
		w.add(item)
	}
	return w.finish()
}

// SplitArray returns the elements of an array that JoinArray wrote.
func SplitArray(m *Meter, array string) (split []Item) {
	for item := range items(m, array) {
		m.MustGrow(itemBytes)
		split = append(split, item)
	}
	return split
}

// items are the elements of an array that JoinArray wrote.
func items(m *Meter, array string) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		_, body := cutBounds(array)
		for rest := body[1:]; rest != "}" && rest != ""; {
			var item Item
			if item, rest = cutItem(m, rest); !yield(item) {
				return
			}
		}
	}
}

// mapArray is an array of what each element becomes.
func mapArray(m *Meter, array string, to func(Item) (Item, error)) (Value, error) {
	w := newArrayMaker(m)
	w.lower = ArrayLowerBound(array)
	for item := range items(m, array) {
		made, err := to(item)
		if err != nil {
			return Value{}, err
		}
		w.add(made)
	}
	return textValue(w.finish()), nil
}

// itemWork is what reading an element costs beside its text, in bytes looked at.
const itemWork = 16

// cutItem takes the first element of an array whose bracket, or the comma, has
// been taken; what follows its comma is the rest.
func cutItem(m *Meter, s string) (item Item, rest string) {
	if s[0] != '"' {
		end := 0
		for s[end] != ',' && s[end] != '}' {
			end++
		}
		rest = strings.TrimPrefix(s[end:], ",")
		if s[:end] == "NULL" {
			m.Must(itemWork)
			return Item{Null: true}, rest
		}
		m.Must(end + itemWork)
		return Item{Text: s[:end]}, rest
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
		text = unescape(m, text)
	}
	m.Must(end + itemWork)
	return Item{Text: text}, strings.TrimPrefix(s[end+1:], ",")
}

// unescape takes the backslashes before characters away.
func unescape(m *Meter, s string) string {
	out := maker{m: m}
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			out.write(s)
			return out.String()
		}
		out.write(s[:i])
		out.writeByte(s[i+1])
		s = s[i+2:]
	}
}

// vectorToArray makes an array of an int2vector or oidvector: its numbers stand with
// blanks between them, and the first has the subscript 0.
func vectorToArray(m *Meter, a []Value) (Value, error) {
	w := newArrayMaker(m)
	w.lower = 0
	for word := range strings.FieldsSeq(a[0].S) {
		w.add(Item{Text: word})
	}
	return textValue(w.finish()), nil
}
