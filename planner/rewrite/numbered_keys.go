package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// numberedKeys groups by the number of a text where a CASE chooses one of several constants: groups of few integers
// lie in an array, and no text is hashed or compared for each row.
//
//	before: aggregate by CASE WHEN b < 10 THEN 'few' ELSE 'many' END
//	after:  project CASE k WHEN 0 THEN 'few' WHEN 1 THEN 'many' END over aggregate by CASE WHEN b < 10 THEN 0 ELSE 1 END as k
//	never:  CASE WHEN b < 10 THEN 'few' ELSE x END: which texts there are only the rows say
func numberedKeys(c *context, n algebra.Node) algebra.Node {
	made := make(map[algebra.Node]bool)
	return c.transform(n, func(n algebra.Node) algebra.Node {
		switch n := n.(type) {
		case *algebra.Aggregate:
			out := c.numberKeys(n)
			made[out] = out != n
			return out
		case *algebra.Filter:
			if made[n.Input] {
				return belowTexts(n, n.Input.(*algebra.Project))
			}
		}
		return n
	})
}

// belowTexts leaves conditions on groups right above their aggregation, where cubes look for those that they prune by.
func belowTexts(n *algebra.Filter, texts *algebra.Project) algebra.Node {
	return mapInput(texts, &algebra.Filter{Input: texts.Input, Conds: substituteAll(n.Conds, texts.Items)})
}

// numberKeys groups by numbers in the place of all keys that are chosen texts.
func (c *context) numberKeys(agg *algebra.Aggregate) algebra.Node {
	with := *agg
	with.Keys = slices.Clone(agg.Keys)
	results := make(map[algebra.ColumnID]algebra.Expr)
	for i := range agg.Keys {
		if texts := textsOf(agg.Keys[i].Expr); texts != nil {
			results[agg.Keys[i].Column.ID] = c.numberKey(&with, i, texts)
		}
	}
	if len(results) == 0 {
		return agg
	}
	return withResults(agg, &with, results)
}

// numberKey groups by the numbers of the texts of one key, and returns the text of a group.
func (c *context) numberKey(agg *algebra.Aggregate, i int, texts chosenTexts) algebra.Expr {
	key := &agg.Keys[i]
	typ := key.Column.Type
	key.Expr, key.Column = texts.number(key.Expr), c.newColumn(key.Column)
	key.Column.Type = algebra.TInt32
	return texts.text(agg.Columns()[i], typ)
}

// chosenTexts are the different constants between which a CASE chooses. The number of each is its place.
type chosenTexts []*algebra.Const

// textsOf returns the texts between which a CASE chooses, nil where it chooses between others, or is none.
func textsOf(e algebra.Expr) chosenTexts {
	var texts chosenTexts
	if _, ok := e.(*algebra.Case); !ok || e.Type().Kind != algebra.Text || !identifies(e.Type()) || !texts.take(e) {
		return nil
	}
	return texts
}

// take takes in the branches of a text, and reports whether all are constants.
func (t *chosenTexts) take(e algebra.Expr) bool {
	switch e := e.(type) {
	case *algebra.Case:
		for _, when := range e.Whens {
			if !t.take(when.Then) {
				return false
			}
		}
		return e.Else == nil || t.take(e.Else)
	case *algebra.Const:
		if !isNull(e) && t.place(e) < 0 {
			*t = append(*t, e)
		}
		return true
	}
	return false
}

// place returns the place of a constant, -1 where it has none.
func (t chosenTexts) place(e *algebra.Const) int {
	return slices.IndexFunc(t, func(c *algebra.Const) bool { return c.Val.S == e.Val.S })
}

// number returns a CASE with the numbers of its texts in their places.
func (t chosenTexts) number(e algebra.Expr) algebra.Expr {
	if e, ok := e.(*algebra.Case); ok {
		out := &algebra.Case{Whens: slices.Clone(e.Whens), Typ: algebra.TInt32}
		for i := range out.Whens {
			out.Whens[i].Then = t.number(e.Whens[i].Then)
		}
		if e.Else != nil {
			out.Else = t.number(e.Else)
		}
		return out
	}
	if isNull(e) {
		return &algebra.Const{Typ: algebra.TInt32}
	}
	return int32Const(t.place(e.(*algebra.Const)))
}

// text returns the text whose number a column holds, NULL for NULL.
func (t chosenTexts) text(number algebra.Column, typ algebra.Type) algebra.Expr {
	out := &algebra.Case{Typ: typ}
	for i, c := range t {
		is := newCall(algebra.Eq, number.Ref(), int32Const(i))
		out.Whens = append(out.Whens, algebra.When{Cond: is, Then: &algebra.Const{Val: c.Val, Typ: typ}})
	}
	if last := len(t) - 1; !number.Nullable {
		out.Else, out.Whens = out.Whens[last].Then, out.Whens[:last]
	}
	return out
}
