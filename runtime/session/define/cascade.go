package define

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// cascade is the notice of what CASCADE has dropped beside what was named, the sequences of
// tables aside, by who looks names up in a path; nil where there is none. Columns of tables are
// those that have gone with types.
func cascade(before, after *store.State, path, names, columns []string) *result.Notice {
	var types, gone, references []string
	names = before.WithBelow(names)
	for _, o := range before.Objects() {
		key := store.KeyOf(o)
		references = append(references, goneReferences(before, after, path, o)...)
		q, sequence := o.(*store.Sequence)
		if after.Lookup(key) == nil && !slices.Contains(names, key) && !(sequence && q.OwnerTable != "") {
			line := fmt.Sprintf("%s %s", store.KindOf(o), session.Written(before, path, o))
			if store.KindOf(o) == store.KindType {
				types = append(types, line)
			} else {
				gone = append(gone, line)
			}
		}
	}
	gone = lists.Map(slices.Concat(types, columns, gone), func(what string) string { return "drop cascades to " + what })
	if gone = append(gone, references...); len(gone) == 0 {
		return nil
	}
	n := result.NewNotice(value.CodeSuccess, "%s", gone[0])
	if len(gone) > 1 {
		n = result.NewNotice(value.CodeSuccess, "drop cascades to %d other objects", len(gone))
		n.Detail = strings.Join(gone, "\n")
	}
	return &n
}

// goneReferences says of each FOREIGN KEY constraint that a table has lost that it has gone.
func goneReferences(before, after *store.State, path []string, o store.Object) (gone []string) {
	was, _ := o.(*store.Table)
	is, _ := after.Lookup(store.KeyOf(o)).(*store.Table)
	if was == nil || is == nil {
		return nil
	}
	for _, k := range was.ForeignKeys() {
		if findForeignKey(is, k.Name) < 0 {
			gone = append(gone, fmt.Sprintf("drop cascades to constraint %s on table %s", k.Name, session.Written(before, path, o)))
		}
	}
	return gone
}

// droppable are the keys of what DROP names, but for those that need not be there. Keyed finds them.
func droppable(s *session.Session, stmt *sql.Drop, res *result.Result, keyed func(sql.Name) (string, error)) (names []string) {
	kind := store.Kind(stmt.Kind)
	for _, n := range stmt.Names {
		name, err := keyed(n)
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
	return names
}
