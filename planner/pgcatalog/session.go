package pgcatalog

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// preparedRows are the rows of pg_prepared_statements.
func preparedRows(v *View) []Row {
	var rows []Row
	prepared, _ := v.Of.Retained()
	for _, p := range prepared {
		types := lists.Map(p.Params, v.preparedType)
		rows = append(rows, Row{"name": p.Name, "statement": p.Text, "prepare_time": p.Made.UnixMicro(),
			"parameter_types": "{" + strings.Join(types, ",") + "}", "from_sql": p.FromSQL})
	}
	return rows
}

// preparedType is the name of a parameter's type as an element of an array.
func (v *View) preparedType(p planner.Parameter) string {
	t, array := p.Type, ""
	if p.Domain != nil {
		return v.typeName(p.Domain)
	}
	if t.Kind == algebra.Array {
		t, array = t.Element(), "[]"
	}
	oid, _ := TypeOID(t)
	name := findType(v.types(), oid).sql + array
	if t.Kind == algebra.Unknown {
		name = "text"
	}
	if strings.Contains(name, " ") {
		return `"` + name + `"`
	}
	return name
}

// cursorRows are the rows of pg_cursors.
func cursorRows(v *View) []Row {
	var rows []Row
	_, cursors := v.Of.Retained()
	for _, c := range cursors {
		rows = append(rows, Row{"name": c.Name, "statement": c.Text, "is_holdable": c.Hold, "is_scrollable": !c.Forward, "creation_time": c.Made.UnixMicro()})
	}
	return rows
}
