package write

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// written is what has been made of a table: rows stand behind those of the older version, or picks
// name rows of it that have been removed, or of which columns have been set.
type written struct {
	old, next *store.Table
	picks     []store.Pick
	set       []int // nil: none
	removed   bool
}

// touches reports whether rows may have other values in some columns than before.
func (w *written) touches(columns []int) bool {
	return w.picks == nil || w.removed || slices.ContainsFunc(columns, func(c int) bool { return slices.Contains(w.set, c) })
}

// references looks after the FOREIGN KEY constraints of what a statement has written, and of what
// becomes of the rows that refer to it. It asks the engine itself.
type references struct {
	ctx   context.Context
	s     *session.Session
	state func() *store.State // as it is now
	tx    *store.Tx           // nil where nothing is changed
	queue []written
}

// CheckReferences fails with 23503 where a row of a table breaks one of its FOREIGN KEY constraints in
// a state.
func CheckReferences(ctx context.Context, s *session.Session, state *store.State, table *store.Table, k *algebra.ForeignKey) (err error) {
	defer sqlstate.Catch(&err)
	r := &references{ctx: ctx, s: s, state: func() *store.State { return state }}
	sqlstate.Check(r.orphan(table, table, k, columnNames(table, k.Columns), ""))
	return nil
}

// refer checks that rows that were written refer to others.
func (r *references) refer(w *written, k *algebra.ForeignKey) {
	names := columnNames(w.next, k.Columns)
	err := r.orphan(w.next.Since(w.old), w.next, k, names, "")
	if err == nil || w.old == nil {
		sqlstate.Check(err)
		return
	}
	// It may be an older row of the same block, for which the constraint does not hold.
	if w.picks == nil {
		fresh := sqlstate.Must(w.next.Fresh(w.old, nil, r.s.Meter))
		sqlstate.Check(r.orphan(fresh, w.next, k, names, ""))
		return
	}
	changed := sqlstate.Must(w.old.Changed(w.next, w.picks, k.Columns, r.s.Meter))
	n := len(k.Columns)
	sqlstate.Check(r.orphan(changed, w.next, k, numbered(n, n), differs("w", n)))
}

// orphan is the error of a row of rows, whose key has these names, that refers to none; also is a further
// condition, such as that the key has changed. The rows are those of a table.
func (r *references) orphan(rows, table *store.Table, k *algebra.ForeignKey, names []string, also string) error {
	if rows.Rows() == 0 {
		return nil
	}
	parent := r.newest(k.Table)
	e := value.Errorf(value.CodeForeignKeyViolation, "insert or update on table %q violates foreign key constraint %q", table.Name(), k.Name)
	e.Object = table.Constraint(k.Name)
	whole := each(names, " AND ", func(_ int, name string) string { return "w." + name + " IS NOT NULL" })
	if k.MatchFull && len(names) > 1 {
		some := each(names, " OR ", func(_ int, name string) string { return "w." + name + " IS NOT NULL" })
		if r.find("SELECT 1 FROM "+keysOf(writtenRows)+" w WHERE ("+some+") AND NOT ("+whole+")"+also+" LIMIT 1", named{writtenRows, rows}, named{referencing, table}) != nil {
			e.Detail = "MATCH FULL does not allow mixing of null and nonnull key values."
			return e
		}
	}
	keys := columnNames(parent, k.Referenced)
	matches := each(keys, " AND ", func(i int, key string) string { return "r." + key + " = w." + names[i] })
	texts := r.find(fmt.Sprintf("SELECT %s FROM %s w WHERE %s AND NOT EXISTS (SELECT 1 FROM %s r WHERE %s)%s LIMIT 1",
		each(names, ", ", func(_ int, name string) string { return "w." + name }), keysOf(writtenRows), whole, keysOf(referenced), matches, also),
		named{writtenRows, rows}, named{referenced, parent}, named{referencing, table})
	if texts == nil {
		return nil
	}
	e.Detail = fmt.Sprintf("Key %sis not present in table %q.", r.shown(table, k.Columns, texts), parent.Name())
	return e
}

// shown is the columns and values of a key in a message, nothing where the session's role may not
// read them.
func (r *references) shown(table *store.Table, columns []int, texts []string) string {
	key := store.KeyOf(table)
	if !store.IsTemporary(key) && catalog.Permit(r.s, []*planner.Access{{Relation: key, Select: true, Read: columns}}) != nil {
		return ""
	}
	return keyText(table.Names(columns), texts, "=") + " "
}

// newest is a table as it is now.
func (r *references) newest(key string) *store.Table { return r.state().Lookup(key).(*store.Table) }

// named is a table by the name that queries have for it.
type named struct {
	name  string
	table *store.Table
}

// The names of tables in queries, which are in a schema that no user has.
const (
	writtenRows = "written"
	changedKeys = "changed"
	referenced  = "referenced"
	referencing = "referencing"
	keysSchema  = "pg_keys"
)

func keysOf(name string) string { return keysSchema + "." + name }

// view is what a query sees: tables by their names, and all else of the state.
func (r *references) view(tables []named) *catalog.Catalog {
	objects := lists.Map(tables, func(t named) store.Object { return t.table.Renamed(store.KeyIn(keysSchema, t.name)) })
	return catalog.Keyless(r.s, r.state().With(objects))
}

// find is the first row that a query about tables returns, as texts; nil for none.
func (r *references) find(text string, tables ...named) []string {
	stmt := sqlstate.Must(sql.Parse(text))
	c, err := query.Compile(r.s, stmt.(*sql.Query), r.view(tables), query.Options(r.s), false)
	sqlstate.Check(value.WithoutPos(err))
	res := sqlstate.Must(query.Execute(r.ctx, r.s, c))
	defer res.Close()
	return sqlstate.Must(res.First())
}

// keyText is the columns of a key, by their names, and its values as messages have them, with a sign between them.
func keyText(names, texts []string, sign string) string {
	return fmt.Sprintf("(%s)%s(%s)", strings.Join(names, ", "), sign, strings.Join(texts, ", "))
}

// columnNames are the names of columns as SQL has them.
func columnNames(table *store.Table, columns []int) []string {
	return lists.Map(table.Names(columns), pgcatalog.Quote)
}

// numbered are the names of n columns of store.Changed from one on.
func numbered(from, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = pgcatalog.Quote(strconv.Itoa(from + i))
	}
	return names
}

// differs is the condition that the key of n columns has changed in a row of store.Changed.
func differs(alias string, n int) string {
	return " AND (" + each(numbered(0, n), " OR ", func(i int, before string) string {
		return alias + "." + before + " IS DISTINCT FROM " + alias + "." + numbered(n+i, 1)[0]
	}) + ")"
}

// each joins what is made of names.
func each(names []string, between string, text func(i int, name string) string) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = text(i, name)
	}
	return strings.Join(parts, between)
}
