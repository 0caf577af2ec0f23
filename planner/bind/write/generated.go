package write

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CheckGenerated checks the expression of column i of a table, which is to be generated; see
// planner.CheckGenerated.
func CheckGenerated(b *scope.Binder, table *scope.Relation, i int, e sql.Expr) {
	columns, functions := sql.NamesIn(e)
	for _, name := range columns {
		if at := find(table, name[len(name)-1].Name); at >= 0 && table.Columns[at].Generated != "" {
			panic(&value.Error{
				Code: value.CodeInvalidObjectDefinition, Pos: int(name[0].Pos),
				Message: "cannot use generated column \"" + table.Columns[at].Name + "\" in column generation expression",
				Detail:  "A generated column cannot reference another generated column.",
			})
		}
	}
	_, sc := query.Scan(b, table, table.Ref.Name, nil, value.NoPos)
	sc.Is(table.Schema, table.Ref.Name)
	c := &table.Columns[i]
	x, bound := generationExpr(b, sc, e, c)
	if b.Momentary || mutable(functions, bound) {
		panic(value.Errorf(value.CodeInvalidObjectDefinition, "generation expression is not immutable"))
	}
	convert.Coerce(x, bound, sqltype.Unlimited(c.Type), sqltype.Assignment, e.Position())
}

// ofZones are the functions that are stable where they take timestamps with time zone alone, as the
// casts within them show.
var ofZones = []string{"extract", "date_part", "date_trunc"}

// mutable reports whether an expression that calls functions may have another value for the same
// row at another time.
func mutable(functions []sql.Name, bound algebra.Expr) bool {
	return slices.ContainsFunc(functions, isMutable) || term.Contains(bound, isMutableCast)
}

// isMutable reports whether a function may return another result for the same arguments at
// another time.
func isMutable(name sql.Name) bool {
	text := strings.TrimPrefix(name.Dotted(), "pg_catalog.")
	f := function.Find(function.Scalar, text)
	return f != nil && f.Volatility != function.Immutable && !slices.Contains(ofZones, text)
}

// isMutableCast reports whether an expression is a cast that depends on the session's settings.
func isMutableCast(e algebra.Expr) bool {
	c, ok := e.(*algebra.Call)
	if ok && (c.Func == value.EnumIn || c.Func == value.EnumOut) {
		return true // ALTER TYPE changes labels
	}
	if !ok || c.Func != algebra.Cast {
		return false
	}
	from, to := c.Args[0].Type(), c.Typ
	zoned := (from.Kind == algebra.TimestampTZ) != (to.Kind == algebra.TimestampTZ)
	written := (from.Kind == algebra.Text) != (to.Kind == algebra.Text) && (isMoment(from) || isMoment(to))
	return zoned || written
}

// isMoment reports whether the text of a type's values depends on the session's settings.
func isMoment(t algebra.Type) bool {
	switch t.Kind {
	case algebra.Date, algebra.Timestamp, algebra.TimestampTZ, algebra.Interval, algebra.Array:
		return true
	}
	return false
}

// generationExpr binds the expression of a generated column over the columns of a scope.
func generationExpr(b *scope.Binder, sc *scope.Scope, e sql.Expr, c *scope.CatalogColumn) (*scope.Exprs, algebra.Expr) {
	x := &scope.Exprs{Binder: b, Scope: sc, Clause: "column generation expressions", Alone: "column generation expression"}
	bound := x.Expr(e)
	mustSuit(bound, c)
	return x, bound
}

// generatedColumns are the generated columns of a table, by position: those that are among some
// columns or read one of them.
func generatedColumns(target *scope.Relation, among func(name string) bool) (list []int) {
	for i := range target.Columns {
		c := &target.Columns[i]
		if c.Generated == "" {
			continue
		}
		read, _ := sql.NamesIn(parsed(c.Generated))
		if among(c.Name) || slices.ContainsFunc(read, func(n sql.Name) bool { return among(n[len(n)-1].Name) }) {
			list = append(list, i)
		}
	}
	return list
}

// generatedValues compute columns of a table of the columns of a row, of which the first ones are
// those of the table.
func generatedValues(b *scope.Binder, target *scope.Relation, columns []int, row []algebra.Column) []algebra.Expr {
	sc := scope.New(target.Ref.Name, row[:len(target.Columns)])
	values := make([]algebra.Expr, len(columns))
	for n, i := range columns {
		c := &target.Columns[i]
		x, bound := generationExpr(b, sc, parsed(c.Generated), c)
		values[n] = assign(x, bound, *c, sql.NoPos)
	}
	return values
}

// generateAll gives rows whose first columns are those of a table the values of its generated ones.
func generateAll(b *scope.Binder, target *scope.Relation, node algebra.Node) algebra.Node {
	columns := generatedColumns(target, func(string) bool { return true })
	if len(columns) == 0 {
		return node
	}
	items := term.PassOn(node.Columns())
	for n, e := range generatedValues(b, target, columns, node.Columns()) {
		c := &target.Columns[columns[n]]
		items[columns[n]] = algebra.Item{Column: b.NewColumn(c.Name, c.Type, algebra.CanBeNull(e)), Expr: e}
	}
	return &algebra.Project{Input: node, Items: items}
}

// Refill binds the rows of a table with the values that its last column is to have, which takes those of a
// sequence, or that its generated columns are.
func Refill(b *scope.Binder, name sql.Name) algebra.Node {
	target := targetTable(b, name, "alter")
	node, _ := query.Scan(b, target, target.Ref.Name, nil, value.NoPos)
	last := len(target.Columns) - 1
	c := &target.Columns[last]
	if c.Sequence == "" {
		return generateAll(b, target, node)
	}
	numbered := nextOfRows(b, node, target, []int{last}, target.Ref.Rows)
	e := assign(&scope.Exprs{Binder: b}, numbered.Columns()[last+1].Ref(), *c, sql.NoPos)
	items := term.PassOn(node.Columns())
	items[last] = algebra.Item{Column: b.NewColumn(c.Name, c.Type, false), Expr: e}
	return &algebra.Project{Input: numbered, Items: items}
}

// parsed is an expression that was stored as a text, which has no places in the statement.
func parsed(text string) sql.Expr {
	e, err := sql.ParseExpr(text)
	if err != nil {
		panic(value.WithoutPos(err))
	}
	sql.MoveTo(e, sql.NoPos)
	return e
}
