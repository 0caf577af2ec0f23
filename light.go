package cubeloom

import (
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/sql"
)

// IsLight reports whether a statement costs next to nothing: one that only looks at
// or changes the session, or a query that reads at most relations of the system.
// Beginning a transaction is not light, since that is not all that will happen in
// it.
func (s *Session) IsLight(st *Statement) bool { return st == nil || s.isLight(st.parsed.Statement) }

// isLight reports whether a statement costs next to nothing.
func (s *Session) isLight(statement sql.Statement) bool {
	switch stmt := statement.(type) {
	case *sql.Query:
		return s.readsSystemOnly(stmt)
	case *sql.Transaction:
		return stmt.Kind != sql.Begin
	case *sql.Set, *sql.Show, *sql.Fetch, *sql.CloseCursor, *sql.Prepare, *sql.Deallocate, *sql.Unlisten, *sql.Discard:
		return true
	}
	return false
}

// readsSystemOnly reports whether a query reads nothing but relations of the system.
func (s *Session) readsSystemOnly(q *sql.Query) bool {
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
		if s.db.tables.State().Resolve(name) != nil || pgcatalog.Find(name) == nil {
			return false
		}
	}
	return true
}
