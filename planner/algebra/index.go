package algebra

import (
	"slices"
	"strings"
)

// Index is what CREATE INDEX says beside a table's columns. The engine reads no indexes:
// one that is not unique is known to the catalog alone.
type Index struct {
	Unique bool
	Method string   // btree, hash, brin or gin
	Terms  []string // what the definition has behind each column's name: "varchar_pattern_ops DESC"
	// Exprs are the texts of what a computed index is of, columns among them; nil where it is of
	// columns alone. The columns of a computed index are all that it reads.
	Exprs   []string
	Where   string   // the text of what is true of the rows of a partial index; "" of others
	Include []string // the columns of INCLUDE, as SQL has their names
}

// Computed reports whether an index, nil for none, is not one of columns alone.
func (x *Index) Computed() bool { return x != nil && x.Exprs != nil }

// Of is what an index is of, whose columns have names.
func (x *Index) Of(names []string) []string {
	if x.Computed() {
		return x.Exprs
	}
	return names
}

// Parts are what an index is of, and the columns of INCLUDE.
func (x *Index) Parts(names []string) []string {
	if x.Computed() {
		return slices.Concat(x.Exprs, x.Include)
	}
	return names
}

// Definition is what CREATE INDEX has behind USING, of an index whose columns have names. PostgreSQL
// shows a condition without parentheses where that is to be pretty.
func (x *Index) Definition(names []string, pretty bool) string {
	terms := slices.Clone(x.Of(names))
	for i, term := range x.Terms {
		terms[i] = strings.TrimSpace(terms[i] + " " + term)
	}
	text := x.Method + " (" + strings.Join(terms, ", ") + ")"
	if len(x.Include) > 0 {
		text += " INCLUDE (" + strings.Join(x.Include, ", ") + ")"
	}
	switch {
	case x.Where != "" && pretty:
		text += " WHERE " + x.Where
	case x.Where != "":
		text += " WHERE (" + x.Where + ")"
	}
	return text
}

// Option is what pg_index.indoption says of a column: 1 where it is descending, and 2
// where NULL comes first.
func (x *Index) Option(column int) (option int) {
	term := " " + x.Terms[column]
	descending := strings.Contains(term, " DESC")
	if descending {
		option = 1
	}
	if strings.HasSuffix(term, " NULLS FIRST") || descending && !strings.HasSuffix(term, " NULLS LAST") {
		option |= 2
	}
	return option
}
