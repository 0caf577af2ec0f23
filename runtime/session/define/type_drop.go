package define

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// dropTypes runs DROP TYPE and DROP DOMAIN.
func dropTypes(ctx context.Context, s *session.Session, stmt *sql.Drop) *result.Result {
	res := &result.Result{Tag: "DROP " + strings.ToUpper(stmt.Kind)}
	ofTypes := *stmt
	ofTypes.Kind = string(store.KindType)
	keys := droppable(s, &ofTypes, res, s.TypeName)
	if len(keys) == 0 {
		return res
	}
	before, path := s.State(), s.SearchPath()
	var columns []string
	s.Change(res.Tag, func(tx *store.Tx) {
		d := &typeDrop{Session: s, tx: tx, seen: map[string]bool{}}
		for _, key := range keys {
			checkRequired(s, key)
			if o := tx.State().Lookup(key); stmt.Kind == "domain" && o != nil && tx.State().Domain(key) == nil {
				panic(value.Errorf(value.CodeWrongObjectType, "%q is not a domain", o.Name()))
			}
			d.seen[key] = true
			d.addType(ctx, key)
		}
		if len(d.lines) > 0 && !stmt.Cascade {
			what := "desired object(s)"
			if len(keys) == 1 {
				what = "type " + s.Written(tx.State().Lookup(keys[0]))
			}
			panic(store.StillRead(what, d.lines))
		}
		d.dropColumns(ctx)
		sqlstate.Check(tx.Drop(ctx, store.KindType, append(d.domains, keys...), true))
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
	for _, t := range tx.State().UserTypes() {
		if key := store.UserTypeKey(t); t.ID().Schema == schema && !d.seen[key] {
			d.seen[key] = true
			d.addType(ctx, key)
		}
	}
	d.dropColumns(ctx)
	if len(d.domains) > 0 {
		sqlstate.Check(tx.Drop(ctx, store.KindType, d.domains, true))
	}
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
	domains []string // that are of the types, by their keys, but for those of the schema
	drops   []func(ctx context.Context)
}

// checkRequired fails for the type of a relation.
func checkRequired(s *session.Session, key string) {
	o := s.State().Lookup(store.KeyIn(store.SchemaOf(key), store.NameOf(key)))
	if o == nil || s.State().Lookup(key) != nil || store.KindOf(o) == store.KindSequence {
		return
	}
	of := fmt.Sprintf("%s %s", store.KindOf(o), s.Written(o))
	err := value.Errorf(value.CodeDependentObjects, "cannot drop type %s because %s requires it", pgcatalog.QuoteName(o.Name()), of)
	err.Hint = fmt.Sprintf("You can drop %s instead.", of)
	panic(err)
}

// addType adds what depends on a type: domains, columns, and then views and functions.
func (d *typeDrop) addType(ctx context.Context, key string) {
	t, _, err := d.tx.LockType(ctx, key)
	sqlstate.Check(err)
	if of, ok := t.(*algebra.Domain); ok {
		for _, over := range d.tx.State().DomainsOver(of) {
			d.addDomain(ctx, over, of)
		}
	}
	d.addColumns(t)
	d.lines = append(d.lines, d.tx.Dependents([]string{key}, d.seen)...)
}

// addDomain adds a domain that is of another one.
func (d *typeDrop) addDomain(ctx context.Context, over, of *algebra.Domain) {
	key := store.UserTypeKey(over)
	if d.seen[key] || over.Schema == d.within {
		return
	}
	d.seen[key] = true
	d.lines = append(d.lines, fmt.Sprintf("type %s depends on type %s", d.Written(&store.UserType{Of: over}), d.Written(&store.UserType{Of: of})))
	d.domains = append(d.domains, key)
	d.addType(ctx, key)
}

// addColumns adds the columns of a type, of each table the last ones first: those of its arrays, then the
// others, and then materialized views that do not go with them.
func (d *typeDrop) addColumns(typ algebra.UserType) {
	type column struct {
		of    *store.Table
		i     int
		order int
	}
	var columns []column
	d.tx.State().TypedBy(typ, func(t *store.Table, i int) {
		c := column{t, i, 1}
		switch {
		case store.QueryOf(t) != nil:
			c.order = 2
		case t.Columns()[i].Type.Kind == algebra.Array && t.Columns()[i].Domain == 0:
			c.order = 0
		}
		columns = append(columns, c)
	})
	slices.SortStableFunc(columns, func(a, b column) int {
		if a.order == b.order && a.of == b.of {
			return b.i - a.i
		}
		return a.order - b.order
	})
	for _, c := range columns {
		d.add(c.of, c.i, typ)
	}
}

// add adds a column of a type, and the views that read it. A materialized view is dropped as a whole.
func (d *typeDrop) add(table *store.Table, i int, of algebra.UserType) {
	column, key := table.Columns()[i], store.KeyOf(table)
	if d.seen[key] || table.Schema() == d.within {
		return
	}
	a := &alteration{Session: d.Session, tx: d.tx, key: key, name: table.Name(), res: &result.Result{}}
	line := fmt.Sprintf("column %s of %s %s", column.Name, store.KindOf(table), a.written(table))
	typ := a.written(&store.UserType{Of: of})
	if column.Type.Kind == algebra.Array && column.Domain == 0 {
		typ += "[]"
	}
	d.lines = append(d.lines, line+" depends on type "+typ)
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
			d.lines = append(d.lines, fmt.Sprintf("%s %s depends on %s", store.KindOf(v), a.written(v), line))
			d.lines = append(d.lines, d.tx.Dependents([]string{read}, d.seen)...)
		}
	}
	d.columns = append(d.columns, line)
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
