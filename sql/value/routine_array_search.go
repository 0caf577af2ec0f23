package value

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// searchKey is what equal elements have in common; NULL is none.
func (e Element) searchKey(item Item) (string, error) {
	if item.Null || e.Canonical() {
		return item.Text, nil
	}
	return e.key(item.Text)
}

// searched calls each with every element of an array and its key, until it says that
// it has enough.
func (e Element) searched(m *Meter, array string, each func(item Item, key string) (more bool, err error)) error {
	var err error
	for item := range items(m, array, &err) {
		key, err := e.searchKey(item)
		if err != nil {
			return err
		}
		if more, err := each(item, key); err != nil || !more {
			return err
		}
	}
	return err
}

// setBytes is what an element of a set takes beside its text.
const setBytes = 64

// elementSet are the elements of an array that are not NULL.
func (e Element) elementSet(m *Meter, array string) (map[string]bool, error) {
	set := make(map[string]bool)
	err := e.searched(m, array, func(item Item, key string) (bool, error) {
		if item.Null || set[key] {
			return true, nil
		}
		set[key] = true
		return true, m.Grow(setBytes)
	})
	return set, err
}

func containsArray(m *Meter, a []Value) (Value, error) {
	e := elementOf(a[0].S)
	whole, err := e.elementSet(m, a[1].S)
	if err != nil {
		return Value{}, err
	}
	contained := true
	err = e.searched(m, a[2].S, func(item Item, key string) (bool, error) {
		contained = !item.Null && whole[key] // NULL equals nothing
		return contained, nil
	})
	return boolValue(contained), err
}

func overlapsArray(m *Meter, a []Value) (Value, error) {
	e := elementOf(a[0].S)
	one, err := e.elementSet(m, a[1].S)
	if err != nil {
		return Value{}, err
	}
	common := false
	err = e.searched(m, a[2].S, func(item Item, key string) (bool, error) {
		common = !item.Null && one[key]
		return !common, nil
	})
	return boolValue(common), err
}

// equals says which elements are an item, where NULL is NULL.
func (e Element) equals(m *Meter, v Value) (func(Item) (bool, error), error) {
	item, err := itemOf(m, v)
	if err != nil {
		return nil, err
	}
	key, err := e.searchKey(item)
	return func(other Item) (bool, error) {
		k, err := e.searchKey(other)
		return other.Null == item.Null && k == key, err
	}, err
}

// places calls found with the place, counted from 1, of each element from a place on
// that is the item a[2], until found says that it has enough.
func places(m *Meter, a []Value, from int64, found func(i int64) (more bool, err error)) error {
	equal, err := elementOf(a[0].S).equals(m, a[2])
	if err != nil {
		return err
	}
	i := int64(0)
	for item := range items(m, a[1].S, &err) {
		is, err := equal(item)
		if err != nil {
			return err
		}
		if i++; !is || i < from {
			continue
		}
		if more, err := found(i); err != nil || !more {
			return err
		}
	}
	return err
}

func positionInArray(m *Meter, a []Value) (Value, error) {
	var out Value
	before := ArrayLowerBound(a[1].S) - 1
	err := places(m, a, a[3].I-before, func(i int64) (bool, error) {
		out = intValue(i + before)
		return false, nil
	})
	return out, err
}

func positionsInArray(m *Meter, a []Value) (Value, error) {
	found := newArrayMaker(m)
	before := ArrayLowerBound(a[1].S) - 1
	err := places(m, a, 1, func(i int64) (bool, error) {
		return true, found.add(Item{Text: strconv.FormatInt(i+before, 10)})
	})
	if err != nil {
		return Value{}, err
	}
	s, err := found.finish()
	return textValue(s), err
}

func replaceInArray(m *Meter, a []Value) (Value, error) {
	equal, err := elementOf(a[0].S).equals(m, a[2])
	if err != nil {
		return Value{}, err
	}
	by, err := itemOf(m, a[3])
	if err != nil {
		return Value{}, err
	}
	return mapArray(m, a[1].S, func(item Item) (Item, error) {
		is, err := equal(item)
		if is {
			item = by
		}
		return item, err
	})
}

func removeFromArray(m *Meter, a []Value) (Value, error) {
	equal, err := elementOf(a[0].S).equals(m, a[2])
	if err != nil {
		return Value{}, err
	}
	kept := newArrayMaker(m)
	kept.lower = ArrayLowerBound(a[1].S)
	for item := range items(m, a[1].S, &err) {
		is, err := equal(item)
		if err == nil && !is {
			err = kept.add(item)
		}
		if err != nil {
			return Value{}, err
		}
	}
	if err != nil {
		return Value{}, err
	}
	s, err := kept.finish()
	return textValue(s), err
}

// quantifiedArray tests an item against each element: for ANY one must pass, for
// ALL none may fail; where NULL leaves that open the result is NULL.
func quantifiedArray(anyOf bool) func(*Meter, []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		e, passes := elementOf(a[0].S), orderTests[a[1].S]
		item, err := itemOf(m, a[2])
		if err != nil {
			return Value{}, err
		}
		var key string
		if !item.Null {
			if key, err = e.key(item.Text); err != nil {
				return Value{}, err
			}
		}
		open := false
		for other := range items(m, a[3].S, &err) {
			if open = open || item.Null || other.Null; item.Null || other.Null {
				continue
			}
			k, err := e.key(other.Text)
			if err != nil {
				return Value{}, err
			}
			if passes(strings.Compare(key, k)) == anyOf {
				return boolValue(anyOf), nil
			}
		}
		if open || err != nil {
			return Value{}, err
		}
		return boolValue(!anyOf), nil
	}
}

// orderTests are the comparisons by their operators.
var orderTests = map[string]func(order int) bool{
	"=": func(o int) bool { return o == 0 }, "<>": func(o int) bool { return o != 0 },
	"<": func(o int) bool { return o < 0 }, "<=": func(o int) bool { return o <= 0 },
	">": func(o int) bool { return o > 0 }, ">=": func(o int) bool { return o >= 0 },
}

func dimensions(m *Meter, a []Value) (Value, error) {
	n, err := cardinality(m, a[0].S)
	if n == 0 || err != nil {
		return Value{}, err
	}
	lower := ArrayLowerBound(a[0].S)
	return textValue(fmt.Sprintf("[%d:%d]", lower, lower+n-1)), nil
}

// arrayToText joins the elements; NULLs are left out unless their text is given.
func arrayToText(m *Meter, a []Value) (Value, error) {
	w := maker{m: m}
	var err error
	first := true
	for item := range items(m, a[0].S, &err) {
		if item.Null && len(a) == 2 {
			continue
		}
		if item.Null {
			item.Text = a[2].S
		}
		if !first {
			err = w.write(a[1].S)
		}
		if err == nil {
			err = w.write(item.Text)
		}
		if err != nil {
			break
		}
		first = false
	}
	return textValue(w.String()), err
}

// textToArray splits a text: at a separator, or, without one, into characters. An
// empty separator splits nothing. Parts that are the text of NULL become it.
func textToArray(m *Meter, a []Value) (Value, error) {
	w := newArrayMaker(m)
	part := func(text string) error {
		return w.add(Item{Text: text, Null: len(a) > 2 && text == a[2].S})
	}
	var err error
	switch s := a[0].S; {
	case s == "":
	case len(a) == 1:
		for s != "" && err == nil {
			_, size := utf8.DecodeRuneInString(s)
			err = part(s[:size])
			s = s[size:]
		}
	case a[1].S == "":
		err = part(s)
	default:
		err = eachPart(m, s, a[1].S, part)
	}
	if err != nil {
		return Value{}, err
	}
	out, err := w.finish()
	return textValue(out), err
}

// eachPart calls part with every part of a text between separators.
func eachPart(m *Meter, s, separator string, part func(string) error) error {
	for {
		i, err := index(m, s, separator)
		if err != nil {
			return err
		}
		if i < 0 {
			return part(s)
		}
		if err := part(s[:i]); err != nil {
			return err
		}
		s = s[i+len(separator):]
	}
}
