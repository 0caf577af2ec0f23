package transfer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// partComments writes what COMMENT has said of the indexes and constraints that a table is made with.
func (e *exporting) partComments(out *strings.Builder, t *store.Table) {
	for i, key := range t.Keys() {
		name := catalog.KeyName(t, i)
		if key.IndexComment != "" {
			fmt.Fprintf(out, "COMMENT ON INDEX %s IS %s;\n", exportedName(store.KeyIn(t.Schema(), name)), pgcatalog.QuoteText(key.IndexComment))
		}
		e.constraintComment(out, t, name, key.Comment)
	}
	for _, check := range t.Checks() {
		if !check.NotValid {
			e.constraintComment(out, t, check.Name, check.Comment)
		}
	}
}

// constraintComment writes what COMMENT has said of a constraint of a table.
func (e *exporting) constraintComment(out *strings.Builder, t *store.Table, name, text string) {
	if text != "" {
		fmt.Fprintf(out, "COMMENT ON CONSTRAINT %s ON %s IS %s;\n", pgcatalog.QuoteName(name), exportedName(store.KeyOf(t)), pgcatalog.QuoteText(text))
	}
}

// comments writes what COMMENT has said of a table or view, its columns, indexes and constraints.
func (e *exporting) comments(out *strings.Builder, o store.Object) {
	grants := e.state.Access().Grants(store.AccessTo(store.KindOf(o), store.KeyOf(o)))
	if grants.Comment != "" {
		fmt.Fprintf(out, "COMMENT ON %s %s IS %s;\n", strings.ToUpper(string(store.KindOf(o))), exportedName(store.KeyOf(o)), pgcatalog.QuoteText(grants.Comment))
	}
	for _, c := range slices.Sorted(maps.Keys(grants.ColumnComments)) {
		fmt.Fprintf(out, "COMMENT ON COLUMN %s.%s IS %s;\n", exportedName(store.KeyOf(o)), pgcatalog.QuoteName(c), pgcatalog.QuoteText(grants.ColumnComments[c]))
	}
	if t, ok := e.state.Lookup(store.KeyOf(o)).(*store.Table); ok {
		e.partComments(out, t)
	}
}
