package scope

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Scope is what the expressions of one query block can name: the columns of
// its FROM clause, each under the relation that it came from.
type Scope struct {
	Cols []Column
	Rels []RelName // of the relations, in order
	// Extended are those that an outer join may have a row of NULLs for.
	Extended []RelName
	// Hidden has what stands beside them and cannot be named here, for messages; nil for nothing.
	Hidden *Scope
	// recursive says that one of them is the recursive query that is bound.
	Recursive bool
}

// RelName is what a relation of a FROM clause is called. Schema is that of a table or view
// without an alias, by which names may tell it from others; "" of all else. Type is the name
// of the type of its rows, "" where they are records. Of is the table, view or WITH query that
// it reads, "" where it is none.
type RelName struct{ Schema, Name, Type, Of string }

// clashes reports whether two relations cannot stand side by side.
func (r RelName) clashes(other RelName) bool {
	return r.Name == other.Name && (r.Schema == other.Schema || r.Schema == "" || other.Schema == "")
}

// meant reports whether a qualifier, outermost name first, stands for the relation.
func (r RelName) meant(qualifier sql.Name) bool {
	n := len(qualifier)
	return r.Name == qualifier[n-1].Name && (n == 1 || r.Schema != "" && r.Schema == qualifier[n-2].Name)
}

// Column is a column that can be named. A column merged by USING or
// NATURAL has no relation; the columns that it was merged from are shadowed:
// they are found under their relation's name only, and not by *.
type Column struct {
	Col      algebra.Column
	Rel      RelName
	Shadowed bool
	access   *Access // which naming it is part of; nil: of none
	ordinal  int     // in the relation of access
	// System marks a column that is found where nothing else has its name, and not by *.
	System bool
}

// TableOID is the name of the system column that says in which table a row is.
const TableOID = "tableoid"

// IsSystemColumn reports whether PostgreSQL's tables have a column of a name that nobody has made.
func IsSystemColumn(name string) bool {
	return slices.Contains([]string{TableOID, "ctid", "xmin", "cmin", "xmax", "cmax"}, name)
}

// yields reports whether another column of the name is meant. Only in the same relation this is so of tableoid.
func (c *Column) yields(to *Column) bool {
	return c.System && !to.System && (c.Rel == to.Rel || c.Col.Name != TableOID)
}

// New is the scope of one relation.
func New(rel string, cols []algebra.Column) *Scope {
	s := &Scope{Cols: make([]Column, len(cols))}
	if rel != "" {
		s.Rels = []RelName{{Name: rel}}
	}
	for i, c := range cols {
		s.Cols[i] = Column{Col: c, Rel: RelName{Name: rel}}
	}
	return s
}

// Is says of the scope of one relation in which schema this is, and which table or view, whose
// name is that of the type of its rows.
func (s *Scope) Is(schema, table string) {
	s.describe(func(r *RelName) { r.Schema, r.Type, r.Of = schema, table, table })
}

// Reads says of the scope of one relation which WITH query this is.
func (s *Scope) Reads(with string) { s.describe(func(r *RelName) { r.Of = with }) }

// describe changes what the relation of a scope and of its columns is called.
func (s *Scope) describe(change func(*RelName)) {
	for i := range s.Rels {
		change(&s.Rels[i])
	}
	for i := range s.Cols {
		change(&s.Cols[i].Rel)
	}
}

// Join is the scope of two FROM items side by side.
func (s *Scope) Join(t *Scope, pos int) *Scope {
	both := &Scope{
		Cols: append(make([]Column, 0, len(s.Cols)+len(t.Cols)), s.Cols...), Rels: slices.Clone(s.Rels),
		Extended: slices.Clone(s.Extended), Recursive: s.Recursive,
	}
	both.Add(t, pos)
	return both
}

// Add puts a FROM item beside those of the scope.
func (s *Scope) Add(t *Scope, pos int) {
	for _, rel := range t.Rels {
		if slices.ContainsFunc(s.Rels, rel.clashes) {
			panic(value.ErrorAt(pos, value.CodeDuplicateAlias, "table name %q specified more than once", rel.Name))
		}
	}
	s.Cols, s.Rels, s.Extended = append(s.Cols, t.Cols...), append(s.Rels, t.Rels...), append(s.Extended, t.Extended...)
	s.Recursive = s.Recursive || t.Recursive
}

// AddMerged adds a relation with an alias, of the first columns, which USING has merged.
func (s *Scope) AddMerged(name string, columns, pos int) {
	merged := New(name, nil)
	for _, c := range s.Cols[:columns] {
		merged.Cols = append(merged.Cols, Column{Col: c.Col, Rel: RelName{Name: name}, Shadowed: true})
	}
	s.Add(merged, pos)
}

// relation finds the relation that a qualifier stands for; an error where that is none, or more
// than one.
func (s *Scope) relation(qualifier sql.Name) (RelName, error) {
	pos, name := int(qualifier[0].Pos), qualifier[len(qualifier)-1].Name
	var found []RelName
	for _, rel := range s.Rels {
		if rel.meant(qualifier) {
			found = append(found, rel)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return RelName{}, value.ErrorAt(pos, value.CodeAmbiguousAlias, "table reference %q is ambiguous", name)
	}
	return RelName{}, value.ErrorAt(pos, value.CodeUndefinedTable, "missing FROM-clause entry for table %q", name)
}

// Refresh takes nullability from the columns of a node that now makes them.
func (s *Scope) Refresh(n algebra.Node) {
	byID := make(map[algebra.ColumnID]algebra.Column)
	for _, c := range n.Columns() {
		byID[c.ID] = c
	}
	for i := range s.Cols {
		s.Cols[i].Col.Nullable = byID[s.Cols[i].Col.ID].Nullable
	}
}

// Find looks a column up by its unqualified name. It returns nil for none.
func (s *Scope) Find(id sql.Ident) (*Column, error) {
	var found *Column
	for i := range s.Cols {
		c := &s.Cols[i]
		switch {
		case c.Shadowed || c.Col.Name != id.Name || found != nil && c.yields(found):
		case found == nil || found.yields(c):
			found = c
		default:
			return nil, value.ErrorAt(int(id.Pos), value.CodeAmbiguousColumn, "column reference %q is ambiguous", id.Name)
		}
	}
	if found != nil {
		found.named()
	}
	return found, nil
}

// resolve looks up a column by its name, qualified or not.
func (s *Scope) resolve(name sql.Name) (*Column, error) {
	pos := int(name[0].Pos)
	if len(name) == 1 {
		c, err := s.Find(name[0])
		if c == nil && err == nil {
			err = value.ErrorAt(pos, value.CodeUndefinedColumn, "column %q does not exist", name[0].Name)
		}
		return c, err
	}
	qualifier, column := name[:len(name)-1], name[len(name)-1].Name
	rel, err := s.relation(qualifier)
	if err != nil {
		return nil, err
	}
	var found *Column
	for i := range s.Cols {
		c := &s.Cols[i]
		switch {
		case c.Rel != rel || c.Col.Name != column || found != nil && c.yields(found):
		case found == nil:
			found = c
		default:
			return nil, value.ErrorAt(pos, value.CodeAmbiguousColumn, "column reference %q is ambiguous", column)
		}
	}
	if found == nil {
		return nil, value.ErrorAt(pos, value.CodeUndefinedColumn, "column %s.%s does not exist", rel.Name, column)
	}
	found.named()
	return found, nil
}

// MakesAny reports whether one of the columns is the scope's.
func (s *Scope) MakesAny(cols algebra.ColSet) bool {
	for i := range s.Cols {
		if cols.Has(s.Cols[i].Col.ID) {
			return true
		}
	}
	return false
}

// ByID returns a column by its identity; nil for none.
func (s *Scope) ByID(id algebra.ColumnID) *Column {
	for i := range s.Cols {
		if s.Cols[i].Col.ID == id {
			return &s.Cols[i]
		}
	}
	return nil
}

// Beside has the relations of both scopes, for a LATERAL item to name.
func (s *Scope) Beside(t *Scope) *Scope {
	return &Scope{Cols: slices.Concat(s.Cols, t.Cols), Rels: slices.Concat(s.Rels, t.Rels)}
}

// Expand returns the columns that * or t.* stands for.
func (s *Scope) Expand(star *sql.Star) []algebra.Column {
	var cols []algebra.Column
	if len(star.Qualifier) == 0 {
		for i := range s.Cols {
			if !s.Cols[i].Shadowed && !s.Cols[i].System {
				s.Cols[i].named()
				cols = append(cols, s.Cols[i].Col)
			}
		}
		if len(s.Rels) == 0 && len(cols) == 0 {
			panic(value.ErrorAt(int(star.Pos), value.CodeSyntax, "SELECT * with no tables specified is not valid"))
		}
		return cols
	}
	rel, err := s.relation(star.Qualifier)
	if err != nil {
		panic(err)
	}
	for i := range s.Cols {
		if s.Cols[i].Rel == rel && !s.Cols[i].System {
			s.Cols[i].named()
			cols = append(cols, s.Cols[i].Col)
		}
	}
	return cols
}

// Describe names a column for a message, qualified where it has a relation.
func (s *Scope) Describe(id algebra.ColumnID) string {
	c := s.ByID(id)
	switch {
	case c == nil:
		return "?"
	case c.Rel.Name == "":
		return c.Col.Name
	}
	return c.Rel.Name + "." + c.Col.Name
}

// Guard makes naming columns of a scope known to an access, in order.
func (s *Scope) Guard(a *Access) {
	if a == nil {
		return
	}
	for i := range s.Cols {
		s.Cols[i].access, s.Cols[i].ordinal = a, i
	}
}

// named notes that a column is named.
func (c *Column) named() {
	if a := c.access; a != nil {
		a.Select = true
		if at, found := slices.BinarySearch(a.Read, c.ordinal); !found {
			a.Read = slices.Insert(a.Read, at, c.ordinal)
		}
	}
}
