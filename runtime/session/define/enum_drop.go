package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// dropTypes runs DROP TYPE.
func dropTypes(ctx context.Context, s *session.Session, stmt *sql.Drop) *result.Result {
	res := &result.Result{Tag: "DROP TYPE"}
	keys := droppable(s, stmt, res, s.TypeName)
	if len(keys) == 0 {
		return res
	}
	before, path := s.State(), s.SearchPath()
	var columns []string
	s.Change(res.Tag, func(tx *store.Tx) {
		d := &typeDrop{Session: s, tx: tx, seen: map[string]bool{}}
		for _, key := range keys {
			checkRequired(s, key)
			e, _, err := tx.LockEnum(ctx, key)
			sqlstate.Check(err)
			d.addColumns(e)
			d.lines = append(d.lines, tx.Dependents([]string{key}, d.seen)...)
		}
		if len(d.lines) > 0 && !stmt.Cascade {
			what := "desired object(s)"
			if len(keys) == 1 {
				what = "type " + s.Written(tx.State().Lookup(keys[0]))
			}
			panic(store.StillRead(what, d.lines))
		}
		d.dropColumns(ctx)
		sqlstate.Check(tx.Drop(ctx, store.KindType, keys, true))
		columns = d.columns
	})
	if n := cascade(before, s.State(), path, keys, columns); n != nil {
		res.Notices = append(res.Notices, *n)
	}
	return res
}

// dropTyped drops the columns of other schemas that are of the types of one, and returns them as messages
// have them.
func dropTyped(ctx context.Context, s *session.Session, tx *store.Tx, schema string) []string {
	d := &typeDrop{Session: s, tx: tx, within: schema, seen: map[string]bool{}}
	for _, e := range tx.State().Enums() {
		if e.Schema == schema {
			_, _, err := tx.LockEnum(ctx, store.EnumKey(e))
			sqlstate.Check(err)
			d.addColumns(e)
		}
	}
	d.dropColumns(ctx)
	return d.columns
}

// typeDrop is a DROP TYPE while it runs.
type typeDrop struct {
	*session.Session
	tx      *store.Tx
	within  string   // the schema whose tables are dropped as a whole; "": none
	lines   []string // what depends on the types
	seen    map[string]bool
	columns []string // those of tables, as messages have them
	drops   []func(ctx context.Context)
}

// checkRequired fails for the type of a relation.
func checkRequired(s *session.Session, key string) {
	o := s.State().Lookup(store.KeyIn(store.SchemaOf(key), store.NameOf(key)))
	if o == nil || s.State().Enum(key) != nil || store.KindOf(o) == store.KindSequence {
		return
	}
	of := fmt.Sprintf("%s %s", store.KindOf(o), s.Written(o))
	err := value.Errorf(value.CodeDependentObjects, "cannot drop type %s because %s requires it", pgcatalog.QuoteName(o.Name()), of)
	err.Hint = fmt.Sprintf("You can drop %s instead.", of)
	panic(err)
}

// addColumns adds the columns of a type, those of its arrays first, and materialized views that do not go
// with them last.
func (d *typeDrop) addColumns(e *algebra.EnumType) {
	var order [3][]func()
	d.tx.State().TypedBy(e, func(t *store.Table, i int) {
		at := 1
		switch {
		case store.QueryOf(t) != nil:
			at = 2
		case t.Columns()[i].Type.Kind == algebra.Array:
			at = 0
		}
		order[at] = append(order[at], func() { d.add(t, i) })
	})
	for _, add := range slices.Concat(order[:]...) {
		add()
	}
}

// add adds a column of a type, and the views that read it. A materialized view is dropped as a whole.
func (d *typeDrop) add(table *store.Table, i int) {
	column, key := table.Columns()[i], store.KeyOf(table)
	if d.seen[key] || table.Schema() == d.within {
		return
	}
	a := &alteration{Session: d.Session, tx: d.tx, key: key, name: table.Name(), res: &result.Result{}}
	of := fmt.Sprintf("column %s of %s %s", column.Name, store.KindOf(table), a.written(table))
	typ := a.written(&store.Enum{Of: column.Type.Enum})
	if column.Type.Kind == algebra.Array {
		typ += "[]"
	}
	d.lines = append(d.lines, of+" depends on type "+typ)
	if store.QueryOf(table) != nil {
		d.seen[key] = true
		d.drops = append(d.drops, func(ctx context.Context) {
			if d.tx.State().Lookup(key) != nil {
				sqlstate.Check(d.tx.Drop(ctx, store.KindMaterialized, []string{key}, true))
			}
		})
		return
	}
	for _, v := range a.readers(i) {
		if read := store.KeyOf(v); !d.seen[read] {
			d.seen[read] = true
			d.lines = append(d.lines, fmt.Sprintf("%s %s depends on %s", store.KindOf(v), a.written(v), of))
			d.lines = append(d.lines, d.tx.Dependents([]string{read}, d.seen)...)
		}
	}
	d.columns = append(d.columns, of)
	d.drops = append(d.drops, func(ctx context.Context) {
		now := d.tx.State().Lookup(key).(*store.Table)
		if id := (sql.Ident{Name: column.Name}); now.Ordinal(id.Name) >= 0 {
			a.dropColumn(ctx, now, &sql.DropColumn{Name: id, Cascade: true})
		}
	})
}

// dropColumns drops the columns of the types.
func (d *typeDrop) dropColumns(ctx context.Context) {
	for _, drop := range d.drops {
		drop(ctx)
	}
}
