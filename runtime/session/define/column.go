package define

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
)

// storedColumn is a column as it is stored, with its default.
func storedColumn(s *session.Session, def *sql.ColumnDef, col planner.CatalogColumn) (store.Column, error) {
	c := store.Column{Name: col.Name, Type: col.Type, NotNull: col.NotNull}
	var err error
	if def.Generated != nil {
		text, err := sql.Unqualified(withoutParens(def.Generated.Text)) // the table may get another name
		c.Default = store.GeneratedAs(text)
		return c, err
	}
	if def.Default != nil {
		if key, err := sequenceDefault(s, def.Default); key != "" || err != nil {
			c.Default = store.NextOf(key)
			return c, err
		}
		c.Default, err = planner.CheckDefault(def.Default, col, catalog.Of(s), query.Options(s))
	}
	return c, err
}
