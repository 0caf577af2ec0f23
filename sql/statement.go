package sql

import "slices"

// Insert is [WITH …] INSERT INTO t [AS alias] (columns) query [ON CONFLICT …]
// [RETURNING …]; VALUES is a Query too.
type Insert struct {
	With       *With
	Table      Name
	Alias      Ident // Name is empty for none
	Columns    []Ident
	Elements   [][]Bounds  // the subscripts of what of each column is set, nil for all of it; nil: all of all columns
	Overriding string      // "user" or "system" VALUE; "": neither
	Query      *Query      // nil: DEFAULT VALUES
	OnConflict *OnConflict // nil: a conflict is an error
	Returning  []SelectItem
	Pos        Pos
}

// OnConflict is ON CONFLICT [target] DO NOTHING, or DO UPDATE SET … [WHERE …].
type OnConflict struct {
	// Columns and Exprs or Constraint, which has no name where it is not given, say which key is
	// meant; none of them: any.
	Columns    []Ident
	Exprs      []Expr
	List       Pos  // of Columns, where PostgreSQL's errors say that each of them is
	Matching   Expr // WHERE behind Columns; nil: none
	Constraint Ident
	Set        []Assignment // nil: DO NOTHING
	Where      Expr         // of DO UPDATE; nil: all rows
	Pos        Pos
}

// HasTarget reports whether it says which key is meant.
func (c *OnConflict) HasTarget() bool { return c.List != NoPos || c.Constraint.Name != "" }

// Delete is [WITH …] DELETE FROM t [AS alias] [USING …] [WHERE …] [RETURNING …].
type Delete struct {
	With      *With
	Table     Name
	Only      bool // without its children
	Alias     Ident
	Using     []TableExpr
	Where     Expr
	Returning []SelectItem
	Pos       Pos
}

// Update is [WITH …] UPDATE t [AS alias] SET … [FROM …] [WHERE …] [RETURNING …].
type Update struct {
	With      *With
	Table     Name
	Only      bool // without its children
	Alias     Ident
	Set       []Assignment
	From      []TableExpr
	Where     Expr
	Returning []SelectItem
	Pos       Pos
}

// Merge is [WITH …] MERGE INTO t [AS alias] USING source ON condition WHEN ….
type Merge struct {
	With  *With
	Table Name
	Only  bool // without its children
	Alias Ident
	Using TableExpr
	On    Expr
	Whens []MergeWhen
	Pos   Pos
}

// MergeWhen is WHEN [NOT] MATCHED [AND condition] THEN action. Without Set, Delete and Insert the
// action is DO NOTHING.
type MergeWhen struct {
	Matched bool
	Cond    Expr         // nil: none
	Set     []Assignment // UPDATE
	Delete  bool
	Insert  *Insert // without a table
	Pos     Pos
}

// Assignment is column = value in UPDATE or, with Row, (columns) = value, which
// is a Row or a Subquery. Values may be Default. Field is what of the column is
// set, its Name empty for all of it, and Element the subscripts of what of an array or of jsonb is; nil
// for all of it.
type Assignment struct {
	Columns []Ident
	Field   Ident
	Element []Bounds
	Row     bool
	Value   Expr
}

// Lock is LOCK [TABLE] t, … IN mode MODE.
type Lock struct {
	Names  []NamedTable
	Mode   string // such as "access share"
	NoWait bool
	Pos    Pos
}

// Truncate is TRUNCATE [TABLE] t, ….
type Truncate struct {
	Names   []NamedTable
	Restart bool // RESTART IDENTITY
	Cascade bool
	Pos     Pos
}

// DefaultExpr is the expression of a column's default, and its text.
type DefaultExpr struct {
	Expr Expr
	Text string
}

// CreateTable is CREATE TABLE t (columns) or, with Of, CREATE TABLE t PARTITION OF parent (columns), whose columns
// have no types.
type CreateTable struct {
	Name        Name
	IfNotExists bool
	OrReplace   bool
	Temporary   bool
	OnCommit    string // "delete rows" or "drop"; "": the rows stay
	Columns     []ColumnDef
	Primary     *UniqueKey  // the primary key; nil: none
	Unique      []UniqueKey // UNIQUE constraints
	Checks      []CheckDef  // CHECK constraints
	ForeignKeys []ForeignKeyDef
	Likes       []LikeTable     // LIKE clauses, in order
	Of          Name            // the table that it is a partition of; nil: none
	Bound       *PartitionBound // nil without Of
	By          *PartitionBy    // nil: it has no partitions
	Storage     Storage
	Pos         Pos
}

// Storage is what CREATE says of how PostgreSQL stores a table or an index: USING method of a table,
// WITH (options) and TABLESPACE. It changes nothing here.
type Storage struct {
	Method     Ident // empty where none is given
	Options    []Option
	Tablespace Ident // empty where none is given
}

// LikeTable is LIKE table INCLUDING … within CREATE TABLE. At is the number of columns that stand
// before it, and Including what is copied beside columns, as options name it.
type LikeTable struct {
	Name      Name
	At        int
	Including []string
}

// Includes reports whether something is copied.
func (l *LikeTable) Includes(what string) bool { return slices.Contains(l.Including, what) }

// Keys are the primary key, where there is one, and the UNIQUE constraints.
func (t *CreateTable) Keys() []UniqueKey {
	if t.Primary == nil {
		return t.Unique
	}
	return append([]UniqueKey{*t.Primary}, t.Unique...)
}

// UniqueKey is a PRIMARY KEY or UNIQUE constraint; its name is empty where none is given.
type UniqueKey struct {
	Name    Ident
	Columns []Ident
	Storage Storage
	Comment string // on its index, of one that LIKE stands for
	Pos     Pos
}

// CheckDef is a CHECK constraint; its name is empty where none is given. Text is that of the
// expression. NotValid says that rows which there are already need not keep to it.
type CheckDef struct {
	Name      Ident
	Expr      Expr
	Text      string
	NotValid  bool
	NoInherit bool
	Comment   string // of one that LIKE stands for
	Pos       Pos
}

// ColumnDef is one column of CREATE TABLE.
type ColumnDef struct {
	Name     Ident
	Type     TypeName
	NotNull  bool
	Default  *DefaultExpr // nil: NULL
	Identity *Identity    // nil: none
	// Generated is the expression of a generated column; nil: it is none.
	Generated *DefaultExpr
}

// CreateTableAs is CREATE TABLE t AS query [WITH NO DATA], the query that of
// Execute where that is not nil.
type CreateTableAs struct {
	Name        Name
	IfNotExists bool
	OrReplace   bool
	Temporary   bool
	OnCommit    string // as that of CreateTable
	Columns     []Ident
	Query       *Query
	Execute     *Execute
	NoData      bool
	Storage     Storage
	Pos         Pos
}

// CreateView is CREATE [OR REPLACE] VIEW v AS query, or CREATE MATERIALIZED VIEW [IF NOT EXISTS]
// v AS query [WITH NO DATA]. Text is the query's text.
type CreateView struct {
	Name         Name
	OrReplace    bool
	Temporary    bool
	Materialized bool
	IfNotExists  bool
	NoData       bool
	Columns      []Ident
	Query        *Query
	Text         string
	Storage      Storage // of a materialized view
	Pos          Pos
}

// RefreshView is REFRESH MATERIALIZED VIEW [CONCURRENTLY] v [WITH NO DATA].
type RefreshView struct {
	Name         Name
	Concurrently bool
	NoData       bool
	Pos          Pos
}

// CreateHierarchy is CREATE HIERARCHY h FROM edges (child, parent, weight) ON elements (id).
// Weight and On may be missing; On has a column, ID, where it is there.
type CreateHierarchy struct {
	Name        Name
	IfNotExists bool
	Temporary   bool
	Edges       Name
	Columns     []Ident // child, parent and perhaps weight
	On          Name
	ID          Ident
	Pos         Pos
}

// Drop is DROP of tables, views or hierarchies.
type Drop struct {
	Kind         string // table, view, materialized view, hierarchy, sequence, type, index or schema
	Names        []Name
	IfExists     bool
	Cascade      bool
	Concurrently bool // of an index
	Pos          Pos
}

// Copy is COPY t (columns) FROM 'file', or COPY t|(statement) TO 'file', with
// options; an empty File is STDIN or STDOUT.
type Copy struct {
	Table   Name
	Columns []Ident
	Query   Statement // COPY (query) TO, or of a Change with RETURNING
	From    bool
	File    string
	Options []Option
	Where   Expr // COPY FROM: which rows are kept; nil: all
	Pos     Pos
}

// ExportDatabase is EXPORT DATABASE 'directory' with options.
type ExportDatabase struct {
	Directory string
	Options   []Option
	Pos       Pos
}

// ImportDatabase is IMPORT DATABASE 'directory'.
type ImportDatabase struct {
	Directory string
	Pos       Pos
}

// Option is name value in an option list, or name (list). Names are in lower
// case.
type Option struct {
	Name  string
	Value string
	List  []string
	Bare  bool // no value was written
	Pos   Pos
}

// Explain is EXPLAIN [ANALYZE] [VERBOSE] [(options)] statement.
type Explain struct {
	Options   []Option
	Statement Statement
	Pos       Pos
}

// Set is SET name = value, or RESET name (Default), or RESET ALL (Name "all").
// A list of values is one Value with commas between.
type Set struct {
	Name    string
	Value   string
	Default bool
	Local   bool
	Reset   bool // RESET name
	Pos     Pos
}

// Show is SHOW name.
type Show struct {
	Name string
	Pos  Pos
}

// Declare is DECLARE name CURSOR [WITH HOLD] FOR query.
type Declare struct {
	Name   Ident
	Scroll *bool // nil: not said
	Hold   bool
	Query  *Query
	Pos    Pos
}

// Fetch is FETCH or MOVE.
type Fetch struct {
	Name Ident
	// Absolute and Relative are of one row: number Count, from the end where that is
	// negative, or Count rows behind the one that the cursor stands on. Without them
	// Count rows are taken, backward where that is negative.
	Absolute, Relative bool
	Count              int64 // FetchAll, or -FetchAll, for all that are left
	Move               bool
	Pos                Pos
}

// FetchAll is the count of FETCH ALL.
const FetchAll = 1<<63 - 1

// CloseCursor is CLOSE name, or CLOSE ALL.
type CloseCursor struct {
	Name Ident
	All  bool
	Pos  Pos
}

// Prepare is PREPARE name [(types)] AS statement, which is a *Query or a Change. Text is that statement's own.
type Prepare struct {
	Name      Ident
	Types     []TypeName
	Statement Statement
	Text      string
	Pos       Pos
}

// Execute is EXECUTE name [(arguments)].
type Execute struct {
	Name Ident
	Args []Expr
	Pos  Pos
}

// Deallocate is DEALLOCATE name, or DEALLOCATE ALL.
type Deallocate struct {
	Name Ident
	All  bool
	Pos  Pos
}

// Unlisten is UNLISTEN name, or UNLISTEN *.
type Unlisten struct {
	Name Ident
	All  bool
	Pos  Pos
}

// Discard is DISCARD ALL, PLANS, SEQUENCES or TEMP; What is in lower case.
type Discard struct {
	What string
	Pos  Pos
}

// Transaction is a statement about the transaction.
type Transaction struct {
	Kind  TransactionKind
	Name  Ident    // of a savepoint
	Start bool     // START TRANSACTION, which is BEGIN by another name
	Chain bool     // of Commit and Rollback: AND CHAIN
	Modes []Option // "isolation level", "read only", "read write", "deferrable", "not deferrable"
	Pos   Pos
}

// SetConstraints is SET CONSTRAINTS; no Names are all of them. Deferred ones are checked at the end of the
// transaction.
type SetConstraints struct {
	Names    []Name
	Deferred bool
	Pos      Pos
}

// TransactionKind says which statement a Transaction is.
type TransactionKind string

// The kinds of statements about transactions.
const (
	Begin              TransactionKind = "begin"
	Commit             TransactionKind = "commit"
	Rollback           TransactionKind = "rollback"
	Savepoint          TransactionKind = "savepoint"
	Release            TransactionKind = "release"
	RollbackTo         TransactionKind = "rollback to"
	SetTransaction     TransactionKind = "set transaction"
	SetCharacteristics TransactionKind = "set session characteristics as transaction"
)

func (*Query) statement()           {}
func (*Insert) statement()          {}
func (*Delete) statement()          {}
func (*Update) statement()          {}
func (*Merge) statement()           {}
func (*Truncate) statement()        {}
func (*Lock) statement()            {}
func (*CreateTable) statement()     {}
func (*CreateTableAs) statement()   {}
func (*CreateView) statement()      {}
func (*RefreshView) statement()     {}
func (*CreateHierarchy) statement() {}
func (*Drop) statement()            {}
func (*Copy) statement()            {}
func (*ExportDatabase) statement()  {}
func (*ImportDatabase) statement()  {}
func (*Explain) statement()         {}
func (*Set) statement()             {}
func (*Show) statement()            {}
func (*Transaction) statement()     {}
func (*SetConstraints) statement()  {}
func (*Declare) statement()         {}
func (*Fetch) statement()           {}
func (*CloseCursor) statement()     {}
func (*Prepare) statement()         {}
func (*Execute) statement()         {}
func (*Deallocate) statement()      {}
func (*Discard) statement()         {}
func (*Unlisten) statement()        {}

// Changes implements Change.
func (s *Insert) Changes() (Name, string) { return s.Table, "INSERT" }

// Changes implements Change.
func (s *Update) Changes() (Name, string) { return s.Table, "UPDATE" }

// Changes implements Change.
func (s *Delete) Changes() (Name, string) { return s.Table, "DELETE" }

// Changes implements Change.
func (s *Merge) Changes() (Name, string) { return s.Table, "MERGE" }
