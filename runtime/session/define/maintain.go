package define

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Maintain runs VACUUM, ANALYZE and CHECKPOINT, which have nothing to do: tables hold no
// rows that are dead, their statistics are those of all rows, and what is committed is on
// the disk. What they name has to be there.
func Maintain(s *session.Session, stmt *sql.Maintain) *result.Result {
	res := &result.Result{Tag: strings.ToUpper(stmt.Command)}
	switch {
	case stmt.Command == "checkpoint" && !s.Superuser() && !s.Access().Has(s.User(), access.Checkpoint):
		panic(session.Denied("must be superuser or have privileges of pg_checkpoint to do CHECKPOINT"))
	case stmt.Command == "vacuum" && !s.RunsAlone():
		panic(value.Errorf(value.CodeActiveTransaction, "VACUUM cannot run inside a transaction block"))
	}
	for _, t := range stmt.Tables {
		key := sqlstate.Must(s.TargetName(t.Name))
		name := store.NameOf(key)
		table, ok := s.State().Lookup(key).(*store.Table)
		switch {
		case !ok && s.State().Lookup(key) == nil:
			panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", name))
		case !ok:
			res.Notices = append(res.Notices, skipped(name, fmt.Sprintf("cannot %s non-tables or special system tables", stmt.Command)))
			continue
		case !store.IsTemporary(key) && !s.Access().Owns(s.User(), session.RelationObject(key)) && !s.Access().Owns(s.User(), access.TheDatabase):
			res.Notices = append(res.Notices, skipped(name, fmt.Sprintf("only table or database owner can %s it", stmt.Command)))
			continue
		}
		for _, c := range t.Columns {
			if table.Ordinal(c.Name) < 0 {
				panic(value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", c.Name, name))
			}
		}
	}
	return res
}

// skipped is the warning about a table that is left out.
func skipped(name, why string) result.Notice {
	return result.NewWarning(value.CodeWarning, fmt.Sprintf("skipping %q --- %s", name, why))
}
