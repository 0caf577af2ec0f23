package expression

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// arrayQuery binds ARRAY(query) as the scalar subquery
//
//	coalesce((SELECT array_agg(v ORDER BY k1, …) FROM (query) AS q (v, k1, …)), '{}')
//
// in which the query has its ORDER BY's expressions as columns more: the rows of a
// derived table have no order.
func arrayQuery(x *scope.Exprs, e *sql.ArrayQuery) algebra.Expr {
	oneColumn(x, e)
	name := func(what string) sql.Ident { return sql.Ident{Name: what, Pos: e.Pos} }
	column := func(id sql.Ident) sql.Expr { return &sql.ColumnRef{Name: sql.Name{id}} }
	columns := []sql.Ident{name("v")}
	inner, keys := sortedQuery(e.Query)
	agg := &sql.FuncCall{Name: sql.Name{name("array_agg")}, Args: []sql.Expr{column(columns[0])}, Pos: e.Pos}
	hidden := 0
	for i, order := range e.Query.OrderBy {
		key := columns[0]
		if keys[i] {
			hidden++
			key = name(fmt.Sprint("k", hidden))
			columns = append(columns, key)
		}
		agg.OrderBy = append(agg.OrderBy, sql.OrderItem{Expr: column(key), Desc: order.Desc, Nulls: order.Nulls})
	}
	rows := &sql.DerivedTable{Query: inner, Alias: name("q"), Columns: columns, Pos: e.Pos}
	query := &sql.Query{Body: &sql.Select{Items: []sql.SelectItem{{Expr: agg}}, From: []sql.TableExpr{rows}, Pos: e.Pos}, Pos: e.Pos}
	empty := &sql.Literal{Kind: sql.StringLiteral, Text: "{}", Pos: e.Pos}
	return x.Call(&sql.FuncCall{
		Name: sql.Name{name("coalesce")}, Args: []sql.Expr{&sql.Subquery{Query: query, Pos: e.Pos}, empty}, Pos: e.Pos,
	})
}

// oneColumn checks that the query of an array has one column.
func oneColumn(x *scope.Exprs, e *sql.ArrayQuery) {
	if body, ok := e.Query.Body.(*sql.Select); ok && len(body.Items) == 1 && !isStar(body.Items[0].Expr) {
		return
	}
	if rel := Subquery(x, e.Query, e.Pos); len(rel.Columns()) != 1 {
		panic(value.ErrorAt(int(e.Pos), value.CodeSyntax, "subquery must return only one column"))
	}
}

func isStar(e sql.Expr) bool {
	_, star := e.(*sql.Star)
	return star
}

// sortedQuery is a query of one column with those expressions of its ORDER BY as
// further columns that are not that column, and which those are.
func sortedQuery(q *sql.Query) (*sql.Query, []bool) {
	added := make([]bool, len(q.OrderBy))
	body, ok := q.Body.(*sql.Select)
	if !ok || body.Distinct || len(body.DistinctOn) > 0 {
		return q, added // whose ORDER BY can only be of its column
	}
	query, list := *q, *body
	query.Body, list.Items, query.OrderBy = &list, slices.Clone(body.Items), slices.Clone(q.OrderBy)
	for i, order := range q.OrderBy {
		if added[i] = !isFirstColumn(order.Expr, body.Items[0]); added[i] {
			list.Items = append(list.Items, sql.SelectItem{Expr: order.Expr})
		}
	}
	return &query, added
}

// isFirstColumn reports whether an expression of ORDER BY is the number or the name
// of the first column.
func isFirstColumn(e sql.Expr, first sql.SelectItem) bool {
	switch e := e.(type) {
	case *sql.Literal:
		return e.Kind == sql.IntegerLiteral
	case *sql.ColumnRef:
		name := first.Alias.Name
		if name == "" {
			name = term.OutputName(first.Expr)
		}
		return len(e.Name) == 1 && e.Name[0].Name == name
	}
	return false
}
