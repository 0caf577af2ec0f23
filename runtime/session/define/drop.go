package define

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Drop runs DROP TABLE, DROP VIEW, DROP HIERARCHY, DROP SEQUENCE and DROP INDEX.
func Drop(ctx context.Context, s *session.Session, stmt *sql.Drop) (*result.Result, error) {
	if stmt.Kind == "index" {
		return dropIndexes(ctx, s, stmt)
	}
	kind, tag := store.Kind(stmt.Kind), "DROP "+strings.ToUpper(stmt.Kind)
	res := &result.Result{Tag: tag}
	var names []string
	for _, n := range stmt.Names {
		name, err := s.TargetName(n)
		if err != nil {
			return nil, err
		}
		if stmt.IfExists && s.State().Lookup(name) == nil {
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "%s %q does not exist, skipping", kind, store.NameOf(name)))
			continue
		}
		if err := catalog.MayDrop(s, kind, name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return res, nil
	}
	before := s.State()
	err := s.Change(tag, func(tx *store.Tx) error { return tx.Drop(ctx, kind, names, stmt.Cascade) })
	if err != nil {
		return nil, err
	}
	if n := cascade(before, s.State(), names); n != nil {
		res.Notices = append(res.Notices, *n)
	}
	return res, nil
}

// cascade is the notice of the views that CASCADE has dropped beside what was named; nil
// where there are none.
func cascade(before, after *store.State, names []string) *result.Notice {
	var gone []string
	for reached := slices.Clone(names); len(reached) > 0; reached = reached[1:] {
		for _, v := range before.Dependents(reached[0]) {
			key, line := store.KeyOf(v), "drop cascades to "+string(store.KindOf(v))+" "+v.Name()
			if after.Lookup(key) == nil && !slices.Contains(names, key) && !slices.Contains(gone, line) {
				gone, reached = append(gone, line), append(reached, key)
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	n := result.NewNotice(value.CodeSuccess, "%s", gone[0])
	if len(gone) > 1 {
		n = result.NewNotice(value.CodeSuccess, "drop cascades to %d other objects", len(gone))
		n.Detail = strings.Join(gone, "\n")
	}
	return &n
}
