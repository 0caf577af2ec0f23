package define

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// cascade is the notice of what CASCADE has dropped beside what was named, the sequences of
// tables aside, by who looks names up in a path; nil where there is none.
func cascade(before, after *store.State, path, names []string) *result.Notice {
	var gone, references []string
	for _, o := range before.Objects() {
		key := store.KeyOf(o)
		references = append(references, goneReferences(before, after, path, o)...)
		q, sequence := o.(*store.Sequence)
		if after.Lookup(key) == nil && !slices.Contains(names, key) && !(sequence && q.OwnerTable != "") {
			gone = append(gone, fmt.Sprintf("drop cascades to %s %s", store.KindOf(o), session.Written(before, path, o)))
		}
	}
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
