package store

// Object is what a name of the catalog stands for: a *Table, a *View or a *Sequence.
type Object interface {
	// Name is the object's name within its schema.
	Name() string
	// Schema is the schema that it is in; TemporarySchema where it is one of a session.
	Schema() string
	object()
}

// View is a named query.
type View struct {
	key string
	// Text is the query.
	Text string
	// Columns are the names that the view was given for the query's columns;
	// nil: the query's own.
	Columns []string
	// Depends are the keys of the tables and views that the query reads.
	Depends []string
	// Path is the schemas in which the names in Text that have none were looked up; nil:
	// Schema alone.
	Path []string
	// Hierarchy is what keeps the view's rows, of which Text is another way to find them;
	// nil for a plain view.
	Hierarchy *Hierarchy
}

// NewView makes a view of a key. The slices belong to it then.
func NewView(key, text string, columns, depends []string) *View {
	return &View{key: key, Text: text, Columns: columns, Depends: depends}
}

// Name is the view's name.
func (v *View) Name() string { return NameOf(v.key) }

// SearchPath is the schemas in which the names in Text that have none were looked up.
func (v *View) SearchPath() []string {
	if v.Path == nil {
		return []string{Schema}
	}
	return v.Path
}

// Schema is the view's schema.
func (v *View) Schema() string { return SchemaOf(v.key) }

func (*Table) object() {}
func (*View) object()  {}

// HierarchyDef is what CREATE HIERARCHY says: tables by their keys, and columns by their
// names. Weight is "" where all edges weigh 1, and On where the elements are those that
// edges name.
type HierarchyDef struct {
	Edges, Child, Parent string
	Weight               string `json:",omitempty"`
	On, ID               string `json:",omitempty"`
}

// Hierarchy makes a view one whose rows are kept: the closure of edges. It belongs to one
// version of the tables that it reads; a transaction that changes one of those makes the
// next (Tx.Follow), which has what has not changed of this one's rows. The rows are computed
// when they are first asked for, as they are not stored. Safe for concurrent use.
type Hierarchy struct {
	HierarchyDef

	turn     chan struct{} // has room for the one who looks at what follows
	of       [2]Object     // the tables that relation was made of
	relation *Table
	index    any // *hierarchyIndex of the elements' and weights' kinds; nil while no rows were followed
	elements *Table
}
