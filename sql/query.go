package sql

// Query is a SELECT with what may stand around it: WITH, ORDER BY, LIMIT.
type Query struct {
	With    *With
	Body    QueryBody
	OrderBy []OrderItem
	Limit   Expr // nil: no limit
	Offset  Expr
	Ties    bool // FETCH FIRST … WITH TIES
	Locks   []RowLock
	Pos     Pos
}

// RowLock is FOR UPDATE or one of its kin.
type RowLock struct {
	Strength string  // "update", "no key update", "share" or "key share"
	Of       []Ident // what FROM calls the tables; empty for all
	Wait     string  // "nowait", "skip locked" or ""
	Pos      Pos
}

// QueryBody is *Select, *SetOp, *Values, or *Query in parentheses.
type QueryBody interface{ queryBody() }

// With is a list of common table expressions.
type With struct {
	Recursive bool
	CTEs      []CTE
}

// CTE is one common table expression.
type CTE struct {
	Name         Ident
	Columns      []Ident
	Query        *Query
	Write        Change // in the place of Query
	Materialized *bool  // nil: not said
}

// Select is one SELECT … FROM … block.
type Select struct {
	Distinct   bool
	DistinctOn []Expr
	Items      []SelectItem
	From       []TableExpr // comma list; empty for none
	Where      Expr
	GroupBy    *GroupBy
	Having     Expr
	Windows    []WindowDef
	Qualify    Expr
	Pos        Pos
}

// SelectItem is an expression with an optional alias, or a star (Expr is *Star).
type SelectItem struct {
	Expr  Expr
	Alias Ident // Name is empty for none
}

// SetOp is UNION, INTERSECT or EXCEPT.
type SetOp struct {
	Kind        string // "union", "intersect", "except"
	All         bool
	Left, Right QueryBody
	Pos         Pos
}

// Values is VALUES (…), (…).
type Values struct {
	Rows [][]Expr
	Pos  Pos
}

// OrderItem is one key of ORDER BY.
type OrderItem struct {
	Expr  Expr
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

// GroupBy is a GROUP BY clause: the cross product of its elements.
type GroupBy struct {
	All      bool // GROUP BY ALL
	Distinct bool // GROUP BY DISTINCT …: equal grouping sets once
	Elements []GroupElement
	Pos      Pos
}

// GroupElement is *GroupExprs, *Cube, *Rollup or *GroupingSets.
type GroupElement interface{ groupElement() }

// GroupExprs is one grouping set of its expressions: an expression, a
// composite (a, b), or the empty set ().
type GroupExprs struct {
	Exprs []Expr
	Pos   Pos
}

// Cube is CUBE (…), each element an expression or a composite.
type Cube struct {
	Elements []*GroupExprs
	Pos      Pos
}

// Rollup is ROLLUP (…), each element an expression or a composite.
type Rollup struct {
	Elements []*GroupExprs
	Pos      Pos
}

// GroupingSets is GROUPING SETS (…), whose elements may nest.
type GroupingSets struct {
	Elements []GroupElement
	Pos      Pos
}

// WindowDef is one entry of the WINDOW clause.
type WindowDef struct {
	Name Ident
	Spec *WindowSpec
}

// WindowSpec is what stands in OVER (…), or OVER name.
type WindowSpec struct {
	Base        Ident // existing window, Name empty for none
	Named       bool  // OVER name: Base as it is, without parentheses
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame
	Pos         Pos
}

// Frame is a window frame.
type Frame struct {
	Unit       string // "rows", "range", "groups"
	Start, End FrameBound
	Exclude    string // "current row", "group", "ties", or empty
}

// FrameBound is one end of a frame.
type FrameBound struct {
	Kind  string // "unbounded preceding", "preceding", "current row", "following", "unbounded following"
	Value Expr
}

// TableExpr is *TableName, *TableFile, *TableFunc, *DerivedTable, *TableSample or
// *JoinExpr.
type TableExpr interface {
	// Position is where it stands.
	Position() Pos
}

// TableName refers to a table, view or CTE.
type TableName struct {
	Name    Name
	Only    bool // without its children
	Alias   Ident
	Columns []Ident // alias column list
}

// TableFile is FROM 'file.parquet', or a glob.
type TableFile struct {
	Path    string
	Alias   Ident
	Columns []Ident
	Pos     Pos
}

// TableSample is a table with TABLESAMPLE.
type TableSample struct {
	Table      TableExpr
	Method     Name
	Args       []Expr
	Repeatable Expr // the seed, or nil
}

// DerivedTable is a subquery in FROM.
type DerivedTable struct {
	Query   *Query
	Alias   Ident
	Columns []Ident
	Lateral bool
	Pos     Pos
}

// JoinExpr is a join in FROM.
type JoinExpr struct {
	Kind        string // "inner", "left", "right", "full", "cross"
	Natural     bool
	Left, Right TableExpr
	On          Expr
	Using       []Ident
	Alias       Ident // of the columns of USING
	Pos         Pos
}

func (*Query) queryBody()           {}
func (*Select) queryBody()          {}
func (*SetOp) queryBody()           {}
func (*Values) queryBody()          {}
func (*GroupExprs) groupElement()   {}
func (*Cube) groupElement()         {}
func (*Rollup) groupElement()       {}
func (*GroupingSets) groupElement() {}

// Position implements TableExpr.
func (t *TableName) Position() Pos { return t.Name[0].Pos }

// Position implements TableExpr.
func (t *TableFile) Position() Pos { return t.Pos }

// Position implements TableExpr.
func (t *TableSample) Position() Pos { return t.Table.Position() }

// Position implements TableExpr.
func (t *DerivedTable) Position() Pos { return t.Pos }

// Position implements TableExpr.
func (t *JoinExpr) Position() Pos { return t.Pos }
