package transfer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// comments writes what COMMENT has said of a table or view and its columns.
func (e *exporting) comments(out *strings.Builder, o store.Object) {
	grants := e.state.Access().Grants(store.AccessTo(store.KindOf(o), store.KeyOf(o)))
	if grants.Comment != "" {
		fmt.Fprintf(out, "COMMENT ON %s %s IS %s;\n", strings.ToUpper(string(store.KindOf(o))), exportedName(store.KeyOf(o)), pgcatalog.QuoteText(grants.Comment))
	}
	for _, c := range slices.Sorted(maps.Keys(grants.ColumnComments)) {
		fmt.Fprintf(out, "COMMENT ON COLUMN %s.%s IS %s;\n", exportedName(store.KeyOf(o)), pgcatalog.QuoteName(c), pgcatalog.QuoteText(grants.ColumnComments[c]))
	}
}
