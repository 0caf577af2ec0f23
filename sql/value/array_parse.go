package value

import (
	"strings"
)

// Show is an array as the session writes it.
func (e Shown) Show(m *Meter, array string) (string, error) {
	shown, err := mapArray(m, array, func(item Item) (Item, error) {
		if item.Null {
			return item, nil
		}
		v, err := e.Element.Parse(item.Text, false)
		if err != nil {
			return item, err
		}
		return Item{Text: e.Text(v)}, nil
	})
	return shown.S, err
}

// ParseArray reads the text of an array as PostgreSQL does and writes it again in
// its one form. Several dimensions fail with 0A000.
func ParseArray(m *Meter, s string, e Shown, explicit bool) (string, error) {
	w := newArrayMaker(m)
	lower, err := readArray(m, s, func(item Item) error {
		if !item.Null {
			v, err := e.Parse(item.Text, explicit)
			if err != nil {
				return err
			}
			item.Text = e.Element.Text(v)
		}
		w.add(item)
		return nil
	})
	if err != nil {
		return "", err
	}
	w.lower = lower
	return w.finish(), nil
}

// ReadArray reads an array that a user wrote: its first subscript and its elements.
func ReadArray(m *Meter, s string) (lower int64, items []Item, err error) {
	lower, err = readArray(m, s, func(item Item) error {
		m.MustGrow(itemBytes)
		items = append(items, item)
		return nil
	})
	return lower, items, err
}

// readArray calls each with every element of an array that a user wrote, and returns its
// first subscript.
func readArray(m *Meter, s string, each func(Item) error) (lower int64, err error) {
	inner := strings.Trim(s, arraySpace)
	lower, upper, bounded := int64(1), int64(0), strings.HasPrefix(inner, "[")
	if bounded {
		if lower, upper, inner, err = readBounds(s, inner); err != nil {
			return 0, err
		}
	}
	if !strings.HasPrefix(inner, "{") {
		detail := "Array value must start with \"{\" or dimension information."
		if bounded {
			detail = "Array contents must start with \"{\"."
		}
		return 0, errMalformedArray(s, detail)
	}
	r := arrayReader{m: m, whole: s, rest: inner[1:]}
	n, err := r.items(each)
	if err != nil {
		return 0, err
	}
	if bounded && upper-lower+1 != n {
		return 0, errMalformedArray(s, "Specified array dimensions do not match array contents.")
	}
	return lower, nil
}
