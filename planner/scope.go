package planner

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// scope is what the expressions of one query block can name: the columns of
// its FROM clause, each under the relation that it came from.
type scope struct {
	cols []scopeColumn
	rels []string // names of the relations, in order
	// recursive tells that one of them is the recursive query that is bound.
	recursive bool
}

// scopeColumn is a column that can be named. A column merged by USING or
// NATURAL has no relation; the columns that it was merged from are shadowed:
// they are found under their relation's name only, and not by *.
type scopeColumn struct {
	col      algebra.Column
	rel      string
	shadowed bool
	access   *Access // which naming it is part of; nil: of none
	ordinal  int     // in the relation of access
	// system marks a column that is found where nothing else has its name, and not by *.
	system bool
}

// newScope is the scope of one relation.
func newScope(rel string, cols []algebra.Column) *scope {
	s := &scope{cols: make([]scopeColumn, len(cols))}
	if rel != "" {
		s.rels = []string{rel}
	}
	for i, c := range cols {
		s.cols[i] = scopeColumn{col: c, rel: rel}
	}
	return s
}

// join is the scope of two FROM items side by side.
func (s *scope) join(t *scope, pos int) (*scope, error) {
	for _, rel := range t.rels {
		if s.hasRelation(rel) {
			return nil, value.ErrorAt(pos, value.CodeDuplicateAlias, "table name %q specified more than once", rel)
		}
	}
	return &scope{
		cols: append(append(make([]scopeColumn, 0, len(s.cols)+len(t.cols)), s.cols...), t.cols...),
		rels: append(append(make([]string, 0, len(s.rels)+len(t.rels)), s.rels...), t.rels...),

		recursive: s.recursive || t.recursive,
	}, nil
}

func (s *scope) hasRelation(name string) bool {
	for _, rel := range s.rels {
		if rel == name {
			return true
		}
	}
	return false
}

// refresh takes nullability from the columns of a node that now makes them.
func (s *scope) refresh(n algebra.Node) {
	byID := make(map[algebra.ColumnID]algebra.Column)
	for _, c := range n.Columns() {
		byID[c.ID] = c
	}
	for i := range s.cols {
		s.cols[i].col.Nullable = byID[s.cols[i].col.ID].Nullable
	}
}

// find looks a column up by its unqualified name. It gives nil for none.
func (s *scope) find(id sql.Ident) (*scopeColumn, error) {
	var found *scopeColumn
	for i := range s.cols {
		c := &s.cols[i]
		if c.shadowed || c.col.Name != id.Name || c.system && found != nil && !found.system {
			continue
		}
		if found != nil && (c.system || !found.system) {
			return nil, value.ErrorAt(int(id.Pos), value.CodeAmbiguousColumn, "column reference %q is ambiguous", id.Name)
		}
		found = c
	}
	if found != nil {
		found.named()
	}
	return found, nil
}

// resolve looks up a column by its name, qualified or not.
func (s *scope) resolve(name sql.Name) (*scopeColumn, error) {
	pos := int(name[0].Pos)
	if len(name) == 1 {
		c, err := s.find(name[0])
		if c == nil && err == nil {
			err = value.ErrorAt(pos, value.CodeUndefinedColumn, "column %q does not exist", name[0].Name)
		}
		return c, err
	}
	rel, column := name[len(name)-2].Name, name[len(name)-1].Name
	var found *scopeColumn
	for i := range s.cols {
		c := &s.cols[i]
		if c.rel != rel || c.col.Name != column {
			continue
		}
		if found != nil {
			return nil, value.ErrorAt(pos, value.CodeAmbiguousColumn, "column reference %q is ambiguous", column)
		}
		found = c
	}
	switch {
	case found != nil:
		found.named()
		return found, nil
	case !s.hasRelation(rel):
		return nil, value.ErrorAt(pos, value.CodeUndefinedTable, "missing FROM-clause entry for table %q", rel)
	}
	return nil, value.ErrorAt(pos, value.CodeUndefinedColumn, "column %s.%s does not exist", rel, column)
}

// makesAny reports whether one of the columns is the scope's.
func (s *scope) makesAny(cols algebra.ColSet) bool {
	for i := range s.cols {
		if cols.Has(s.cols[i].col.ID) {
			return true
		}
	}
	return false
}

// byID gives a column by its identity; nil for none.
func (s *scope) byID(id algebra.ColumnID) *scopeColumn {
	for i := range s.cols {
		if s.cols[i].col.ID == id {
			return &s.cols[i]
		}
	}
	return nil
}

// beside has the relations of both scopes, for a LATERAL item to name.
func (s *scope) beside(t *scope) *scope {
	return &scope{cols: slices.Concat(s.cols, t.cols), rels: slices.Concat(s.rels, t.rels)}
}

// expand gives the columns that * or t.* stands for.
func (s *scope) expand(star *sql.Star) ([]algebra.Column, error) {
	var cols []algebra.Column
	if len(star.Qualifier) == 0 {
		for i := range s.cols {
			if !s.cols[i].shadowed && !s.cols[i].system {
				s.cols[i].named()
				cols = append(cols, s.cols[i].col)
			}
		}
		if len(s.rels) == 0 && len(cols) == 0 {
			return nil, value.ErrorAt(int(star.Pos), value.CodeSyntax, "SELECT * with no tables specified is not valid")
		}
		return cols, nil
	}
	rel := star.Qualifier[len(star.Qualifier)-1].Name
	if !s.hasRelation(rel) {
		return nil, value.ErrorAt(int(star.Pos), value.CodeUndefinedTable, "missing FROM-clause entry for table %q", rel)
	}
	for i := range s.cols {
		if s.cols[i].rel == rel && !s.cols[i].system {
			s.cols[i].named()
			cols = append(cols, s.cols[i].col)
		}
	}
	return cols, nil
}

// describe names a column for a message, qualified where it has a relation.
func (s *scope) describe(id algebra.ColumnID) string {
	c := s.byID(id)
	switch {
	case c == nil:
		return "?"
	case c.rel == "":
		return c.col.Name
	}
	return c.rel + "." + c.col.Name
}

// guard makes naming columns of a scope known to an access, in order.
func (s *scope) guard(a *Access) {
	if a == nil {
		return
	}
	for i := range s.cols {
		s.cols[i].access, s.cols[i].ordinal = a, i
	}
}

// named notes that a column is named.
func (c *scopeColumn) named() {
	if a := c.access; a != nil {
		a.Select = true
		if at, found := slices.BinarySearch(a.Read, c.ordinal); !found {
			a.Read = slices.Insert(a.Read, at, c.ordinal)
		}
	}
}
