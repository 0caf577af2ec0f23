package algebra

// Window adds columns to its input: each Call gives, for every row, a value
// computed over the rows of the row's partition, in the order of OrderBy. NULLs
// are equal in PartitionBy and OrderBy. The result columns are those of the
// input and then those of the calls; the rows come in any order.
type Window struct {
	Input       Node
	PartitionBy []Expr
	OrderBy     []SortKey
	Calls       []WindowCall
	First       FirstRows
}

// FirstRows says that of each partition only the first Rows are wanted, and those that
// are their peers where Ties; others may be left out. The zero value wants all.
type FirstRows struct {
	Rows int64
	Ties bool
}

// WindowCall is one function over a window: its result column, its arguments,
// the condition of its FILTER clause, or nil, and the frame of those that look
// at one. Aggregates have their own names as functions and never take distinct
// values only.
type WindowCall struct {
	Column Column
	Func   WindowFunc
	Args   []Expr
	Filter Expr
	Frame  Frame
}

// WindowFunc names a window function or an aggregate.
type WindowFunc string

// The window functions. The offset of lag, lead and nth_value and the number
// of ntile are int32; lag and lead give NULL where there is no such row.
const (
	RowNumber   WindowFunc = "row_number"   // int64
	Rank        WindowFunc = "rank"         // int64
	DenseRank   WindowFunc = "dense_rank"   // int64
	PercentRank WindowFunc = "percent_rank" // float64
	CumeDist    WindowFunc = "cume_dist"    // float64
	Ntile       WindowFunc = "ntile"        // int32
	Lag         WindowFunc = "lag"
	Lead        WindowFunc = "lead"
	FirstValue  WindowFunc = "first_value"
	LastValue   WindowFunc = "last_value"
	NthValue    WindowFunc = "nth_value"

	// StringAgg concatenates the texts of the whole partition, each but the first
	// behind its separator, and gives that in the partition's last row and NULL in
	// the others. A separator that is NULL is empty. StringAggDistinct leaves out
	// texts that equal the one before.
	StringAgg         WindowFunc = "string_agg"
	StringAggDistinct WindowFunc = "string_agg_distinct"
)

// Frame says which rows of the partition a row's frame has. A RANGE frame with
// a distance compares Key, the order's one expression in a type in which the
// distance has room, with the Limit of the bound, which has that type too.
type Frame struct {
	Unit       FrameUnit
	Start, End FrameBound
	Exclude    FrameExclusion
	Key        Expr // nil where no bound has a Limit
}

// FrameUnit says what the bounds of a frame count.
type FrameUnit string

// The units of frames.
const (
	FrameRows   FrameUnit = "rows"
	FrameRange  FrameUnit = "range"
	FrameGroups FrameUnit = "groups"
)

// FrameBound is one end of a frame. Offset is the distance of Preceding and
// Following in rows and groups, at least 0. Limit is, in a range, the value of
// the key that the frame reaches to from the row at hand.
type FrameBound struct {
	Kind   BoundKind
	Offset int64
	Limit  Expr
}

// BoundKind is the kind of a frame bound, as SQL writes it.
type BoundKind string

// The kinds of frame bounds.
const (
	UnboundedPreceding BoundKind = "unbounded preceding"
	Preceding          BoundKind = "preceding"
	CurrentRow         BoundKind = "current row"
	Following          BoundKind = "following"
	UnboundedFollowing BoundKind = "unbounded following"
)

// FrameExclusion says which rows around the row at hand a frame leaves out.
type FrameExclusion string

// The exclusions.
const (
	ExcludeNothing FrameExclusion = ""
	ExcludeCurrent FrameExclusion = "current row"
	ExcludeGroup   FrameExclusion = "group"
	ExcludeTies    FrameExclusion = "ties"
)

// DefaultFrame is the frame of a window that says nothing of it.
func DefaultFrame() Frame {
	return Frame{Unit: FrameRange, Start: FrameBound{Kind: UnboundedPreceding}, End: FrameBound{Kind: CurrentRow}}
}

// windowResults say what window functions give, and how many arguments they
// take; a result without a kind is that of the first argument.
var windowResults = map[WindowFunc]struct {
	result Type
	args   int
}{
	RowNumber: {TInt64, 0}, Rank: {TInt64, 0}, DenseRank: {TInt64, 0},
	PercentRank: {TFloat64, 0}, CumeDist: {TFloat64, 0}, Ntile: {TInt32, 1},
	Lag: {Type{}, 2}, Lead: {Type{}, 2}, FirstValue: {Type{}, 1}, LastValue: {Type{}, 1}, NthValue: {Type{}, 2},
	StringAgg: {TText, 2}, StringAggDistinct: {TText, 2},
}

// IsAggregate reports whether the call is that of an aggregate.
func (c *WindowCall) IsAggregate() bool {
	_, ok := windowResults[c.Func]
	return !ok
}

// UsesFrame reports whether the function looks at the frame, and not at the whole
// partition.
func (c *WindowCall) UsesFrame() bool {
	switch c.Func {
	case FirstValue, LastValue, NthValue:
		return true
	}
	return c.IsAggregate()
}

// Aggregate is a call of an aggregate as one of a group.
func (c *WindowCall) Aggregate() Agg {
	agg := Agg{Column: c.Column, Func: AggFunc(c.Func), Filter: c.Filter}
	if len(c.Args) > 0 {
		agg.Arg = c.Args[0]
	}
	if len(c.Args) > 1 {
		agg.Arg2 = c.Args[1]
	}
	return agg
}

// Columns implements Node.
func (n *Window) Columns() []Column {
	in := n.Input.Columns()
	cols := make([]Column, 0, len(in)+len(n.Calls))
	cols = append(cols, in...)
	for i := range n.Calls {
		cols = append(cols, n.Calls[i].Column)
	}
	return cols
}
