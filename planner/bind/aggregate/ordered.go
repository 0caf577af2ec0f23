package aggregate

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Aggregates that need the rows of a group in an order are made of windows
// below the aggregation: partitioned by the group's keys and by whether a row
// counts, a window numbers the rows in that order, and an aggregate picks the
// one that is wanted.

// OrderedForms make the windows and the result of a call.
var OrderedForms = map[function.Form]func(c *scope.OrderedCall) algebra.Expr{
	"string_agg": stringAgg, "array_agg": arrayAgg,
	"json_agg": jsonAgg, "json_object_agg": jsonObjectAgg,
	"arg_min": argMin, "arg_max": argMax,
	"median":          median,
	"percentile_cont": ofFractions(percentileCont),
	"percentile_disc": ofFractions(percentileDisc),
	"mode":            mode,
}

// OrderedForm returns how a call is bound that is one of an aggregate by
// order, nil for others. Several distinct values are counted so, too.
func OrderedForm(name string, e *sql.FuncCall) func(c *scope.OrderedCall) algebra.Expr {
	if name == "count" && e.Distinct {
		if _, ok := countedRow(e); ok {
			return countDistinctRows
		}
		if len(e.Args) > 1 {
			return countDistinct
		}
	}
	f := function.Find(function.Aggregate, name)
	if f == nil {
		return nil
	}
	return OrderedForms[f.Form]
}

// countedRow is the row value that a call counts.
func countedRow(e *sql.FuncCall) (row *sql.Row, ok bool) {
	if len(e.Args) == 1 {
		row, ok = e.Args[0].(*sql.Row)
	}
	return row, ok
}

// Ordered binds a call of an aggregate by order. Equal calls share the result.
func Ordered(x *scope.Exprs, name string, e *sql.FuncCall, bind func(c *scope.OrderedCall) algebra.Expr) algebra.Expr {
	checkWithinGroup(e)
	inner := x.InAggregate()
	c := &scope.OrderedCall{Exprs: x, Name: name, Distinct: e.Distinct, Pos: e.Pos}
	counted := *e
	if row, ok := countedRow(e); ok && name == "count" {
		counted.Args, c.Rows = row.Exprs, true
	}
	c.Args, c.Positions = convert.Args(inner, &counted)
	order := append(e.WithinGroup[:len(e.WithinGroup):len(e.WithinGroup)], e.OrderBy...)
	c.Order = sortKeys(inner, order)
	c.OrderPositions = lists.Map(order, func(by sql.OrderItem) sql.Pos { return begin(by.Expr) })
	if c.Distinct {
		checkRelabelled(c, counted.Args, order)
	}
	if WithinGroup(name) != (len(e.WithinGroup) > 0) {
		panic(noFunction(c))
	}
	if WithinGroup(name) && len(c.Order) > 0 && expression.IsArrayOrder(c.Order[0].Expr) {
		panic(term.NotSupported(e.Pos, name+" of arrays is"))
	}
	c.Filter = Filter(x, e)
	c.Exprs = LevelOf(x, term.References(everything(c), c.Filter), "aggregate functions are not allowed in %s", e.Pos)
	c.Group.Used = true
	for _, have := range c.Group.Ordered {
		if equal(have, c) {
			return have.Result
		}
	}
	c.Result = bind(c)
	c.Group.Ordered = append(c.Group.Ordered, c)
	return c.Result
}

// checkWithinGroup refuses DISTINCT and ORDER BY beside WITHIN GROUP.
func checkWithinGroup(e *sql.FuncCall) {
	switch {
	case len(e.WithinGroup) == 0:
		return
	case e.Distinct:
		panic(value.ErrorAt(int(e.Pos), value.CodeSyntax, "cannot use DISTINCT with WITHIN GROUP"))
	case len(e.OrderBy) > 0:
		panic(value.ErrorAt(int(e.Pos), value.CodeSyntax, "cannot use multiple ORDER BY clauses with WITHIN GROUP"))
	}
}

// checkRelabelled refuses keys of the order of a DISTINCT aggregate that are its arguments but for a cast of varchar(n)
// that leaves values as they are, and so no expression of its own.
func checkRelabelled(c *scope.OrderedCall, args []sql.Expr, order []sql.OrderItem) {
	for n, by := range order {
		var same, different bool
		for i, arg := range c.Args {
			if algebra.Equal(c.Order[n].Expr, orderKey(c, arg)) {
				alike := relabelled(args[i], arg) == relabelled(by.Expr, arg)
				same, different = same || alike, different || !alike
			}
		}
		if different && !same {
			panic(notAnArgument(c.OrderPositions[n]))
		}
	}
}

// begin is where an expression begins, which for a cast is where its operand does.
func begin(e sql.Expr) sql.Pos {
	if cast, ok := e.(*sql.Cast); ok {
		return min(cast.Pos, begin(cast.X))
	}
	return e.Position()
}

// relabelled is the type that a cast names which left a varchar(n) as it is, empty for other expressions.
func relabelled(e sql.Expr, bound algebra.Expr) string {
	cast, ok := e.(*sql.Cast)
	if t := bound.Type(); !ok || t.Kind != algebra.Text || t.Padded || t.Length == 0 || len(cast.Type.Args) > 0 {
		return ""
	}
	return cast.Type.Name
}

// everything is an expression that refers to all that the call refers to.
func everything(c *scope.OrderedCall) algebra.Expr {
	whens := make([]algebra.When, 0, len(c.Args)+len(c.Order))
	for _, e := range c.Args {
		whens = append(whens, algebra.When{Cond: term.IsNull(e), Then: e})
	}
	for _, k := range c.Order {
		whens = append(whens, algebra.When{Cond: term.IsNull(k.Expr), Then: k.Expr})
	}
	return &algebra.Case{Whens: whens, Typ: algebra.TUnknown}
}

func equal(c *scope.OrderedCall, d *scope.OrderedCall) bool {
	return c.Name == d.Name && c.Rows == d.Rows && c.Distinct == d.Distinct && term.SameExprs(c.Args, d.Args) &&
		term.SameKeys(c.Order, d.Order) && algebra.Equal(c.Filter, d.Filter)
}
