package define

import (
	"context"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Drop runs DROP TABLE, DROP VIEW, DROP HIERARCHY, DROP SEQUENCE, DROP TYPE, DROP DOMAIN, DROP INDEX, DROP SCHEMA and DROP EXTENSION.
func Drop(ctx context.Context, s *session.Session, stmt *sql.Drop) *result.Result {
	switch stmt.Kind {
	case "index":
		return dropIndexes(ctx, s, stmt)
	case "schema":
		return dropSchemas(ctx, s, stmt)
	case "extension":
		return dropExtensions(stmt)
	case "type", "domain":
		return dropTypes(ctx, s, stmt)
	}
	kind, res := store.Kind(stmt.Kind), &result.Result{Tag: "DROP " + strings.ToUpper(stmt.Kind)}
	names := droppable(s, stmt, res, s.TargetName)
	if len(names) == 0 {
		return res
	}
	before, path := s.State(), s.SearchPath()
	s.Change(res.Tag, func(tx *store.Tx) {
		for _, name := range names {
			emptyPartition(ctx, s, tx, name, names)
		}
		sqlstate.Check(tx.Drop(ctx, kind, names, stmt.Cascade))
	})
	if n := cascade(before, s.State(), path, names, nil); n != nil {
		res.Notices = append(res.Notices, *n)
	}
	return res
}
