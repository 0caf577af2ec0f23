package write

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Truncate runs TRUNCATE.
func Truncate(ctx context.Context, s *session.Session, stmt *sql.Truncate) *result.Result {
	res := &result.Result{Tag: "TRUNCATE TABLE"}
	s.Change("TRUNCATE TABLE", func(tx *store.Tx) {
		var keys []string
		for _, n := range stmt.Names {
			name := sqlstate.Must(s.TargetName(n.Name))
			sqlstate.Check(catalog.MayChange(s, name, access.Truncate))
			table, err := tx.Table(ctx, name)
			if err != nil {
				panic(session.At(err, n.Name[0].Pos))
			}
			if n.Only && table.By() != nil {
				e := value.Errorf(value.CodeWrongObjectType, "cannot truncate only a partitioned table")
				e.Hint = "Do not specify the ONLY keyword, or use TRUNCATE ONLY on the partitions directly."
				panic(e)
			}
			keys = append(keys, name)
		}
		for i, name := range truncated(tx, keys, stmt.Cascade) {
			if i >= len(keys) {
				res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "truncate cascades to table %q", store.NameOf(name)))
				sqlstate.Check(catalog.MayChange(s, name, access.Truncate))
			}
			truncate(ctx, s, tx, name)
			if stmt.Restart {
				tx.RestartOwned(name)
			}
		}
	})
	return res
}

// truncate removes all rows of a table, by its key.
func truncate(ctx context.Context, s *session.Session, tx *store.Tx, name string) {
	if t := sqlstate.Must(tx.Table(ctx, name)); t.Of() != nil {
		sqlstate.Check(RemoveRows(ctx, s, tx, t))
		return
	}
	sqlstate.Check(tx.Truncate(ctx, name))
}

// truncated adds to tables, by their keys, those that refer to them, which TRUNCATE CASCADE empties
// too. Without cascade it fails with 0A000 where there are any.
func truncated(tx *store.Tx, keys []string, cascade bool) []string {
	for i := 0; i < len(keys); i++ {
		for _, ref := range tx.Latest().ReferencesTo(tx.State().RootKey(keys[i])) {
			key := store.KeyOf(ref.Table)
			switch {
			case slices.Contains(keys, key):
			case cascade:
				keys = append(keys, key)
			default:
				e := value.Errorf(value.CodeFeatureNotSupported, "cannot truncate a table referenced in a foreign key constraint")
				e.Detail = fmt.Sprintf("Table %q references %q.", ref.Table.Name(), store.NameOf(keys[i]))
				e.Hint = fmt.Sprintf("Truncate table %q at the same time, or use TRUNCATE ... CASCADE.", ref.Table.Name())
				panic(e)
			}
		}
	}
	return keys
}
