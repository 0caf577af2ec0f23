package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

// jsonAgg makes an array of JSON of the values, NULLs too.
func jsonAgg(c *scope.OrderedCall) algebra.Expr {
	if len(c.Args) != 1 {
		panic(noFunction(c))
	}
	counts, order := counting(c), c.Order
	if c.Distinct {
		counts, order = distinct(c, counts, convert.ResolveUnknown(c.Exprs, c.Args[0], c.Positions[0]))
	}
	item, before := JSONItem(c.Exprs, c.Args[0], c.Positions[0])
	return jsonList(c, counts, order, item, "[", before, "]")
}

// JSONItem is a value as an item of an array of JSON, and what stands before it where it is not the first.
func JSONItem(x *scope.Exprs, v algebra.Expr, pos sql.Pos) (item algebra.Expr, before string) {
	item = expression.InJSON(x, v, pos)
	if k := v.Type().Kind; k == algebra.Record || k == algebra.Array {
		before = structured
		item = term.Call(algebra.Concat, algebra.TText, pos, term.TextConst(structured), item)
	}
	return term.Coalesce([]algebra.Expr{item, term.TextConst("null")}, algebra.TText), before
}

// structured stands before rows and arrays in an array of JSON, but before the first.
const structured = "\n "

// jsonObjectAgg makes an object of keys and values.
func jsonObjectAgg(c *scope.OrderedCall) algebra.Expr {
	if len(c.Args) != 2 {
		panic(noFunction(c))
	}
	return jsonList(c, counting(c), c.Order, JSONMember(c.Exprs, c.Args, c.Positions), "{ ", "", " }")
}

// JSONMember is a key and a value as a member of an object of JSON.
func JSONMember(x *scope.Exprs, args []algebra.Expr, positions []sql.Pos) algebra.Expr {
	key := expression.JSONKey(x, args[0], 0, positions[0])
	member := expression.InJSONOrNull(x, args[1], positions[1])
	named := term.Call(algebra.Concat, algebra.TText, positions[0], key, term.TextConst(" : "))
	return term.Call(algebra.Concat, algebra.TText, positions[0], named, member)
}

// jsonList is a list of items between brackets, the first without what stands before it;
// NULL without rows that count.
func jsonList(c *scope.OrderedCall, counts []algebra.Expr, order []algebra.SortKey, item algebra.Expr, opening, before, closing string) algebra.Expr {
	if c.Distinct && opening != "[" {
		panic(term.NotSupported(c.Pos, c.Name+" of DISTINCT rows is"))
	}
	items := concatenated(c, algebra.StringAgg, counts, order, item, term.TextConst(", "))
	return JSONList(c.Name, items, opening, before, closing, c.Pos)
}

// JSONList is the result of a function of JSON: a text of items between brackets, the first without what stands before it.
func JSONList(name string, list algebra.Expr, opening, before, closing string, pos sql.Pos) algebra.Expr {
	if before != "" {
		list = term.Call(algebra.LTrim, algebra.TText, pos, list, term.TextConst(before))
	}
	list = term.Call(algebra.Concat, algebra.TText, pos, term.Call(algebra.Concat, algebra.TText, pos, term.TextConst(opening), list), term.TextConst(closing))
	return term.OfJSON(name, list, pos)
}
