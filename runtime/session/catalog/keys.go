package catalog

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// KeyName is the name of a key's constraint: its own, or that which PostgreSQL
// gives it.
func KeyName(t *store.Table, index int) string { return keyNames(t)[index] }

// FindIndex finds the table that has an index of a schema and a name, one of a constraint
// too, and the number of the key; nil where there is none.
func FindIndex(state *store.State, schema, name string) (table *store.Table, index int) {
	for _, o := range state.Objects() {
		t, ok := o.(*store.Table)
		if !ok || len(t.Keys()) == 0 || t.Schema() != schema {
			continue
		}
		if i := slices.Index(keyNames(t), name); i >= 0 {
			return t, i
		}
	}
	return nil, 0
}

// IndexNamed is FindIndex of a name that a statement has, whose schema is the first of the path with such an
// index where it has none.
func IndexNamed(s *session.Session, state *store.State, name sql.Name) (table *store.Table, index int) {
	target := sqlstate.Must(s.TargetName(name))
	table, index = FindIndex(state, store.SchemaOf(target), store.NameOf(target))
	for _, schema := range s.SearchPath() {
		if len(name) == 1 && table == nil {
			table, index = FindIndex(state, schema, store.NameOf(target))
		}
	}
	return table, index
}

// IsTaken reports whether a relation or an index has a key.
func IsTaken(state *store.State, key string) bool {
	table, _ := FindIndex(state, store.SchemaOf(key), store.NameOf(key))
	return table != nil || state.Lookup(key) != nil
}

// NameOfColumns is the name that an index or a constraint of some columns gets, with its end, which is
// not taken.
func NameOfColumns(t *store.Table, columns []string, end string, taken func(string) bool) string {
	names := ""
	for _, c := range columns {
		names += "_" + c
	}
	name := madeName(t.Name(), names, end)
	for n := 1; taken(name); n++ {
		name = madeName(t.Name(), names, fmt.Sprintf("%s%d", end, n))
	}
	return name
}

// WordsOf are what the name of an index is made of: the names of its columns, and words for its
// expressions.
func WordsOf(t *store.Table, key *store.Key) []string { return wordsOf(t, partsOf(t, key)) }

func wordsOf(t *store.Table, parts []indexPart) (words []string) {
	for _, part := range parts {
		word := "expr"
		if part.expr == nil {
			word = t.Columns()[part.column].Name
		} else if name := term.OutputName(part.expr); name != term.NoName {
			word = name
		}
		free := word
		for n := 1; slices.Contains(words, free); n++ {
			free = fmt.Sprintf("%s%d", word, n)
		}
		words = append(words, free)
	}
	return words
}

// indexPart is an expression of an index, or a column, by its position, where that is nil.
type indexPart struct {
	column int
	expr   sql.Expr
}

// partsOf are the columns and expressions of an index.
func partsOf(t *store.Table, key *store.Key) []indexPart {
	if !key.Index.Computed() {
		return lists.Map(key.Columns, func(c int) indexPart { return indexPart{column: c} })
	}
	return lists.Map(key.Index.Parts(nil), func(text string) indexPart {
		e := sqlstate.Must(sql.ParseExpr(text))
		if ref, ok := e.(*sql.ColumnRef); ok {
			return indexPart{column: t.Ordinal(ref.Name[0].Name)}
		}
		return indexPart{expr: e}
	})
}

// CheckName is the name that a CHECK constraint over some columns gets, which is not taken.
func CheckName(t *store.Table, columns []int, taken func(string) bool) string {
	column := ""
	if len(columns) == 1 {
		column = "_" + t.Columns()[columns[0]].Name
	}
	name := madeName(t.Name(), column, "_check")
	for n := 1; taken(name); n++ {
		name = madeName(t.Name(), column, fmt.Sprintf("_check%d", n))
	}
	return name
}

// HasConstraint reports whether a table has a constraint of a name.
func HasConstraint(t *store.Table, name string) bool {
	for i, key := range keyNames(t) {
		if key == name && t.Keys()[i].Index == nil {
			return true
		}
	}
	return slices.ContainsFunc(t.Checks(), func(c store.Check) bool { return c.Name == name }) ||
		slices.ContainsFunc(t.ForeignKeys(), func(k algebra.ForeignKey) bool { return k.Name == name })
}

// ReferencedKey is the number of the key that a FOREIGN KEY constraint which refers to some columns of
// a table rests on, in whatever order; -1 for none.
func ReferencedKey(t *store.Table, columns []int) int {
	return slices.IndexFunc(t.Keys(), func(k store.Key) bool {
		return k.Enforced() && !k.Index.Computed() && len(k.Columns) == len(columns) && !slices.ContainsFunc(k.Columns, func(c int) bool { return !slices.Contains(columns, c) })
	})
}

// SequenceName is the name that the sequence of a column of a table gets, which is not taken.
func SequenceName(table, column string, taken func(string) bool) string {
	name := madeName(table, "_"+column, "_seq")
	for n := 1; taken(name); n++ {
		name = madeName(table, "_"+column, fmt.Sprintf("_seq%d", n))
	}
	return name
}

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
