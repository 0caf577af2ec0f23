package dialect

// Placeholder is what a name in intermediate SQL stands for: a pointer to one of the
// structs below. The comment of each says which form of intermediate SQL it has.
// Positions are byte offsets into the user's text.
type Placeholder any

// At is the place of what MySQL's own syntax says: (…) collate `oN`.
type At struct{ Pos int }

// Column is a column's name with its qualifiers: `cN`.
type Column struct{ Name []Ident }

// Star is * or t.*: `cN`.*
type Star struct {
	Qualifier []Ident
	Pos       int
}

// Alias names a select item, or a table with its columns: … as `aN`. A table
// has one always, without a name where the user gave none.
type Alias struct {
	Name    Ident
	Columns []Ident
}

// LiteralKind is the kind of a Literal.
type LiteralKind uint8

// The kinds of literals.
const (
	Null LiteralKind = iota
	Bool
	IntegerValue
	DecimalValue
	StringValue
	DefaultValue // DEFAULT, in VALUES
)

// Literal is a constant: :lN
type Literal struct {
	Kind LiteralKind
	Text string
	Pos  int
}

// Parameter is $1: :lN
type Parameter struct {
	Index int
	Pos   int
}

// Operator is an operator that MySQL lacks: `oN`(x) or `oN`(x, y).
type Operator struct {
	Symbol string
	Pos    int
}

// Collate is `xN`(x).
type Collate struct {
	Name []Ident
	Pos  int
}

// Is is x IS [NOT] UNKNOWN, or [NOT] DISTINCT FROM y: `xN`(x) or `xN`(x, y).
type Is struct {
	Distinct bool
	Not      bool
	Pos      int
}

// Between is BETWEEN SYMMETRIC: `xN`(x, lo, hi).
type Between struct {
	Not bool
	Pos int
}

// Overlaps is OVERLAPS between two rows: `xN`(row, row).
type Overlaps struct{ Pos int }

// Like is ILIKE or SIMILAR TO: `xN`(x, pattern) or `xN`(x, pattern, escape).
type Like struct {
	Similar bool
	Not     bool
	Pos     int
}

// Quantified is x op ANY or ALL of an array or a query: `xN`(x, y).
type Quantified struct {
	Op  string
	All bool
	Pos int
}

// Row is a row constructor: `xN`(…).
type Row struct {
	Explicit bool // ROW was written
	Pos      int
}

// Array is an array constructor: `xN`(…), of its elements or of one query.
type Array struct {
	Query bool
	Pos   int
}

// Subscript is x[lower] or x[lower:upper], with as many brackets as there are bounds:
// `xN`(x, …).
type Subscript struct {
	Bounds []Bounds
}

// Bounds are what stands between brackets: [lower], or with Slice [lower:upper], whose bounds may be
// left out.
type Bounds struct {
	Slice, Lower, Upper bool
	Pos                 int
}

// Field is (x).name, or (x).* with Star: `xN`(x).
type Field struct {
	Name Ident
	Star bool
}

// Call is a function call: `fN`(arguments and clauses). The clauses are
// Clause calls behind the arguments.
type Call struct {
	Name     []Ident
	Star     bool
	Distinct bool
	Variadic bool // the last argument is VARIADIC
	Pos      int
}

// Argument is name => value: `xN`(value).
type Argument struct{ Name Ident }

// ClauseKind says which clause a Clause is.
type ClauseKind uint8

// The clauses.
const (
	OrderByClause ClauseKind = iota
	WithinGroupClause
	FilterClause
	PartitionByClause
	DistinctOnClause
	QualifyClause
)

// Clause is a clause that MySQL has no place for, within the intermediate SQL call that
// it belongs to: `xN`(…).
type Clause struct{ Kind ClauseKind }

// SortKey is one key of ORDER BY: `xN`(expression).
type SortKey struct {
	Desc  bool
	Nulls NullsOrder
}

// NullsOrder is NULLS FIRST, NULLS LAST, or not said.
type NullsOrder uint8

// The orders of NULLs.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// Window is what stands in OVER, or an entry of the WINDOW clause:
// `wN`(partition by, order by, bounds).
type Window struct {
	Define    bool // an entry of the WINDOW clause
	Name      Ident
	Base      Ident
	Reference bool // OVER name, without parentheses
	Frame     *Frame
	Pos       int
}

// Frame is a window frame. The offsets of its bounds are Bound calls.
type Frame struct {
	Unit       string
	Start, End string // kinds of the bounds
	Exclude    string // "current row", "group", "ties", or empty
}

// Bound is the offset of a frame's bound: `xN`(offset).
type Bound struct{ End bool }

// Select is the head of a SELECT, its first item: `sN`(clauses).
type Select struct{ Pos int }

// Query is the head of a query around a set operation or VALUES that has a
// clause of its own: select `qN`() from (…).
type Query struct{ Pos int }

// Values is the head of the first row of VALUES: `vN`().
type Values struct{ Pos int }

// SetOp is the head of a select around the right arm of a set operation, which
// is written as a UNION whatever it is: select `uN`() from (arm).
type SetOp struct {
	Kind string // "union", "intersect", "except"
	All  bool
	Pos  int
}

// Limit is the row count of LIMIT or FETCH FIRST: `xN`(count), or `xN`() where
// there is none.
type Limit struct {
	Ties  bool
	Locks []RowLock // of the query, which MySQL's has no place for
}

// RowLock is FOR UPDATE or one of its kin.
type RowLock struct {
	Strength, Wait string
	Of             []Ident
	Pos            int
}

// CTE is the name of a common table expression.
type CTE struct {
	Name         Ident
	Columns      []Ident
	Materialized *bool
	Write        any // of Cursor.Write; nil: a query
}

// Table is a table's name: `tN`.
type Table struct {
	Name []Ident
	Only bool
}

// File is a file's name in FROM: `tN`.
type File struct {
	Path string
	Pos  int
}

// TableFunction is the alias of a function in FROM, or of several side by side:
// (select call, …) as `aN`.
type TableFunction struct {
	Alias      Alias
	Ordinality bool
	Defined    []DefinedColumn // of a column definition list
}

// DefinedColumn is a column of a column definition list.
type DefinedColumn struct {
	Name Ident
	Type TypeName
}

// Derived is the alias of a subquery in FROM: … as `aN`.
type Derived struct {
	Alias Alias
	Pos   int
}

// Join is a join's condition: on `jN`() or on `jN`(condition).
type Join struct {
	Kind    string // "inner", "left", "right", "full", "cross"
	Natural bool
	Using   []Ident
	Alias   Ident // of the columns of USING
	Pos     int
}

// GroupBy is the whole list: group by `gN`(…).
type GroupBy struct {
	All      bool
	Distinct bool
	Pos      int
}

// Grouping is an element of GROUP BY: `gN`(…).
type Grouping struct {
	Kind GroupingKind
	Pos  int
}

// GroupingKind says what a Grouping is.
type GroupingKind uint8

// The elements of GROUP BY that are not an expression.
const (
	GroupSet     GroupingKind = iota // (a, b), or the empty set ()
	GroupCube                        // CUBE (…)
	GroupRollup                      // ROLLUP (…)
	GroupingSets                     // GROUPING SETS (…)
)
