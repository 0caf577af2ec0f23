package sql

// Comment is COMMENT ON kind name IS 'text', without a text IS NULL.
type Comment struct {
	Kind string // such as "table", "materialized view", "column" or "database"
	Name Name   // of a column: that of the table before its own
	// Function is what is meant where Kind is "function".
	Function FunctionRef
	Table    Name // of a constraint, a domain with OfDomain
	OfDomain bool
	Text     string
	Pos      Pos
}

func (*Comment) statement() {}
