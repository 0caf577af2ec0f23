package value

import (
	"fmt"
	"sort"
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
func (e Element) searched(m *Meter, array string, each func(item Item, key string) (more bool)) error {
	for item := range items(m, array) {
		key, err := e.searchKey(item)
		if err != nil {
			return err
		}
		if !each(item, key) {
			break
		}
	}
	return nil
}

// setBytes is what an element of a set takes beside its text.
const setBytes = 64

// elementSet are the elements of an array that are not NULL.
func (e Element) elementSet(m *Meter, array string) (map[string]bool, error) {
	set := make(map[string]bool)
	err := e.searched(m, array, func(item Item, key string) bool {
		if !item.Null && !set[key] {
			set[key] = true
			m.MustGrow(setBytes)
		}
		return true
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
	err = e.searched(m, a[2].S, func(item Item, key string) bool {
		contained = !item.Null && whole[key] // NULL equals nothing
		return contained
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
	err = e.searched(m, a[2].S, func(item Item, key string) bool {
		common = !item.Null && one[key]
		return !common
	})
	return boolValue(common), err
}

// equals says which elements are an item, where NULL is NULL.
func (e Element) equals(m *Meter, v Value) (func(Item) (bool, error), error) {
	item := itemOf(m, v)
	key, err := e.searchKey(item)
	return func(other Item) (bool, error) {
		k, err := e.searchKey(other)
		return other.Null == item.Null && k == key, err
	}, err
}

// places calls found with the place, counted from 1, of each element from a place on
// that is the item a[2], until found says that it has enough.
func places(m *Meter, a []Value, from int64, found func(i int64) (more bool)) error {
	equal, err := elementOf(a[0].S).equals(m, a[2])
	if err != nil {
		return err
	}
	i := int64(0)
	for item := range items(m, a[1].S) {
		is, err := equal(item)
		if err != nil {
			return err
		}
		if i++; !is || i < from {
			continue
		}
		if !found(i) {
			break
		}
	}
	return nil
}

func positionInArray(m *Meter, a []Value) (Value, error) {
	var out Value
	before := ArrayLowerBound(a[1].S) - 1
	err := places(m, a, a[3].I-before, func(i int64) bool {
		out = intValue(i + before)
		return false
	})
	return out, err
}

func positionsInArray(m *Meter, a []Value) (Value, error) {
	found := newArrayMaker(m)
	before := ArrayLowerBound(a[1].S) - 1
	err := places(m, a, 1, func(i int64) bool {
		found.add(Item{Text: strconv.FormatInt(i+before, 10)})
		return true
	})
	return textValue(found.finish()), err
}

func replaceInArray(m *Meter, a []Value) (Value, error) {
	equal, err := elementOf(a[0].S).equals(m, a[2])
	if err != nil {
		return Value{}, err
	}
	by := itemOf(m, a[3])
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
	for item := range items(m, a[1].S) {
		is, err := equal(item)
		if err != nil {
			return Value{}, err
		}
		if !is {
			kept.add(item)
		}
	}
	return textValue(kept.finish()), nil
}

// quantifiedArray tests an item against each element: for ANY one must pass, for
// ALL none may fail; where NULL leaves that open the result is NULL.
func quantifiedArray(anyOf bool) func(*Meter, []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		e, passes := elementOf(a[0].S), orderTests[a[1].S]
		item, key := itemOf(m, a[2]), ""
		if !item.Null {
			var err error
			if key, err = e.key(item.Text); err != nil {
				return Value{}, err
			}
		}
		open := false
		for other := range items(m, a[3].S) {
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
		if open {
			return Value{}, nil
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
	n := cardinality(m, a[0].S)
	if n == 0 {
		return Value{}, nil
	}
	lower := ArrayLowerBound(a[0].S)
	return textValue(fmt.Sprintf("[%d:%d]", lower, lower+n-1)), nil
}

// arrayToText joins the elements; NULLs are left out unless their text is given.
func arrayToText(m *Meter, a []Value) (Value, error) {
	w := maker{m: m}
	first := true
	for item := range items(m, a[0].S) {
		if item.Null && len(a) == 2 {
			continue
		}
		if item.Null {
			item.Text = a[2].S
		}
		if !first {
			w.write(a[1].S)
		}
		w.write(item.Text)
		first = false
	}
	return textValue(w.String()), nil
}

// textToArray splits a text: at a separator, or, without one, into characters. An
// empty separator splits nothing. Parts that are the text of NULL become it.
func textToArray(m *Meter, a []Value) (Value, error) {
	w := newArrayMaker(m)
	part := func(text string) { w.add(Item{Text: text, Null: len(a) > 2 && text == a[2].S}) }
	switch s := a[0].S; {
	case s == "":
	case len(a) == 1:
		for s != "" {
			_, size := utf8.DecodeRuneInString(s)
			part(s[:size])
			s = s[size:]
		}
	case a[1].S == "":
		part(s)
	default:
		eachPart(m, s, a[1].S, part)
	}
	return textValue(w.finish()), nil
}

// eachPart calls part with every part of a text between separators.
func eachPart(m *Meter, s, separator string, part func(string)) {
	for i := index(m, s, separator); i >= 0; i = index(m, s, separator) {
		part(s[:i])
		s = s[i+len(separator):]
	}
	part(s)
}

// bucketInArray is how many thresholds, which ascend, are not greater than an item. As PostgreSQL's
// it is found by halves, also where they do not ascend.
func bucketInArray(m *Meter, a []Value) (Value, error) {
	e, item := elementOf(a[0].S), itemOf(m, a[2])
	if item.Null {
		return Value{}, nil
	}
	var thresholds []string
	for threshold := range items(m, a[1].S) {
		if threshold.Null {
			return Value{}, Errorf(CodeNullNotAllowed, "thresholds array must not contain NULLs")
		}
		key, err := e.key(threshold.Text)
		if err != nil {
			return Value{}, err
		}
		m.MustGrow(setBytes)
		thresholds = append(thresholds, key)
	}
	key, err := e.key(item.Text)
	return intValue(int64(sort.Search(len(thresholds), func(i int) bool { return key < thresholds[i] }))), err
}
