package kernel

import "slices"

// Window sorts the rows by Partition and, within equal ones, by Order, and
// computes Calls for each row over the rows of its partition. It makes a
// relation of Cols and then what the calls give, in no certain order. NULLs
// are equal to each other in Partition and Order; rows that are equal in both
// are peers. Of each partition only the First rows, 0 for all, have to be there, and
// where Ties those that are peers of the last of them. Where InOrder the rows come in
// that order, and need not be sorted.
type Window struct {
	Partition []SortKey
	Order     []SortKey
	Cols      []ValueID
	Frames    []Frame
	Calls     []WindowCall
	First     int64
	Ties      bool
	InOrder   bool
}

// Operands are the values that the window reads, its sort keys aside.
func (s *Window) Operands() []ValueID {
	ids := slices.Clone(s.Cols)
	for i := range s.Frames {
		f := &s.Frames[i]
		ids = append(ids, f.Key, f.Start.Limit, f.End.Limit)
	}
	for i := range s.Calls {
		ids = append(append(ids, s.Calls[i].Args...), s.Calls[i].Filter)
	}
	return slices.DeleteFunc(ids, func(id ValueID) bool { return id == NoValue })
}

// WindowCall is one function of a window. With Func WindowAggregate it is the
// accumulator Acc over the rows of the frame; otherwise only the arguments and
// Dst of Acc are in use, and Acc.Op is empty. Frame is an index of
// Window.Frames.
type WindowCall struct {
	Func WindowFunc
	Acc
	Frame int
}

// WindowFunc names a function of a window.
type WindowFunc string

// The window functions. Those up to WindowLead look at the whole partition,
// the others at the frame.
const (
	WindowRowNumber   WindowFunc = "row_number"   // I64
	WindowRank        WindowFunc = "rank"         // I64
	WindowDenseRank   WindowFunc = "dense_rank"   // I64
	WindowPercentRank WindowFunc = "percent_rank" // F64
	WindowCumeDist    WindowFunc = "cume_dist"    // F64
	WindowNtile       WindowFunc = "ntile"        // (I32 of the partition's first row) I32; raises 22014
	WindowLag         WindowFunc = "lag"          // (x, I32 offset); NULL where there is no such row
	WindowLead        WindowFunc = "lead"
	WindowFirstValue  WindowFunc = "first_value"
	WindowLastValue   WindowFunc = "last_value"
	WindowNthValue    WindowFunc = "nth_value" // (x, I32); raises 22016
	// WindowStringAgg concatenates the Strs of its first argument, none of them
	// NULL, each but the partition's first behind the second argument of its row;
	// the partition's last row has the result, the others NULL. The distinct one
	// leaves out what equals the text before.
	WindowStringAgg         WindowFunc = "string_agg"
	WindowStringAggDistinct WindowFunc = "string_agg_distinct"
	WindowAggregate         WindowFunc = "aggregate"
)

// Frame says which rows of the partition belong to a row's frame. In Range
// frames a bound with a distance compares Key, the one sort key in a type in
// which it has room, with Limit, a value of the row at hand of that type; a
// Limit that is NULL stands for the row's peers. Key is NoValue where no bound
// has a Limit.
type Frame struct {
	Unit       FrameUnit
	Start, End FrameBound
	Exclude    FrameExclusion
	Key        ValueID
}

// FrameUnit says what the bounds of a frame count.
type FrameUnit string

// The units: rows, the values of the order, and groups of peers.
const (
	FrameRows   FrameUnit = "rows"
	FrameRange  FrameUnit = "range"
	FrameGroups FrameUnit = "groups"
)

// FrameBound is one end of a frame: Offset is the distance in rows or groups,
// Limit the value that a range reaches to, NoValue for other bounds.
type FrameBound struct {
	Kind   BoundKind
	Offset int64
	Limit  ValueID
}

// BoundKind is the kind of a frame bound.
type BoundKind string

// The kinds of frame bounds.
const (
	UnboundedPreceding BoundKind = "unbounded_preceding"
	Preceding          BoundKind = "preceding"
	CurrentRow         BoundKind = "current_row"
	Following          BoundKind = "following"
	UnboundedFollowing BoundKind = "unbounded_following"
)

// FrameExclusion says which rows around the row at hand a frame leaves out.
type FrameExclusion string

// The exclusions.
const (
	ExcludeNothing FrameExclusion = "nothing"
	ExcludeCurrent FrameExclusion = "current"
	ExcludeGroup   FrameExclusion = "group"
	ExcludeTies    FrameExclusion = "ties"
)

// NeverEmpty reports whether the frame of every row has the row itself.
func (f *Frame) NeverEmpty() bool {
	return f.Exclude == ExcludeNothing &&
		(f.Start.Kind == UnboundedPreceding || f.Start.Kind == CurrentRow || f.Start.Kind == Preceding) &&
		(f.End.Kind == UnboundedFollowing || f.End.Kind == CurrentRow || f.End.Kind == Following)
}
