package cubeloom

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// preparedRows are the rows of pg_prepared_statements.
func preparedRows(v *sysView) []sysRow {
	var rows []sysRow
	prepared, _ := v.session.retained()
	for _, p := range prepared {
		var types []string
		for _, t := range p.params {
			types = append(types, preparedType(t))
		}
		rows = append(rows, sysRow{"name": p.name, "statement": p.text, "prepare_time": p.made.UnixMicro(),
			"parameter_types": "{" + strings.Join(types, ",") + "}", "from_sql": p.fromSQL})
	}
	return rows
}

// preparedType is the name of a parameter's type as an element of an array.
func preparedType(t algebra.Type) string {
	oid, _ := typeOID(t)
	name := findType(oid).sql
	if t.Kind == algebra.Unknown {
		name = "text"
	}
	if strings.Contains(name, " ") {
		return `"` + name + `"`
	}
	return name
}

// cursorRows are the rows of pg_cursors.
func cursorRows(v *sysView) []sysRow {
	var rows []sysRow
	_, cursors := v.session.retained()
	for _, c := range cursors {
		rows = append(rows, sysRow{"name": c.name, "statement": c.text, "is_holdable": c.hold, "is_scrollable": !c.forward, "creation_time": c.made.UnixMicro()})
	}
	return rows
}
