package value

import (
	"math"
	"strconv"
)

// setInArray is an array with an item at a subscript.
func setInArray(m *Meter, a []Value) (Value, error) {
	if !a[3].B {
		return Value{}, errNullSubscript()
	}
	return withItems(m, a[0].S, a[1].I, a[1].I, []Item{itemOf(m, a[2])})
}

// setSlice is an array with items of another one from a subscript up to another. The bounds of int4 stand for those of
// the array.
func setSlice(m *Meter, a []Value) (Value, error) {
	if !a[4].B {
		return Value{}, errNullSubscript()
	}
	array, lower, upper := a[0].S, a[1].I, a[2].I
	n := cardinality(m, array)
	open := lower == math.MinInt32 || upper == math.MaxInt32
	if n == 0 && open {
		e := Errorf(CodeArraySubscript, "array slice subscript must provide both boundaries")
		e.Detail = "When assigning to a slice of an empty array value, slice boundaries must be fully specified."
		return Value{}, e
	}
	if lower == math.MinInt32 {
		lower = ArrayLowerBound(array)
	}
	if upper == math.MaxInt32 {
		upper = ArrayLowerBound(array) + n - 1
	}
	switch {
	case n > 0 && lower > upper:
		return Value{}, Errorf(CodeArraySubscript, "upper bound cannot be less than lower bound")
	case lower > upper+1, upper-lower >= maxArraySize:
		return Value{}, errArraySize()
	case upper-lower >= cardinality(m, a[3].S):
		return Value{}, Errorf(CodeArraySubscript, "source array too small")
	}
	return withItems(m, array, lower, upper, SplitArray(m, a[3].S))
}

func errNullSubscript() error {
	return Errorf(CodeNullNotAllowed, "array subscript in assignment must not be null")
}

// withItems is an array with items from the subscript from up to upTo. Subscripts between them and those that there are get
// NULLs.
func withItems(m *Meter, array string, from, upTo int64, set []Item) (Value, error) {
	lower, n := ArrayLowerBound(array), cardinality(m, array)
	if n == 0 {
		lower = from
	}
	first, last := min(lower, from), max(lower+n-1, upTo)
	if last == math.MaxInt32 || last-first >= maxArraySize {
		return Value{}, errArraySize()
	}
	w := newArrayMaker(m)
	w.lower = first
	i := first
	add := func(item Item) {
		if from <= i && i <= upTo {
			item = set[i-from]
		}
		w.add(item)
		i++
	}
	for i < lower {
		add(Item{Null: true})
	}
	for item := range items(m, array) {
		add(item)
	}
	for i <= last {
		add(Item{Null: true})
	}
	return textValue(w.finish()), nil
}

func errArraySize() error {
	return Errorf("54000", "array size exceeds the maximum allowed (%d)", maxArraySize)
}

// fillArray is an array of one item, as array_fill makes it.
func fillArray(m *Meter, a []Value) (Value, error) {
	if !a[3].B {
		return Value{}, Errorf(CodeNullNotAllowed, "dimension array or low bound array cannot be null")
	}
	lengths, err := dimensionValues(m, a[1].S)
	if err != nil {
		return Value{}, err
	}
	first, err := dimensionValues(m, a[2].S)
	if err != nil {
		return Value{}, err
	}
	switch {
	case len(first) > 0 && len(first) != len(lengths):
		err := Errorf("2202E", "wrong number of array subscripts")
		err.Detail = "Low bound array has different size than dimensions array."
		return Value{}, err
	case len(lengths) == 0 || len(lengths) == 1 && lengths[0] == 0:
		return textValue("{}"), nil
	case len(lengths) > 1:
		return Value{}, Errorf(CodeFeatureNotSupported, "arrays of several dimensions are not supported")
	}
	w := newArrayMaker(m)
	if len(first) > 0 {
		w.lower = first[0]
	}
	if n := lengths[0]; n < 0 || n > maxArraySize || w.lower+n > math.MaxInt32 {
		return Value{}, errArraySize()
	}
	item := itemOf(m, a[0])
	for range lengths[0] {
		w.add(item)
	}
	return textValue(w.finish()), nil
}

// dimensionValues are the elements of an array of integers.
func dimensionValues(m *Meter, array string) (all []int64, err error) {
	for item := range items(m, array) {
		if item.Null {
			return nil, Errorf(CodeNullNotAllowed, "dimension values cannot be null")
		}
		n, err := strconv.ParseInt(item.Text, 10, 32)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}
