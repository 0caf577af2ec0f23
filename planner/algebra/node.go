package algebra

import "github.com/cubeloom/cubeloom/sql/value"

// TableRef names a table of the catalog as a plan sees it. The planner treats
// Handle as opaque: it is what the catalog gave, and what the runtime reads.
type TableRef struct {
	Name   string // for people: qualified where that is needed
	Handle any
	Rows   int64 // the row count; exact where Exact is set
	// Sample may be nil. Estimates rest on it, never proofs.
	Sample *Sample
	Exact  bool // the statistics are those of the very snapshot that will be read, so proofs may rest on them
}

// Stats are what is known of one column. Bounds, Nulls, Unique and Ascending are proven
// for a TableRef that is Exact and estimates otherwise.
type Stats struct {
	HasBounds bool
	Min, Max  int64   // integers, dates, timestamps, and decimals unscaled
	Nulls     int64   // number of NULLs
	Distinct  float64 // estimated number of distinct values, 0 for unknown
	Dict      bool    // text is dictionary-encoded in the whole column
	Codes     int64   // with Dict: codes are below it, proven where the table is exact; 0 for unknown
	Unique    bool    // no two rows hold the same value; NULLs are not counted
	Ascending bool    // the rows are in the order of integer values, and none is NULL
}

// Scan reads columns of a base table. Ordinals[i] is the position in the table
// of Cols[i], and ColStats[i] its statistics.
type Scan struct {
	Table    TableRef
	Alias    string
	Cols     []Column
	Ordinals []int
	ColStats []Stats
}

// Values is a relation of constant rows; Rows may be empty. A SELECT without
// FROM reads a Values of one row and no columns.
type Values struct {
	Cols []Column
	Rows [][]value.Value
}

// Filter keeps the rows for which every conjunct is true. The conjuncts are
// evaluated in order, each only on rows that passed those before it.
type Filter struct {
	Input Node
	Conds []Expr
}

// Project computes columns. An item that is a bare ColumnRef and has its ID
// passes the column on; every other item has a fresh ID.
type Project struct {
	Input Node
	Items []Item
}

// Item is a computed column.
type Item struct {
	Column Column
	Expr   Expr
}

// PassesOn reports whether the column stays what it is.
func (i *Item) PassesOn() bool {
	ref, ok := i.Expr.(*ColumnRef)
	return ok && ref.Column.ID == i.Column.ID
}

// PassOn reports whether all items are columns that stay what they are.
func PassOn(items []Item) bool {
	for i := range items {
		if !items[i].PassesOn() {
			return false
		}
	}
	return true
}

// JoinKind is the kind of a join.
type JoinKind string

// The kinds of joins. Semi and Anti give the left columns only.
const (
	JoinInner JoinKind = "inner"
	JoinLeft  JoinKind = "left"
	JoinRight JoinKind = "right"
	JoinFull  JoinKind = "full"
	JoinSemi  JoinKind = "semi"
	JoinAnti  JoinKind = "anti"
)

// Join pairs rows whose keys are equal and for which every residual condition
// is true. No keys and no residual is the cross product. The right input is
// the build side; the planner orders the inputs so.
type Join struct {
	Kind        JoinKind
	Left, Right Node
	Keys        []JoinKey
	Residual    []Expr
}

// JoinKey is one equality of a join. Both sides are Comparable. NullSafe makes
// NULL equal to NULL (IS NOT DISTINCT FROM).
type JoinKey struct {
	Left, Right Expr
	NullSafe    bool
}

// Apply is a dependent join: for each left row it joins that row with the rows
// that Right, which may refer to the left columns, gives for it, where every
// condition is true. Kind is inner or left. It is what LATERAL is bound to; the
// rule unnest makes joins of it.
type Apply struct {
	Kind        JoinKind
	Left, Right Node
	Conds       []Expr
}

// Aggregate groups by Keys and computes Aggs for each grouping set. Sets holds
// one bit set per grouping set, bit i for Keys[i]; a plain GROUP BY is one set
// with all bits. Equal sets are kept apart (each gives its own rows). A key
// that is not in a row's set is NULL in that row, so Keys that are absent from
// some set are nullable in Columns. GroupingID, where its ID is not zero, is a
// column that tells the row's set by its position in Sets (int32); GROUPING()
// is computed from it by a Project above. The keys have fresh IDs, even where
// they are bare columns. The result columns are the keys, the
// aggregates, and GroupingID where there is one.
type Aggregate struct {
	Input      Node
	Keys       []Item
	Sets       []KeySet
	Aggs       []Agg
	GroupingID Column
}

// KeySet is a set of group keys, bit i for Keys[i]. At most 64 keys.
type KeySet uint64

// Agg is one aggregate: its result column, its argument (nil for CountStar),
// the second argument of one of pairs (nil for others), whether it takes
// distinct values only, and the condition of its FILTER clause, or nil.
type Agg struct {
	Column   Column
	Func     AggFunc
	Arg      Expr
	Arg2     Expr
	Distinct bool
	Filter   Expr
}

// Sort orders its input. With Limit ≥ 0 only that many rows after Offset are
// wanted (TopN). Rows that tie come in any order.
type Sort struct {
	Input         Node
	Keys          []SortKey
	Limit, Offset int64 // Limit < 0: no limit
}

// SortKey is one key of an order.
type SortKey struct {
	Expr       Expr
	Desc       bool
	NullsFirst bool
}

// Limit keeps Count rows after the first Offset; Count < 0 keeps all of them.
type Limit struct {
	Input         Node
	Count, Offset int64
}

// Unnest repeats each row of its input as often as Times says, a bigint, and
// never where that is below 1 or NULL. Ordinal counts the copies of a row, from
// 1 on.
type Unnest struct {
	Input   Node
	Times   Expr
	Ordinal Column
}

// SetKind is the kind of a set operation.
type SetKind string

// The set operations.
const (
	Union     SetKind = "union"
	Intersect SetKind = "intersect"
	Except    SetKind = "except"
)

// SetOp combines two inputs whose columns agree in number and type. Cols are
// fresh columns; column i is made of the inputs' columns i.
type SetOp struct {
	Kind        SetKind
	All         bool
	Left, Right Node
	Cols        []Column
}
