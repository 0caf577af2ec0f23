package algebra

import (
	"fmt"
	"maps"
)

// verifier keeps the first error.
type verifier struct {
	made  ColSet
	outer scope             // columns of the relations around a subquery
	seen  map[ColumnID]bool // subqueries
	nodes map[Node]bool     // that have been checked
	err   error
	at    Node
}

func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("plan is malformed at %q: %s", Describe(v.at), fmt.Sprintf(format, args...))
	}
}

// produce notes a column that a node makes anew.
func (v *verifier) produce(c Column) {
	switch {
	case c.ID <= 0:
		v.failf("column %s has ID %d", c.Name, c.ID)
	case v.made.Has(c.ID):
		v.failf("column %s#%d is made twice", c.Name, c.ID)
	case c.Type.Kind == Unknown:
		v.failf("column %s#%d has an unknown type", c.Name, c.ID)
	default:
		v.made.Add(c.ID)
	}
}

// within checks what is nested in expressions over a scope.
func (v *verifier) within(outer scope, check func()) {
	at, saved := v.at, v.outer
	v.outer = outer
	check()
	v.at, v.outer = at, saved
}

// scope is the columns that an expression may refer to, by ID.
type scope map[ColumnID]Column

// scope adds columns to those of the relations around a subquery.
func (v *verifier) scope(cols []Column) scope {
	s := make(scope, len(v.outer)+len(cols))
	maps.Copy(s, v.outer)
	for _, c := range cols {
		s[c.ID] = c
	}
	return s
}
