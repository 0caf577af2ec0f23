package value

import (
	"math"
	"strconv"
)

// setInArray is an array with an item at a subscript. Subscripts between it and those that there are get NULLs.
func setInArray(m *Meter, a []Value) (Value, error) {
	if !a[3].B {
		return Value{}, Errorf(CodeNullNotAllowed, "array subscript in assignment must not be null")
	}
	at, set := a[1].I, itemOf(m, a[2])
	lower, n := ArrayLowerBound(a[0].S), cardinality(m, a[0].S)
	if n == 0 {
		lower = at
	}
	first, last := min(lower, at), max(lower+n-1, at)
	if last == math.MaxInt32 || last-first >= maxArraySize {
		return Value{}, errArraySize()
	}
	w := newArrayMaker(m)
	w.lower = first
	i := first
	addNulls := func(upTo int64) {
		for ; i < upTo; i++ {
			w.add(Item{Null: true})
		}
	}
	if at < lower {
		w.add(set)
		i++
		addNulls(lower)
	}
	for item := range items(m, a[0].S) {
		if i == at {
			item = set
		}
		w.add(item)
		i++
	}
	if at >= i {
		addNulls(at)
		w.add(set)
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
