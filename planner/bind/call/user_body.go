package call

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Value is the value that the call returns: the expression of its text, or a subquery for the first row
// of its query.
func (c *UserCall) Value() (result algebra.Expr) {
	c.Calling(c.Function, func() { result = c.SameSubquery(c.Function, c.Args, c.text) })
	if absent := c.absent(); absent != nil {
		null := &algebra.Const{Typ: result.Type()}
		result = c.Folded(&algebra.Case{Whens: []algebra.When{{Cond: absent, Then: null}}, Else: result, Typ: result.Type()})
	}
	return result
}

// absent says whether an argument is NULL of a function that is not called then; nil where that cannot be.
func (c *UserCall) absent() algebra.Expr {
	if !c.Function.Strict {
		return nil
	}
	var nulls []algebra.Expr
	for _, arg := range c.Args {
		ref, isColumn := arg.(*algebra.ColumnRef)
		k, isConst := arg.(*algebra.Const)
		if isColumn && !ref.Column.Nullable || isConst && k.Val.Kind != value.Null {
			continue
		}
		nulls = append(nulls, c.Folded(term.IsNull(arg)))
	}
	if len(nulls) == 0 {
		return nil
	}
	return term.Connect(algebra.Or, nulls, c.call.Pos)
}

// text binds the text of a function that returns a value.
func (c *UserCall) text() algebra.Expr {
	e, q := c.parsed()
	if q == nil && e == nil {
		return term.TextNull()
	}
	env := c.InText(c.Function, c.Args)
	if e == nil {
		e = onlyExpression(q)
	}
	if e != nil {
		inner := &scope.Exprs{Binder: c.Binder, Scope: &scope.Scope{}, Env: env, Clause: c.Clause, Alone: c.Alone}
		bound := inner.Expr(e)
		if q != nil {
			bound = convert.ResolveUnknown(inner, bound, e.Position())
		}
		return c.returned(inner, bound, e.Position())
	}
	if c.Alone != "" {
		panic(term.NotSupported(sql.NoPos, "a query within a "+c.Alone+" is"))
	}
	c.CountRelation(int(q.Pos))
	rel := c.Query(q, env, false)
	columns := rel.Columns()
	if len(columns) != 1 && c.Function.Returns.Alias != algebra.Void {
		panic(mismatch(c.Function.Returns, "Final statement must return exactly one column."))
	}
	x := &scope.Exprs{Binder: c.Binder, Scope: &scope.Scope{}}
	value := c.returned(x, columns[0].Ref(), q.Pos)
	item := algebra.Item{Column: c.NewColumn(c.Function.Name, value.Type(), true), Expr: value}
	plan := &algebra.Project{Input: firstRow(rel.Node), Items: []algebra.Item{item}}
	return expression.NewSubquery(c.Binder, algebra.SubqueryScalar, plan, value.Type())
}

// parsed is the text of the function as textOf has it, which is to be bound.
func (c *UserCall) parsed() (sql.Expr, *sql.Query) {
	e, q := textOf(c.Function)
	c.Binder.Binds(e)
	c.Binder.Binds(q)
	return e, q
}

// textOf parses the text of a function: an expression, or a query; neither where it is empty.
func textOf(f *scope.UserFunction) (sql.Expr, *sql.Query) {
	if f.Form == "return" {
		return sqlstate.Must(sql.ParseExpr(f.Text)), nil
	}
	statements := sqlstate.Must(sql.ParseFunction(f.Text))
	switch {
	case len(statements) == 0 && f.Returns.Alias == algebra.Void && f.Columns == nil:
		return nil, nil
	case len(statements) == 0:
		panic(mismatch(resultOf(f), "Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING."))
	case len(statements) > 1:
		panic(value.Errorf(value.CodeFeatureNotSupported, "a function of several statements is not supported"))
	}
	q, ok := statements[0].(*sql.Query)
	if !ok || len(sql.Writes(q)) > 0 {
		panic(value.Errorf(value.CodeFeatureNotSupported, "a statement other than a query in a function is not supported"))
	}
	return nil, q
}

// onlyExpression is the expression that is all of a query; nil where that has more.
func onlyExpression(q *sql.Query) sql.Expr {
	body, ok := q.Body.(*sql.Select)
	plain := ok && q.With == nil && len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == nil && !q.Ties && len(q.Locks) == 0
	if !plain || body.Distinct || len(body.DistinctOn) > 0 || len(body.Items) != 1 || len(body.From) > 0 || body.Where != nil ||
		body.GroupBy != nil || body.Having != nil || len(body.Windows) > 0 || body.Qualify != nil {
		return nil
	}
	e := body.Items[0].Expr
	if _, star := e.(*sql.Star); star {
		return nil
	}
	_, calls := sql.NamesIn(e)
	if slices.ContainsFunc(calls, func(name sql.Name) bool { return !isScalar(name[len(name)-1].Name) }) {
		return nil
	}
	return e
}

// isScalar reports whether no function of a name needs a query around it.
func isScalar(name string) bool {
	return function.Find(function.Aggregate, name) == nil && function.Find(function.Set, name) == nil && function.Find(function.Window, name) == nil
}

// firstRow is the first row of a query.
func firstRow(n algebra.Node) algebra.Node {
	for below := n; ; {
		switch node := below.(type) {
		case *algebra.Project:
			below = node.Input
			continue
		case *algebra.Aggregate:
			if len(node.Keys) == 0 && len(node.Sets) <= 1 {
				return n
			}
		case *algebra.Values:
			if len(node.Rows) <= 1 {
				return n
			}
		case *algebra.Limit:
			if node.Count >= 0 && node.Count <= 1 {
				return n
			}
		}
		return &algebra.Limit{Input: n, Count: 1}
	}
}

// returned converts the value of a text to what the function returns.
func (c *UserCall) returned(x *scope.Exprs, e algebra.Expr, pos sql.Pos) algebra.Expr {
	to := c.Function.Returns
	if to.Alias == algebra.Void {
		return term.TextNull()
	}
	result := Returned(x, e, to, func(actual string) error { return mismatch(to, "Actual return type is "+actual+".") }, pos)
	return convert.InDomain(x, result, c.Function.Domain)
}

// Returned converts a value to the type that a function declares, or fails with what mismatch says of
// the name of its own.
func Returned(x *scope.Exprs, e algebra.Expr, to algebra.Type, mismatch func(actual string) error, pos sql.Pos) algebra.Expr {
	from := e.Type()
	if from.Kind == algebra.Decimal && to == algebra.TNumeric {
		return e
	}
	if from.Kind != algebra.Unknown && sqltype.ConversionNeeds(from, to) > sqltype.Assignment {
		panic(mismatch(sqltype.Name(from)))
	}
	return convert.Coerce(x, e, to, sqltype.Assignment, pos)
}

// resultOf is the type that messages name: a record where there are several columns.
func resultOf(f *scope.UserFunction) algebra.Type {
	if f.Columns != nil {
		return algebra.Type{Kind: algebra.Record}
	}
	return f.Returns
}

// mismatch is the error of a function that returns something else than it declares.
func mismatch(declared algebra.Type, detail string) error {
	e := value.Errorf(value.CodeInvalidFunction, "return type mismatch in function declared to return %s", sqltype.Name(declared))
	e.Detail = detail
	return e
}
