package define

import (
	"context"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Drop runs DROP TABLE, DROP VIEW, DROP HIERARCHY, DROP SEQUENCE, DROP INDEX, DROP SCHEMA and DROP EXTENSION.
func Drop(ctx context.Context, s *session.Session, stmt *sql.Drop) *result.Result {
	switch stmt.Kind {
	case "index":
		return dropIndexes(ctx, s, stmt)
	case "schema":
		return dropSchemas(ctx, s, stmt)
	case "extension":
		return dropExtensions(stmt)
	}
	kind, tag := store.Kind(stmt.Kind), "DROP "+strings.ToUpper(stmt.Kind)
	res := &result.Result{Tag: tag}
	var names []string
	for _, n := range stmt.Names {
		name, err := s.TargetName(n)
		if stmt.IfExists && session.IsNoSchema(err) {
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "schema %q does not exist, skipping", n[len(n)-2].Name))
			continue
		}
		sqlstate.Check(err)
		if stmt.IfExists && s.State().Lookup(name) == nil {
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "%s %q does not exist, skipping", kind, store.NameOf(name)))
			continue
		}
		sqlstate.Check(catalog.MayDrop(s, kind, name))
		names = append(names, name)
	}
	if len(names) == 0 {
		return res
	}
	before, path := s.State(), s.SearchPath()
	s.Change(tag, func(tx *store.Tx) { sqlstate.Check(tx.Drop(ctx, kind, names, stmt.Cascade)) })
	if n := cascade(before, s.State(), path, names); n != nil {
		res.Notices = append(res.Notices, *n)
	}
	return res
}
