package value

import (
	"fmt"
	"strconv"
	"strings"
)

// searchKey is what equal elements have in common; NULL is none.
func (e Element) searchKey(item Item) (string, error) {
	if item.Null || e.Canonical() {
		return item.Text, nil
	}
	return e.key(item.Text)
}

// searchKeys are the keys of an array's elements.
func (e Element) searchKeys(array string) (items []Item, keys []string, err error) {
	items = SplitArray(array)
	keys = make([]string, len(items))
	for i, item := range items {
		if keys[i], err = e.searchKey(item); err != nil {
			return nil, nil, err
		}
	}
	return items, keys, nil
}

// elementSet are the elements of an array that are not NULL, and whether one is.
func (e Element) elementSet(array string) (set map[string]bool, null bool, err error) {
	items, keys, err := e.searchKeys(array)
	set = make(map[string]bool, len(items))
	for i, item := range items {
		if item.Null {
			null = true
			continue
		}
		set[keys[i]] = true
	}
	return set, null, err
}

func containsArray(a []Value) (Value, error) {
	e := elementOf(a[0].S)
	whole, _, err := e.elementSet(a[1].S)
	if err != nil {
		return Value{}, err
	}
	part, null, err := e.elementSet(a[2].S)
	contained := !null // NULL equals nothing
	for key := range part {
		contained = contained && whole[key]
	}
	return boolValue(contained), err
}

func overlapsArray(a []Value) (Value, error) {
	e := elementOf(a[0].S)
	one, _, err := e.elementSet(a[1].S)
	if err != nil {
		return Value{}, err
	}
	other, _, err := e.elementSet(a[2].S)
	common := false
	for key := range other {
		common = common || one[key]
	}
	return boolValue(common), err
}

// places calls found with the place, counted from 1, of each element from a place on
// that is the item a[2], where NULL is NULL, until found says that it has enough.
func places(a []Value, from int64, found func(i int64) bool) error {
	e := elementOf(a[0].S)
	item := itemOf(a[2])
	key, err := e.searchKey(item)
	if err != nil {
		return err
	}
	items, keys, err := e.searchKeys(a[1].S)
	for i := max(from, 1); i <= int64(len(items)); i++ {
		if items[i-1].Null == item.Null && keys[i-1] == key && !found(i) {
			break
		}
	}
	return err
}

func positionInArray(a []Value) (Value, error) {
	var out Value
	before := ArrayLowerBound(a[1].S) - 1
	err := places(a, a[3].I-before, func(i int64) bool {
		out = intValue(i + before)
		return false
	})
	return out, err
}

func positionsInArray(a []Value) (Value, error) {
	var found []Item
	before := ArrayLowerBound(a[1].S) - 1
	err := places(a, 1, func(i int64) bool {
		found = append(found, Item{Text: strconv.FormatInt(i+before, 10)})
		return true
	})
	return arrayValue(found), err
}

func replaceInArray(a []Value) (Value, error) {
	items, by := SplitArray(a[1].S), itemOf(a[3])
	err := places(a, 1, func(i int64) bool {
		items[i-1] = by
		return true
	})
	return arrayFrom(ArrayLowerBound(a[1].S), items), err
}

func removeFromArray(a []Value) (Value, error) {
	items := SplitArray(a[1].S)
	kept, next := []Item(nil), int64(0)
	err := places(a, 1, func(i int64) bool {
		kept = append(kept, items[next:i-1]...)
		next = i
		return true
	})
	return arrayFrom(ArrayLowerBound(a[1].S), append(kept, items[next:]...)), err
}

// quantifiedArray tests an item against each element: for ANY one must pass, for
// ALL none may fail; where NULL leaves that open the result is NULL.
func quantifiedArray(anyOf bool) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		e, passes := elementOf(a[0].S), orderTests[a[1].S]
		item := itemOf(a[2])
		var key string
		var err error
		if !item.Null {
			if key, err = e.key(item.Text); err != nil {
				return Value{}, err
			}
		}
		open := false
		for _, other := range SplitArray(a[3].S) {
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

func dimensions(a []Value) (Value, error) {
	n, lower := int64(len(SplitArray(a[0].S))), ArrayLowerBound(a[0].S)
	if n == 0 {
		return Value{}, nil
	}
	return textValue(fmt.Sprintf("[%d:%d]", lower, lower+n-1)), nil
}

// arrayToText joins the elements; NULLs are left out unless their text is given.
func arrayToText(a []Value) (Value, error) {
	var parts []string
	for _, item := range SplitArray(a[0].S) {
		switch {
		case !item.Null:
			parts = append(parts, item.Text)
		case len(a) > 2:
			parts = append(parts, a[2].S)
		}
	}
	return textValue(strings.Join(parts, a[1].S)), nil
}

// textToArray splits a text: at a separator, or, without one, into characters. An
// empty separator splits nothing. Parts that are the text of NULL become it.
func textToArray(a []Value) (Value, error) {
	var parts []string
	switch s := a[0].S; {
	case s == "":
	case len(a) == 1:
		parts = strings.Split(s, "")
	case a[1].S == "":
		parts = []string{s}
	default:
		parts = strings.Split(s, a[1].S)
	}
	items := make([]Item, len(parts))
	for i, part := range parts {
		items[i] = Item{Text: part, Null: len(a) > 2 && part == a[2].S}
	}
	return arrayValue(items), nil
}
