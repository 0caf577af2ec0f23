package value

import (
	"strings"
	"unsafe"
)

// The routines of arrays have names that SQL cannot call: the binder knows the
// types of the elements. Those whose first parameter is a text take what
// Element.String writes there; an item is an element as it stands in an array.
const (
	ArrayIn        = "array in"        // (element, text[, style, zone]) reads an array that a user wrote
	ArrayShown     = "array shown"     // (element, array, style, zone) is its text in a session
	ArrayMade      = "array made"      // (text) is an array that JoinArray would write
	ArrayItem      = "array item"      // (text) writes an element as an item
	ArrayAssign    = "array assign"    // (element from, element to, array[, style, zone]) is a cast where a row is stored
	ArrayCast      = "array cast"      // (element from, element to, array[, style, zone]) is an explicit cast
	ArrayOrder     = "array order"     // (element, array) is ArrayKey
	ArrayKeyed     = "array keyed"     // (element, array) is its ArrayKey and, behind a NUL, the array
	ArrayOfKeyed   = "array of keyed"  // (text) is the array of such a text
	ArrayGet       = "array get"       // (array, i) is the text of the element with subscript i; NULL where there is none
	ArrayNth       = "array nth"       // (array, i) is the text of the i-th element, whatever its subscript
	ArraySlice     = "array slice"     // (array, i, j) is elements i to j
	ArrayCat       = "array cat"       // (array, array)
	ArrayAppend    = "array append"    // (array, item)
	ArrayPrepend   = "array prepend"   // (item, array)
	ArrayContains  = "array contains"  // (element, array, array): the first has all elements of the second
	ArrayOverlaps  = "array overlaps"  // (element, array, array): they have an element in common
	ArrayAny       = "array any"       // (element, operator, item, array) is item operator ANY (array)
	ArrayAll       = "array all"       // (element, operator, item, array) is item operator ALL (array)
	ArrayPosition  = "array position"  // (element, array, item, i) is where the item is, from i on; NULL for nowhere
	ArrayPositions = "array positions" // (element, array, item) is all places of the item
	ArrayBucket    = "array bucket"    // (element, array, item) is the bucket of the item between thresholds
	ArrayReplace   = "array replace"   // (element, array, item, item)
	ArrayRemove    = "array remove"    // (element, array, item)
	ArrayLength    = "array length"    // (array, dimension), NULL where there is no such dimension
	ArrayLower     = "array lower"     // (array, dimension)
	ArrayUpper     = "array upper"     // (array, dimension)
	ArrayDims      = "array dims"      // (array) is its dimensions as a text
	ArraySet       = "array set"       // (array, i, item, i is not NULL) is the array with the item as the element with subscript i; (array, i, j, items, both are not NULL) with those of an array as the elements from i up to j
	ArrayFill      = "array fill"      // (item, lengths, first subscripts, no array is NULL) is an array of the item
	ArrayTrim      = "array trim"      // (array, n) leaves n elements out at the end
	ArrayText      = "array text"      // (array, separator[, text of NULL])
	TextArray      = "text array"      // (text[, separator[, text of NULL]])
	VectorArray    = "vector array"    // (text) is the array of an int2vector or oidvector
	Cardinality    = "array cardinality"
)

func arrayIn(m *Meter, a []Value) (Value, error) {
	e, err := shownOf(a[0], a[2:])
	if err != nil {
		return Value{}, err
	}
	s, err := ParseArray(m, a[1].S, e, true)
	return textValue(s), err
}

// shownOf reads the arguments of a routine: an element and, where they differ from those in which
// arrays are kept, a style and a zone.
func shownOf(element Value, session []Value) (Shown, error) {
	e := Shown{Element: elementOf(element.S)}
	if len(session) == 0 {
		return e, nil
	}
	zone, ok := FindZone(session[1].S)
	if !ok {
		return e, errZone(session[1].S)
	}
	e.Style, e.Zone = ParseStyle(session[0].S), zone
	return e, nil
}

// showArray is the routine ArrayShown.
func showArray(m *Meter, a []Value) (Value, error) {
	e, err := shownOf(a[0], a[2:])
	if err != nil {
		return Value{}, err
	}
	s, err := e.Show(m, a[1].S)
	return textValue(s), err
}

func itemText(m *Meter, a []Value) (Value, error) {
	w := newArrayMaker(m)
	w.item(Item{Text: a[0].S})
	return textValue(w.out.String()), nil
}

func arrayKey(m *Meter, a []Value) (Value, error) {
	s, err := ArrayKey(m, a[1].S, elementOf(a[0].S))
	return textValue(s), err
}

// keyedArray orders as the array does: no key has a NUL.
func keyedArray(m *Meter, a []Value) (Value, error) {
	key, err := ArrayKey(m, a[1].S, elementOf(a[0].S))
	w := maker{m: m}
	w.reserve(len(key) + 1 + len(a[1].S))
	w.copy(key)
	w.writeByte(0)
	w.copy(a[1].S)
	return textValue(w.String()), err
}

func arrayOfKeyed(m *Meter, a []Value) (Value, error) {
	m.Must(len(a[0].S))
	_, array, _ := strings.Cut(a[0].S, "\x00")
	return textValue(array), nil
}

// castArray converts the elements of an array.
func castArray(explicit bool) func(*Meter, []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		from, err := shownOf(a[0], a[3:])
		if err != nil {
			return Value{}, err
		}
		to := Shown{Element: elementOf(a[1].S), Style: from.Style, Zone: from.Zone}
		return mapArray(m, a[2].S, func(item Item) (Item, error) {
			if item.Null {
				return item, nil
			}
			v, err := from.Element.Parse(item.Text, false)
			if err == nil {
				v, err = to.Convert(v, from, explicit)
			}
			if err != nil {
				return item, err
			}
			return Item{Text: to.Element.Text(v)}, nil
		})
	}
}

// cardinality is the number of elements.
func cardinality(m *Meter, array string) (n int64) {
	for range items(m, array) {
		n++
	}
	return n
}

// inBraces is the array of one item.
func inBraces(item Value) Value { return textValue("{" + item.S + "}") }

// itemOf reads an item.
func itemOf(m *Meter, v Value) Item {
	item, _ := cutItem(m, v.S+"}")
	return item
}

// elementWalk finds elements of arrays. It remembers where the one behind the last one
// begins, for callers that take one after the other.
type elementWalk struct {
	array, rest string
	lower       int64
	next        int64 // the number of the first element of rest, counted from 0
}

// get is the text of the element with a subscript.
func (w *elementWalk) get(m *Meter, array string, i int64) (text string, ok bool) {
	w.enter(array)
	return w.at(m, i-w.lower)
}

// nth is the text of an element by its number, counted from 1.
func (w *elementWalk) nth(m *Meter, array string, i int64) (text string, ok bool) {
	w.enter(array)
	return w.at(m, i-1)
}

func (w *elementWalk) enter(array string) {
	if !same(array, w.array) {
		w.array = array
		w.restart()
	}
}

func (w *elementWalk) restart() {
	lower, body := cutBounds(w.array)
	w.lower, w.rest, w.next = lower, body[1:], 0
}

// at is the text of element i, counted from 0; ok is false where that is NULL or there is none.
func (w *elementWalk) at(m *Meter, i int64) (text string, ok bool) {
	if i < 0 {
		return "", false
	}
	if i < w.next {
		w.restart()
	}
	for w.rest != "}" {
		item, rest := cutItem(m, w.rest)
		w.rest = rest
		if w.next++; w.next <= i {
			continue
		}
		return item.Text, !item.Null
	}
	return "", false
}

// same reports whether two texts are in one place.
func same(a, b string) bool { return len(a) == len(b) && unsafe.StringData(a) == unsafe.StringData(b) }

func sliceArray(m *Meter, a []Value) (Value, error) {
	lower, body := cutBounds(a[0].S)
	return cutArray(m, body, max(a[1].I-lower, 0)+1, a[2].I-lower+1)
}

// cutArray is an array of the elements from one place up to another, counted from 1, of
// an array without bounds.
func cutArray(m *Meter, array string, from, upTo int64) (Value, error) {
	rest := array[1:]
	start := -1
	for i := int64(1); i <= upTo && rest != "}"; i++ {
		if i == from {
			start = len(array) - len(rest)
		}
		_, rest = cutItem(m, rest)
	}
	if start < 0 {
		return textValue("{}"), nil
	}
	end := len(array) - len(rest)
	w := maker{m: m}
	w.write("{")
	w.write(strings.TrimSuffix(array[start:end], ","))
	w.writeByte('}')
	return textValue(w.String()), nil
}

// catArrays joins two arrays; the first of them says what the first subscript is.
func catArrays(m *Meter, a []Value) (Value, error) {
	l, r := a[0].S, a[1].S
	switch {
	case len(l) == len("{}"):
		return a[1], nil
	case len(r) == len("{}"):
		return a[0], nil
	}
	return joinFrom(m, ArrayLowerBound(l), l, r)
}

// prependItem puts an item before an array, whose first subscript stays.
func prependItem(m *Meter, a []Value) (Value, error) {
	item, array := inBraces(a[0]), a[1].S
	if len(array) == len("{}") {
		return item, nil
	}
	return joinFrom(m, ArrayLowerBound(array), item.S, array)
}

// joinFrom joins two arrays that are not empty.
func joinFrom(m *Meter, lower int64, l, r string) (Value, error) {
	_, l = cutBounds(l)
	_, r = cutBounds(r)
	w := maker{m: m}
	w.reserve(len(l) + len(r) - 1)
	w.copy(l[:len(l)-1])
	w.copy(",")
	w.copy(r[1:])
	if lower == 1 {
		return textValue(w.String()), nil
	}
	n := cardinality(m, w.String())
	return textValue(Concat(m, string(appendBounds(nil, lower, int(n))), w.String())), nil
}

// dimension is a fact about the one dimension of an array that is not empty: of its
// first subscript and its number of elements.
func dimension(fact func(lower, n int64) int64) func(*Meter, []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		n := cardinality(m, a[0].S)
		if n == 0 || a[1].I != 1 {
			return Value{}, nil
		}
		return intValue(fact(ArrayLowerBound(a[0].S), n)), nil
	}
}

func trimArray(m *Meter, a []Value) (Value, error) {
	n := cardinality(m, a[0].S)
	if a[1].I < 0 || a[1].I > n {
		return Value{}, Errorf("2202E", "number of elements to trim must be between 0 and %d", n)
	}
	_, body := cutBounds(a[0].S)
	return cutArray(m, body, 1, n-a[1].I)
}
