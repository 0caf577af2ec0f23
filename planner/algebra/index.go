package algebra

import "strings"

// Index is what CREATE INDEX says beside a table's columns. The engine reads no indexes:
// one that is not unique is known to the catalog alone.
type Index struct {
	Unique bool
	Method string   // btree, hash, brin or gin
	Terms  []string // what the definition has behind each column's name: "varchar_pattern_ops DESC"
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
