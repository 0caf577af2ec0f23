package query

import (
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// elementsOf are the elements that hierarchy_elements('h') in FROM stands for.
func elementsOf(b *scope.Binder, t *sql.TableFunc) *scope.Relation {
	pos := int(t.Call.Pos)
	if t.Ordinality {
		panic(term.NotSupported(t.Call.Pos, "WITH ORDINALITY of the table function hierarchy_elements is"))
	}
	if len(t.Call.Args) != 1 {
		panic(value.ErrorAt(pos, value.CodeUndefinedFunction, "hierarchy_elements takes one argument, the name of a hierarchy"))
	}
	text, ok := t.Call.Args[0].(*sql.Literal)
	if !ok || text.Kind != sql.StringLiteral {
		panic(value.ErrorAt(pos, value.CodeInvalidParameter, "the hierarchy of hierarchy_elements must be a string literal"))
	}
	name, err := sql.ParseExpr(text.Text)
	ref, ok := name.(*sql.ColumnRef)
	if err != nil || !ok {
		panic(value.ErrorAt(pos, value.CodeInvalidName, "invalid name syntax: %q", text.Text))
	}
	sql.MoveTo(ref, t.Call.Pos)
	r := b.LookUp(ref.Name)
	switch {
	case r == nil:
		panic(value.ErrorAt(pos, value.CodeUndefinedTable, "relation %q does not exist", text.Text))
	case r.Elements == nil:
		panic(value.ErrorAt(pos, value.CodeWrongObjectType, "%q is not a hierarchy", text.Text))
	}
	if access := b.AccessTo(r); access != nil {
		access.Select = true
	}
	elements, err := r.Elements()
	if err != nil {
		panic(value.At(err, pos))
	}
	return elements
}
