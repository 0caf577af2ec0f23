package dispatch

import (
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
)

// IsLight reports whether a statement costs next to nothing.
func IsLight(s *session.Session, statement sql.Statement) bool {
	switch stmt := statement.(type) {
	case *sql.Query:
		return len(sql.Writes(stmt)) == 0 && readsSystemOnly(s, stmt)
	case *sql.Transaction:
		return stmt.Kind != sql.Begin
	case *sql.Set, *sql.Show, *sql.Fetch, *sql.CloseCursor, *sql.Prepare, *sql.Deallocate, *sql.Unlisten, *sql.Discard:
		return true
	}
	return false
}

// readsSystemOnly reports whether a query reads nothing but relations of the system.
func readsSystemOnly(s *session.Session, q *sql.Query) bool {
	sources := sql.SourcesOf(q)
	if sources.Open {
		return false
	}
	for _, t := range sources.Tables {
		var name []string
		for _, part := range t.Name {
			name = append(name, part.Name)
		}
		if len(name) == 1 && sources.CTEs[name[0]] {
			continue
		}
		if s.DB.Tables.State().Resolve(name, []string{store.Schema}) != nil || pgcatalog.Find(name) == nil {
			return false
		}
	}
	return true
}
