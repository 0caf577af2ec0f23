package write

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/query"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Retype binds the rows of a table with column i converted to a type; see BuildRetype.
func Retype(b *scope.Binder, name sql.Name, i int, to algebra.Type, using sql.Expr) algebra.Node {
	target := targetTable(b, name, "alter")
	node, sc := query.Scan(b, target, name[len(name)-1].Name, nil, value.NoPos)
	cols := node.Columns()
	x := &scope.Exprs{Binder: b, Scope: sc, Clause: "transform expressions", Alone: "transform expression"}
	e := algebra.Expr(cols[i].Ref())
	pos := sql.NoPos
	if using != nil {
		pos = using.Position()
		e = x.Expr(using)
	}
	if sqltype.ConversionNeeds(e.Type(), to) > sqltype.Assignment {
		panic(noConversion(&target.Columns[i], to, using != nil))
	}
	e = assign(x, e, scope.CatalogColumn{Name: cols[i].Name, Type: to}, pos)
	items := term.PassOn(cols)
	items[i] = algebra.Item{Column: b.NewColumn(cols[i].Name, to, algebra.CanBeNull(e)), Expr: e}
	return &algebra.Project{Input: node, Items: items}
}

// noConversion is the error for a type that the column, or what USING says, is not
// converted to where a value is stored.
func noConversion(c *scope.CatalogColumn, to algebra.Type, using bool) error {
	column := c.Name
	e := &value.Error{Code: value.CodeDatatypeMismatch, Pos: value.NoPos}
	if using {
		e.Message = "result of USING clause for column \"" + column + "\" cannot be cast automatically to type " + sqltype.Name(to)
		e.Hint = "You might need to add an explicit cast."
		return e
	}
	e.Message = "column \"" + column + "\" cannot be cast automatically to type " + sqltype.Name(to)
	if c.Generated != "" {
		return e // it takes no USING
	}
	e.Hint = "You might need to specify \"USING " + column + "::" + sqltype.Name(to) + "\"."
	return e
}
