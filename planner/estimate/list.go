package estimate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// list is a set of constants that are integers or texts, by listKey.
type list map[value.Value]struct{}

// newList returns the constants of an IN that are not NULL, and nil where one of them is
// neither an integer nor a text.
func newList(e *algebra.Call) list {
	set := make(list, len(e.Args))
	for _, arg := range e.Args[1:] {
		c, isConst := arg.(*algebra.Const)
		if !isConst || c.Val.Kind == value.Null {
			continue
		}
		key, ok := listKey(c.Val)
		if !ok {
			return nil
		}
		set[key] = struct{}{}
	}
	return set
}

// holds reports whether a value is in the set; ok is false where the set cannot say.
func (l list) holds(v value.Value) (found, ok bool) {
	key, ok := listKey(v)
	if !ok || l == nil {
		return false, false
	}
	_, found = l[key]
	return found, true
}

// listKey is what is equal of equal integers and of equal texts; ok is false for other
// values.
func listKey(v value.Value) (key value.Value, ok bool) {
	switch v.Kind {
	case value.Int:
		return value.Value{Kind: value.Int, I: v.I}, true
	case value.Text:
		return value.Value{Kind: value.Text, S: v.S}, true
	}
	return v, false
}
