package query

import (
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// elementsOf are the elements that hierarchy_elements('h') in FROM stands for.
func elementsOf(b *scope.Binder, t *sql.TableFunc) (*scope.Relation, error) {
	pos := int(t.Call.Pos)
	if t.Ordinality {
		return nil, term.NotSupported(t.Call.Pos, "WITH ORDINALITY of the table function hierarchy_elements is")
	}
	if len(t.Call.Args) != 1 {
		return nil, value.ErrorAt(pos, value.CodeUndefinedFunction, "hierarchy_elements takes one argument, the name of a hierarchy")
	}
	text, ok := t.Call.Args[0].(*sql.Literal)
	if !ok || text.Kind != sql.StringLiteral {
		return nil, value.ErrorAt(pos, value.CodeInvalidParameter, "the hierarchy of hierarchy_elements must be a string literal")
	}
	name, err := sql.ParseExpr(text.Text)
	ref, ok := name.(*sql.ColumnRef)
	if err != nil || !ok {
		return nil, value.ErrorAt(pos, value.CodeInvalidName, "invalid name syntax: %q", text.Text)
	}
	sql.MoveTo(ref, t.Call.Pos)
	r, err := b.LookUp(ref.Name)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, value.ErrorAt(pos, value.CodeUndefinedTable, "relation %q does not exist", text.Text)
	case r.Elements == nil:
		return nil, value.ErrorAt(pos, value.CodeWrongObjectType, "%q is not a hierarchy", text.Text)
	}
	if access := b.AccessTo(r); access != nil {
		access.Select = true
	}
	elements, err := r.Elements()
	return elements, value.At(err, pos)
}
