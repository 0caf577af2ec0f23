package define

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// storedColumn is a column as it is stored, with its default.
func storedColumn(s *session.Session, def *sql.ColumnDef, col planner.CatalogColumn) store.Column {
	c := plainColumn(col)
	c.NotNull = col.NotNull
	switch {
	case def.Generated != nil: // the table may get another name
		c.Default = store.GeneratedAs(stored(s, withoutParens(def.Generated.Text)))
	case def.Default != nil:
		c.Default = columnDefault(s, def.Default, col)
	}
	return c
}

// plainColumn is a column as it is stored that can be NULL and has no default.
func plainColumn(c planner.CatalogColumn) store.Column {
	return store.Column{Name: c.Name, Type: c.Type, Domain: algebra.DomainOID(c.Domain)}
}

// columnDefault is the default of a column as it is stored.
func columnDefault(s *session.Session, def *sql.DefaultExpr, col planner.CatalogColumn) string {
	if key := sqlstate.Must(sequenceDefault(s, def)); key != "" {
		return store.NextOf(key)
	}
	if text := sqlstate.Must(planner.CheckDefault(def, col, catalog.Of(s), query.Options(s))); text != "" {
		return stored(s, text)
	}
	return ""
}
