package store

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
	// Materialized says that a table holds the rows that the query had when it was last run, and
	// Unpopulated that it was not run yet.
	Materialized, Unpopulated bool
}

// NewView makes a view of a key. The slices belong to it then.
func NewView(key, text string, columns, depends []string) *View {
	return &View{key: key, Text: text, Columns: columns, Depends: depends}
}

// Renamed is the view with the names of a table's columns for its own.
func (v *View) Renamed(columns []Column) *View {
	next := *v
	next.Columns = make([]string, len(columns))
	for i := range columns {
		next.Columns[i] = columns[i].Name
	}
	return &next
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

func (*View) object() {}
