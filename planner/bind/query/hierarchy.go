package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// hierarchyElements binds hierarchy_elements('h') in FROM: the elements of a hierarchy.
func hierarchyElements(b *scope.Binder, t *sql.TableFunc) (algebra.Node, *scope.Scope, error) {
	pos := int(t.Call.Pos)
	if t.Ordinality {
		return nil, nil, term.NotSupported(t.Call.Pos, "WITH ORDINALITY of the table function hierarchy_elements is")
	}
	if len(t.Call.Args) != 1 {
		return nil, nil, value.ErrorAt(pos, value.CodeUndefinedFunction, "hierarchy_elements takes one argument, the name of a hierarchy")
	}
	text, ok := t.Call.Args[0].(*sql.Literal)
	if !ok || text.Kind != sql.StringLiteral {
		return nil, nil, value.ErrorAt(pos, value.CodeInvalidParameter, "the hierarchy of hierarchy_elements must be a string literal")
	}
	name, err := sql.ParseExpr(text.Text)
	ref, ok := name.(*sql.ColumnRef)
	if err != nil || !ok {
		return nil, nil, value.ErrorAt(pos, codeInvalidName, "invalid name syntax: %q", text.Text)
	}
	sql.MoveTo(ref, t.Call.Pos)
	if err := b.CountRelation(pos); err != nil {
		return nil, nil, err
	}
	r, err := b.LookUp(ref.Name)
	switch {
	case err != nil:
		return nil, nil, err
	case r == nil:
		return nil, nil, value.ErrorAt(pos, value.CodeUndefinedTable, "relation %q does not exist", text.Text)
	case r.Elements == nil:
		return nil, nil, value.ErrorAt(pos, value.CodeWrongObjectType, "%q is not a hierarchy", text.Text)
	}
	if access := b.AccessTo(r); access != nil {
		access.Select = true
	}
	elements, err := r.Elements()
	if err != nil {
		return nil, nil, value.At(err, pos)
	}
	alias := t.Alias.Name
	if alias == "" {
		alias = "hierarchy_elements"
	}
	return Scan(b, elements, alias, t.Columns, pos)
}

// codeInvalidName is the SQLSTATE of a text that is no name.
const codeInvalidName = "42602"
