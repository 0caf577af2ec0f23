package cubeloom

import (
	"context"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value"
)

// update makes a new version of a table part of a transaction, unless it breaks
// a key of the table.
func (s *Session) update(ctx context.Context, tx *store.Tx, table *store.Table) error {
	tx.Update(table)
	return s.checkKeys(ctx, tx, table, func([]int) bool { return true })
}

// checkKeys checks those keys of a new version of a table that may be broken.
func (s *Session) checkKeys(ctx context.Context, tx *store.Tx, table *store.Table, may func(key []int) bool) error {
	for i, key := range table.Keys() {
		if !may(key.Columns) {
			continue
		}
		if err := s.checkKey(ctx, tx.State(), table, i); err != nil {
			return err
		}
	}
	return nil
}

// checkKey fails with 23505 where two rows of a table agree in the columns of a
// key, by its index.
func (s *Session) checkKey(ctx context.Context, state *store.State, table *store.Table, index int) error {
	twice, err := s.duplicate(ctx, state, table, table.Keys()[index].Columns)
	if twice == "" || err != nil {
		return err
	}
	e := value.Errorf(value.CodeUniqueViolation, "duplicate key value violates unique constraint %q", keyName(table, index))
	e.Detail = fmt.Sprintf("Key %s already exists.", twice)
	return e
}

// duplicate names values of columns, none of them NULL, that two rows of a table
// have; "" for none. It asks the engine itself, planned without the keys that are
// in question.
func (s *Session) duplicate(ctx context.Context, state *store.State, table *store.Table, key []int) (string, error) {
	columns := make([]string, len(key))
	for i, c := range key {
		columns[i] = table.Columns()[c].Name
	}
	stmt, err := sql.Parse(duplicatesQuery(table, columns))
	if err != nil {
		return "", err
	}
	c, err := s.compile(stmt.(*sql.Query), s.keyless(state), planner.Options{}, false)
	if err != nil {
		return "", err
	}
	res, err := s.execute(ctx, c)
	if err != nil {
		return "", err
	}
	texts, err := res.first()
	if texts == nil || err != nil {
		return "", err
	}
	return fmt.Sprintf("(%s)=(%s)", strings.Join(columns, ", "), strings.Join(texts, ", ")), nil
}

// keyName is the name of a key's constraint: its own, or that which PostgreSQL
// gives it.
func keyName(t *store.Table, index int) string { return keyNames(t)[index] }

// keyNames are the names of all keys of a table.
func keyNames(t *store.Table) []string {
	names := make([]string, len(t.Keys()))
	taken := map[string]bool{}
	for i := range names {
		names[i] = freeName(t, &t.Keys()[i], taken)
		taken[names[i]] = true
	}
	return names
}

// freeName is the name of a key beside those that are taken.
func freeName(t *store.Table, key *store.Key, taken map[string]bool) string {
	switch {
	case key.Name != "":
		return key.Name
	case key.Primary:
		return madeName(t.Name(), "", "_pkey")
	}
	columns := ""
	for _, c := range key.Columns {
		columns += "_" + t.Columns()[c].Name
	}
	name := madeName(t.Name(), columns, "_key")
	for n := 1; taken[name]; n++ {
		name = madeName(t.Name(), columns, fmt.Sprintf("_key%d", n))
	}
	return name
}

// madeName is a name made of others, of which the longer one loses its end where it
// would be too long, as in PostgreSQL.
func madeName(first, second, end string) string {
	const longest = 63
	n, m := len(first), len(second)
	for n+m+len(end) > longest {
		if n > m-1 { // the second begins with _
			n--
		} else {
			m--
		}
	}
	return dialect.CutTo(first, n) + dialect.CutTo(second, m) + end
}

// duplicatesQuery finds a value of the columns, none of them NULL, that more than
// one row has.
func duplicatesQuery(table *store.Table, columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = pgcatalog.Quote(c)
	}
	list := strings.Join(quoted, ", ")
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s IS NOT NULL GROUP BY %s HAVING count(*) > 1 LIMIT 1",
		list, qualified(table), strings.Join(quoted, " IS NOT NULL AND "), list)
}

// qualified is the name of a table that stands for no other one.
func qualified(table *store.Table) string {
	schema := store.Schema
	if table.Temporary() {
		schema = store.TemporarySchema
	}
	return pgcatalog.Quote(schema) + "." + pgcatalog.Quote(table.Name())
}
