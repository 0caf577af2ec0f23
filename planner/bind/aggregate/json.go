package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
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
	item := expression.InJSON(c.Exprs, c.Args[0], c.Positions[0])
	before := ""
	if k := c.Args[0].Type().Kind; k == algebra.Record || k == algebra.Array {
		before = structured
		item = term.Call(algebra.Concat, algebra.TText, c.Pos, term.TextConst(structured), item)
	}
	return jsonList(c, counts, order, term.Coalesce([]algebra.Expr{item, term.TextConst("null")}, algebra.TText), "[", before, "]")
}

// structured stands before rows and arrays in an array of JSON, but before the first.
const structured = "\n "

// jsonObjectAgg makes an object of keys and values.
func jsonObjectAgg(c *scope.OrderedCall) algebra.Expr {
	if len(c.Args) != 2 {
		panic(noFunction(c))
	}
	key := expression.JSONKey(c.Exprs, c.Args[0], 0, c.Positions[0])
	member := expression.InJSONOrNull(c.Exprs, c.Args[1], c.Positions[1])
	concat := func(l, r algebra.Expr) algebra.Expr { return term.Call(algebra.Concat, algebra.TText, c.Pos, l, r) }
	return jsonList(c, counting(c), c.Order, concat(concat(key, term.TextConst(" : ")), member), "{ ", "", " }")
}

// jsonList is a list of items between brackets, the first without what stands before it;
// NULL without rows that count.
func jsonList(c *scope.OrderedCall, counts []algebra.Expr, order []algebra.SortKey, item algebra.Expr, opening, before, closing string) algebra.Expr {
	if c.Distinct && opening != "[" {
		panic(term.NotSupported(c.Pos, c.Name+" of DISTINCT rows is"))
	}
	call := algebra.WindowCall{Func: algebra.StringAgg, Args: []algebra.Expr{item, term.TextConst(", ")}}
	all := window(c, counts, order, nil, call, algebra.TText)
	list := algebra.Expr(pick(c, all, append(counts, term.NotNull(all))))
	if before != "" {
		list = term.Call(algebra.LTrim, algebra.TText, c.Pos, list, term.TextConst(before))
	}
	list = term.Call(algebra.Concat, algebra.TText, c.Pos, term.Call(algebra.Concat, algebra.TText, c.Pos, term.TextConst(opening), list), term.TextConst(closing))
	return term.OfJSON(c.Name, list, c.Pos)
}
