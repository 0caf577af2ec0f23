package value

// The routines of arrays have names that SQL cannot call: the binder knows the
// types of the elements. Those whose first parameter is a text take what
// Element.String writes there; an item is an element as it stands in an array.
const (
	ArrayIn        = "array in"        // (element, text) reads an array that a user wrote
	ArrayMade      = "array made"      // (text) is an array that JoinArray would write
	ArrayItem      = "array item"      // (text) writes an element as an item
	ArrayAssign    = "array assign"    // (element from, element to, array) is a cast where a row is stored
	ArrayCast      = "array cast"      // (element from, element to, array) is an explicit cast
	ArrayOrder     = "array order"     // (element, array) is ArrayKey
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
	ArrayReplace   = "array replace"   // (element, array, item, item)
	ArrayRemove    = "array remove"    // (element, array, item)
	ArrayLength    = "array length"    // (array, dimension), NULL where there is no such dimension
	ArrayLower     = "array lower"     // (array, dimension)
	ArrayUpper     = "array upper"     // (array, dimension)
	ArrayDims      = "array dims"      // (array) is its dimensions as a text
	ArrayTrim      = "array trim"      // (array, n) leaves n elements out at the end
	ArrayText      = "array text"      // (array, separator[, text of NULL])
	TextArray      = "text array"      // (text[, separator[, text of NULL]])
	VectorArray    = "vector array"    // (text) is the array of an int2vector or oidvector
	Cardinality    = "array cardinality"
)

// arrayRoutines are the functions of arrays.
var arrayRoutines = map[string][]Routine{
	ArrayIn: {{Params: "ss", Result: 'a', Call: func(a []Value) (Value, error) {
		s, err := ParseArray(a[1].S, elementOf(a[0].S), true)
		return textValue(s), err
	}}},
	ArrayMade:   {{Params: "s", Result: 'a', Call: func(a []Value) (Value, error) { return a[0], nil }}},
	ArrayItem:   {{Params: "s", Result: 's', Call: onText(func(s string) string { return string(Item{Text: s}.append(nil)) })}},
	ArrayAssign: {{Params: "ssa", Result: 'a', Call: castArray(false)}},
	ArrayCast:   {{Params: "ssa", Result: 'a', Call: castArray(true)}},
	ArrayOrder: {{Params: "sa", Result: 's', Call: func(a []Value) (Value, error) {
		s, err := ArrayKey(a[1].S, elementOf(a[0].S))
		return textValue(s), err
	}}},
	ArrayGet:       {{Params: "aw", Result: 's', Call: getElement, Nullable: true}},
	ArrayNth:       {{Params: "aw", Result: 's', Call: nthElement, Nullable: true}},
	ArraySlice:     {{Params: "aww", Result: 'a', Call: sliceArray}},
	ArrayCat:       {{Params: "aa", Result: 'a', Call: catArrays}},
	ArrayAppend:    {{Params: "as", Result: 'a', Call: func(a []Value) (Value, error) { return catArrays([]Value{a[0], inBraces(a[1])}) }}},
	ArrayPrepend:   {{Params: "sa", Result: 'a', Call: prependItem}},
	ArrayContains:  {{Params: "saa", Result: 'b', Call: containsArray}},
	ArrayOverlaps:  {{Params: "saa", Result: 'b', Call: overlapsArray}},
	ArrayAny:       {{Params: "sssa", Result: 'b', Call: quantifiedArray(true), Nullable: true}},
	ArrayAll:       {{Params: "sssa", Result: 'b', Call: quantifiedArray(false), Nullable: true}},
	ArrayPosition:  {{Params: "sasw", Result: 'w', Call: positionInArray, Nullable: true}},
	ArrayPositions: {{Params: "sas", Result: 'a', Call: positionsInArray}},
	ArrayReplace:   {{Params: "sass", Result: 'a', Call: replaceInArray}},
	ArrayRemove:    {{Params: "sas", Result: 'a', Call: removeFromArray}},
	ArrayLength:    {{Params: "aw", Result: 'w', Call: dimension(func(_, n int64) int64 { return n }), Nullable: true}},
	ArrayLower:     {{Params: "aw", Result: 'w', Call: dimension(func(lower, _ int64) int64 { return lower }), Nullable: true}},
	ArrayUpper:     {{Params: "aw", Result: 'w', Call: dimension(func(lower, n int64) int64 { return lower + n - 1 }), Nullable: true}},
	ArrayDims:      {{Params: "a", Result: 's', Call: dimensions, Nullable: true}},
	ArrayTrim:      {{Params: "aw", Result: 'a', Call: trimArray}},
	ArrayText:      {{Params: "as", Result: 's', Call: arrayToText}, {Params: "ass", Result: 's', Call: arrayToText}},
	TextArray: {
		{Params: "s", Result: 'a', Call: textToArray}, {Params: "ss", Result: 'a', Call: textToArray},
		{Params: "sss", Result: 'a', Call: textToArray},
	},
	VectorArray: {{Params: "s", Result: 'a', Call: vectorToArray}},
	Cardinality: {{Params: "a", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(int64(len(SplitArray(a[0].S)))), nil }}},
}

// castArray converts the elements of an array.
func castArray(explicit bool) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		from, to := elementOf(a[0].S), elementOf(a[1].S)
		items := SplitArray(a[2].S)
		for i := range items {
			if items[i].Null {
				continue
			}
			v, err := from.Parse(items[i].Text, false)
			if err != nil {
				return Value{}, err
			}
			if v, err = to.Convert(v, from, explicit); err != nil {
				return Value{}, err
			}
			items[i].Text = to.Text(v)
		}
		return arrayFrom(ArrayLowerBound(a[2].S), items), nil
	}
}

func arrayValue(items []Item) Value { return arrayFrom(1, items) }

// arrayFrom is the array of items whose first has a subscript.
func arrayFrom(lower int64, items []Item) Value { return textValue(JoinArrayFrom(lower, items)) }

// inBraces is the array of one item.
func inBraces(item Value) Value { return textValue("{" + item.S + "}") }

// itemOf reads an item.
func itemOf(v Value) Item { return SplitArray(inBraces(v).S)[0] }

// getElement is the text of the element with a subscript.
func getElement(a []Value) (Value, error) {
	lower, body := cutBounds(a[0].S)
	return elementAt(body, a[1].I-lower)
}

// nthElement is the text of an element by its number, counted from 1.
func nthElement(a []Value) (Value, error) {
	_, body := cutBounds(a[0].S)
	return elementAt(body, a[1].I-1)
}

// elementAt is the text of element i, counted from 0, of an array without bounds.
func elementAt(body string, i int64) (Value, error) {
	if i < 0 {
		return Value{}, nil
	}
	for rest := body[1:]; rest != "}"; i-- {
		var item Item
		if item, rest = cutItem(rest); i == 0 {
			if item.Null {
				return Value{}, nil
			}
			return textValue(item.Text), nil
		}
	}
	return Value{}, nil
}

func sliceArray(a []Value) (Value, error) {
	items, lower := SplitArray(a[0].S), ArrayLowerBound(a[0].S)
	from, to := max(a[1].I, lower), min(a[2].I, lower+int64(len(items))-1)
	if from > to {
		return arrayValue(nil), nil
	}
	return arrayValue(items[from-lower : to-lower+1]), nil
}

// catArrays joins two arrays; the first of them says what the first subscript is.
func catArrays(a []Value) (Value, error) {
	l, r := a[0].S, a[1].S
	switch {
	case len(l) == len("{}"):
		return a[1], nil
	case len(r) == len("{}"):
		return a[0], nil
	}
	return joinFrom(ArrayLowerBound(l), l, r), nil
}

// prependItem puts an item before an array, whose first subscript stays.
func prependItem(a []Value) (Value, error) {
	item, array := inBraces(a[0]), a[1].S
	if len(array) == len("{}") {
		return item, nil
	}
	return joinFrom(ArrayLowerBound(array), item.S, array), nil
}

// joinFrom joins two arrays that are not empty.
func joinFrom(lower int64, l, r string) Value {
	_, l = cutBounds(l)
	_, r = cutBounds(r)
	joined := l[:len(l)-1] + "," + r[1:]
	if lower == 1 {
		return textValue(joined)
	}
	return textValue(string(appendBounds(nil, lower, len(SplitArray(joined)))) + joined)
}

// dimension is a fact about the one dimension of an array that is not empty: of its
// first subscript and its number of elements.
func dimension(fact func(lower, n int64) int64) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		n := int64(len(SplitArray(a[0].S)))
		if n == 0 || a[1].I != 1 {
			return Value{}, nil
		}
		return intValue(fact(ArrayLowerBound(a[0].S), n)), nil
	}
}

func trimArray(a []Value) (Value, error) {
	items := SplitArray(a[0].S)
	if a[1].I < 0 || a[1].I > int64(len(items)) {
		return Value{}, Errorf("2202E", "number of elements to trim must be between 0 and %d", len(items))
	}
	return arrayValue(items[:int64(len(items))-a[1].I]), nil
}
