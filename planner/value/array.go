package value

import "strings"

// An array of one dimension is a Value of kind Text: the text that PostgreSQL
// writes it as, so that two arrays of elements with one text each are equal where
// their texts are. ParseArray makes it, JoinArray of items. An array whose
// first subscript is not 1 has its bounds before its elements, as in [0:1]={a,b}.

// Item is an element of an array as a text, or NULL.
type Item struct {
	Text string
	Null bool
}

// arraySpace are the bytes that an array's text may have around its elements.
const arraySpace = " \t\n\v\f\r"

func errMalformedArray(s, detail string) error {
	err := Errorf(CodeInvalidText, "malformed array literal: \"%s\"", s)
	err.Detail = detail
	return err
}

// ParseArray reads the text of an array as PostgreSQL does and writes it again in
// its one form. Several dimensions fail with 0A000.
func ParseArray(s string, e Element, explicit bool) (string, error) {
	lower, items, err := ReadArray(s)
	if err != nil {
		return "", err
	}
	for i := range items {
		if items[i].Null {
			continue
		}
		v, err := e.Parse(items[i].Text, explicit)
		if err != nil {
			return "", err
		}
		items[i].Text = e.Text(v)
	}
	return JoinArrayFrom(lower, items), nil
}

// ReadArray reads an array that a user wrote: its first subscript and its elements.
func ReadArray(s string) (lower int64, items []Item, err error) {
	inner := strings.Trim(s, arraySpace)
	lower, upper, bounded := int64(1), int64(0), strings.HasPrefix(inner, "[")
	if bounded {
		if lower, upper, inner, err = readBounds(s, inner); err != nil {
			return 0, nil, err
		}
	}
	if !strings.HasPrefix(inner, "{") {
		detail := "Array value must start with \"{\" or dimension information."
		if bounded {
			detail = "Array contents must start with \"{\"."
		}
		return 0, nil, errMalformedArray(s, detail)
	}
	if items, err = readItems(s, inner[1:]); err != nil {
		return 0, nil, err
	}
	if bounded && upper-lower+1 != int64(len(items)) {
		return 0, nil, errMalformedArray(s, "Specified array dimensions do not match array contents.")
	}
	return lower, items, nil
}

// readItems reads the elements of an array whose bracket has been taken.
func readItems(whole, rest string) ([]Item, error) {
	r := arrayReader{whole: whole, rest: rest}
	r.space()
	var items []Item
	for !r.take('}') {
		if len(items) > 0 && !r.take(',') {
			return nil, r.unexpected()
		}
		item, err := r.item()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		r.space()
	}
	if r.rest != "" {
		return nil, errMalformedArray(whole, "Junk after closing right brace.")
	}
	return items, nil
}

// arrayReader reads the elements of an array's text.
type arrayReader struct {
	whole, rest string
}

func (r *arrayReader) space() { r.rest = strings.TrimLeft(r.rest, arraySpace) }

// take reads one byte where it comes next.
func (r *arrayReader) take(c byte) bool {
	if r.rest == "" || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *arrayReader) unexpected() error {
	if r.rest == "" {
		return errMalformedArray(r.whole, "Unexpected end of input.")
	}
	return errMalformedArray(r.whole, "Unexpected \""+r.rest[:1]+"\" character.")
}

// item reads an element.
func (r *arrayReader) item() (Item, error) {
	r.space()
	if r.take('{') {
		return Item{}, Errorf(CodeFeatureNotSupported, "arrays of several dimensions are not supported")
	}
	if r.take('"') {
		return r.quoted()
	}
	var text strings.Builder
	end, escapes := 0, false // where the text ends but for blanks
	for r.rest != "" && strings.IndexByte(",{}\"", r.rest[0]) < 0 {
		escaped := r.take('\\')
		if r.rest == "" {
			return Item{}, r.unexpected()
		}
		c := r.rest[0]
		text.WriteByte(c)
		escapes = escapes || escaped
		if r.rest = r.rest[1:]; escaped || strings.IndexByte(arraySpace, c) < 0 {
			end = text.Len()
		}
	}
	word := text.String()[:end]
	if word == "" || r.rest == "" || r.rest[0] == '{' || r.rest[0] == '"' {
		return Item{}, r.unexpected()
	}
	if !escapes && strings.EqualFold(word, "null") {
		return Item{Null: true}, nil
	}
	return Item{Text: word}, nil
}

// quoted reads the rest of an element in quotes.
func (r *arrayReader) quoted() (Item, error) {
	var text strings.Builder
	for !r.take('"') {
		if r.take('\\'); r.rest == "" {
			return Item{}, r.unexpected()
		}
		text.WriteByte(r.rest[0])
		r.rest = r.rest[1:]
	}
	return Item{Text: text.String()}, nil
}

// JoinArray writes an array whose first subscript is 1.
func JoinArray(items []Item) string { return JoinArrayFrom(1, items) }

// JoinArrayFrom writes an array with its first subscript; an empty one has none.
func JoinArrayFrom(lower int64, items []Item) string {
	out := append(appendBounds(nil, lower, len(items)), '{')
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = item.append(out)
	}
	return string(append(out, '}'))
}

// append writes an element, in quotes where it needs them.
func (item Item) append(out []byte) []byte {
	s := item.Text
	switch {
	case item.Null:
		return append(out, "NULL"...)
	case s != "" && !strings.EqualFold(s, "null") && strings.IndexFunc(s, isArrayMark) < 0:
		return append(out, s...)
	}
	out = append(out, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			out = append(out, '\\')
		}
		out = append(out, s[i])
	}
	return append(out, '"')
}

// isArrayMark tells which characters an element has in quotes only.
func isArrayMark(r rune) bool { return strings.ContainsRune("{},\"\\"+arraySpace, r) }

// SplitArray gives the elements of an array that JoinArray wrote.
func SplitArray(array string) []Item {
	var items []Item
	_, array = cutBounds(array)
	for rest := array[1:]; rest != "}" && rest != ""; {
		var item Item
		item, rest = cutItem(rest)
		items = append(items, item)
	}
	return items
}

// cutItem takes the first element of an array whose bracket, or the comma, has
// been taken; what follows its comma is the rest.
func cutItem(s string) (item Item, rest string) {
	if s[0] != '"' {
		end := strings.IndexAny(s, ",}")
		rest = strings.TrimPrefix(s[end:], ",")
		if s[:end] == "NULL" {
			return Item{Null: true}, rest
		}
		return Item{Text: s[:end]}, rest
	}
	end := 1
	for escaped := false; escaped || s[end] != '"'; end++ {
		escaped = !escaped && s[end] == '\\'
	}
	text := s[1:end]
	if strings.IndexByte(text, '\\') >= 0 {
		text = unescape(text)
	}
	return Item{Text: text}, strings.TrimPrefix(s[end+1:], ",")
}

// unescape takes the backslashes before characters away.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}
