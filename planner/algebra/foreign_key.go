package algebra

// ForeignKey is a FOREIGN KEY constraint of a table: a row without NULL in Columns, which are
// positions, has in them what a row of another table, or of the same one, has in its columns
// Referenced. NotValid says that older rows may be others.
type ForeignKey struct {
	Name       string
	Columns    []int
	Table      string // what the store calls the other table
	Referenced []int
	MatchFull  bool // all of Columns are NULL in a row, or none of them
	// OnUpdate and OnDelete are what becomes of rows that refer to a changed one, as SQL has it.
	OnUpdate, OnDelete string
	SetColumns         []int // those that OnDelete sets
	NotValid           bool
	// Deferrable says that it can be checked at the end of the transaction, and Deferred that it is unless
	// the transaction says otherwise.
	Deferrable, Deferred bool
	Comment              string
}

// What becomes of rows that refer to a changed one.
const (
	NoAction   = "NO ACTION"
	Restrict   = "RESTRICT"
	Cascade    = "CASCADE"
	SetNull    = "SET NULL"
	SetDefault = "SET DEFAULT"
)
