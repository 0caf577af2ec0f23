package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// retype binds the rows of a table with column i converted to a type; see BuildRetype.
func (b *binder) retype(name sql.Name, i int, to algebra.Type, using sql.Expr) (algebra.Node, error) {
	target, err := b.targetTable(name, "alter")
	if err != nil {
		return nil, err
	}
	node, sc, err := b.scan(target, name[len(name)-1].Name, nil, value.NoPos)
	if err != nil {
		return nil, err
	}
	cols := node.Columns()
	x := &exprBinder{binder: b, scope: sc, clause: "transform expressions", alone: "transform expression"}
	e := algebra.Expr(cols[i].Ref())
	pos := sql.NoPos
	if using != nil {
		pos = using.Position()
		if e, err = x.expr(using); err != nil {
			return nil, err
		}
	}
	if sqltype.ConversionNeeds(e.Type(), to) > sqltype.Assignment {
		return nil, noConversion(cols[i].Name, to, using != nil)
	}
	if e, err = x.assign(e, CatalogColumn{Name: cols[i].Name, Type: to}, pos); err != nil {
		return nil, err
	}
	items := passOn(cols)
	items[i] = algebra.Item{Column: b.newColumn(cols[i].Name, to, algebra.CanBeNull(e)), Expr: e}
	return &algebra.Project{Input: node, Items: items}, nil
}

// noConversion is the error for a type that the column, or what USING says, is not
// converted to where a value is stored.
func noConversion(column string, to algebra.Type, using bool) error {
	e := &value.Error{Code: value.CodeDatatypeMismatch, Pos: value.NoPos}
	if using {
		e.Message = "result of USING clause for column \"" + column + "\" cannot be cast automatically to type " + sqltype.Name(to)
		e.Hint = "You might need to add an explicit cast."
		return e
	}
	e.Message = "column \"" + column + "\" cannot be cast automatically to type " + sqltype.Name(to)
	e.Hint = "You might need to specify \"USING " + column + "::" + sqltype.Name(to) + "\"."
	return e
}
