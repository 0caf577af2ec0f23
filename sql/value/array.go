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

// itemBytes is what an Item takes beside its text, in a slice that grows.
const itemBytes = 48

// arrayReader reads the elements of an array's text.
type arrayReader struct {
	m           *Meter
	whole, rest string
}

func (r *arrayReader) space() { r.rest = strings.TrimLeft(r.rest, arraySpace) }

// items calls each with every element of an array whose bracket has been taken, and
// counts them.
func (r *arrayReader) items(each func(Item) error) (n int64, err error) {
	r.space()
	for ; !r.take('}'); n++ {
		if n > 0 && !r.take(',') {
			return 0, r.unexpected()
		}
		item, err := r.item()
		if err == nil {
			err = each(item)
		}
		if err != nil {
			return 0, err
		}
		r.space()
	}
	if r.rest != "" {
		return 0, errMalformedArray(r.whole, "Junk after closing right brace.")
	}
	return n, nil
}

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
	text := maker{m: r.m}
	end, escapes := 0, false // where the text ends but for blanks
	for r.rest != "" && strings.IndexByte(",{}\"", r.rest[0]) < 0 {
		escaped := r.take('\\')
		if r.rest == "" {
			return Item{}, r.unexpected()
		}
		c := r.rest[0]
		text.writeByte(c)
		escapes = escapes || escaped
		if r.rest = r.rest[1:]; escaped || strings.IndexByte(arraySpace, c) < 0 {
			end = text.out.Len()
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
	text := maker{m: r.m}
	for !r.take('"') {
		if r.take('\\'); r.rest == "" {
			return Item{}, r.unexpected()
		}
		text.writeByte(r.rest[0])
		r.rest = r.rest[1:]
	}
	return Item{Text: text.String()}, nil
}
