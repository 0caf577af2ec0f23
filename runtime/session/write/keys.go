package write

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
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

// Update makes a new version of a table, with rows behind those of the older one, part of a
// transaction, unless it breaks a constraint or a key of the table, or of the partition of it that named
// is the key of.
func Update(ctx context.Context, s *session.Session, tx *store.Tx, named string, table *store.Table) (err error) {
	defer sqlstate.Catch(&err)
	keepReferences(ctx, s, tx, update(ctx, s, tx, named, table))
	return nil
}

// update is Update that does not look at FOREIGN KEY constraints.
func update(ctx context.Context, s *session.Session, tx *store.Tx, named string, table *store.Table) written {
	old, _ := tx.State().Lookup(store.KeyOf(table)).(*store.Table)
	sqlstate.Check(CheckRows(ctx, s, tx.State(), named, table, old, nil))
	tx.Update(table)
	checkKeys(ctx, s, tx, table, func([]int) bool { return true })
	return written{old: old, next: table}
}

// checkKeys checks those keys of a new version of a table, and of its partitions, that may be broken.
func checkKeys(ctx context.Context, s *session.Session, tx *store.Tx, table *store.Table, may func(key []int) bool) {
	state := tx.State()
	for _, t := range append([]*store.Table{table}, state.Below(table)...) {
		for i, key := range t.Keys() {
			if key.Enforced() && !key.Inherited && may(key.Columns) {
				checkKeyOf(ctx, s, state, t, i)
			}
		}
	}
}

// checkKeyOf checks a key of a table, or of the partition whose rows break it.
func checkKeyOf(ctx context.Context, s *session.Session, state *store.State, table *store.Table, index int) {
	err := CheckKey(ctx, s, state, table, index)
	if err == nil {
		return
	}
	for _, p := range state.Below(table) {
		if at := slices.IndexFunc(p.Keys(), func(k store.Key) bool { return k.Inherited && k.Same(&table.Keys()[index]) }); at >= 0 && p.By() == nil {
			sqlstate.Check(CheckKey(ctx, s, state, p, at))
		}
	}
	panic(err)
}

// CheckKey fails with 23505 where two rows of a table agree in the columns of a
// key, by its index.
func CheckKey(ctx context.Context, s *session.Session, state *store.State, table *store.Table, index int) error {
	twice, err := Duplicate(ctx, s, state, table, &table.Keys()[index])
	if twice == "" || err != nil {
		return err
	}
	name := catalog.KeyName(table, index)
	e := value.Errorf(value.CodeUniqueViolation, "duplicate key value violates unique constraint %q", name)
	e.Object = table.Constraint(name)
	e.Detail = fmt.Sprintf("Key %s already exists.", twice)
	return e
}

// Duplicate names values of a key, none of them NULL, that two rows of a table
// have; "" for none. It asks the engine itself, planned without the keys that are
// in question.
func Duplicate(ctx context.Context, s *session.Session, state *store.State, table *store.Table, key *store.Key) (_ string, err error) {
	defer sqlstate.Catch(&err)
	stmt := sqlstate.Must(sql.Parse(duplicatesQuery(table, key)))
	c := sqlstate.Must(query.Compile(s, stmt.(*sql.Query), catalog.Keyless(s, state), planner.Options{}, false))
	res := sqlstate.Must(query.Execute(ctx, s, c))
	texts, err := res.First()
	if texts == nil || err != nil {
		return "", err
	}
	names := lists.Map(table.Names(key.Columns), pgcatalog.QuoteName)
	return keyText(key.Index.Of(names), texts, "="), nil
}

// duplicatesQuery finds a value of a key, no part of it NULL, that more than one row has.
func duplicatesQuery(table *store.Table, key *store.Key) string {
	exprs, where := key.Index.Of(columnNames(table, key.Columns)), ""
	if key.Index != nil && key.Index.Where != "" {
		where = "(" + key.Index.Where + ") AND "
	}
	numbers := lists.Map(lists.Upto[int](len(exprs)), func(i int) string { return strconv.Itoa(i + 1) })
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s%s IS NOT NULL GROUP BY %s HAVING count(*) > 1 LIMIT 1",
		strings.Join(exprs, ", "), qualified(table), where, strings.Join(exprs, " IS NOT NULL AND "), strings.Join(numbers, ", "))
}
