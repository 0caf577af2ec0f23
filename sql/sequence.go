package sql

// CreateSequence is CREATE [TEMPORARY] SEQUENCE s options.
type CreateSequence struct {
	Name        Name
	IfNotExists bool
	Temporary   bool
	Options     SequenceOptions
	Pos         Pos
}

// AlterSequence is ALTER SEQUENCE s options, or RENAME TO, SET SCHEMA, or OWNER TO.
type AlterSequence struct {
	Name     Name
	IfExists bool
	Options  SequenceOptions
	Rename   Ident    // Name is empty for none
	Schema   Ident    // Name is empty for the same
	Owner    *RoleRef // nil: the same
	Pos      Pos
}

// SequenceOptions are those of a sequence; nil are those that are not given.
type SequenceOptions struct {
	Type                              *TypeName
	Start, Increment, Min, Max, Cache *int64
	NoMin, NoMax                      bool
	Cycle                             *bool
	Restart                           bool
	RestartAt                         *int64 // of Restart; nil: at the start
	OwnedBy                           Name   // table.column
	OwnedByNone                       bool
	Named                             Name // of an identity column: the sequence's name
}

// Identity is GENERATED … AS IDENTITY (options).
type Identity struct {
	Always  bool // otherwise BY DEFAULT
	Options SequenceOptions
	Pos     Pos
}

func (*CreateSequence) statement() {}
func (*AlterSequence) statement()  {}
