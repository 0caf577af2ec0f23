package cuda

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The arguments of a Window's entries. Rows are numbered in order.
const (
	ArgOrder      ArgKind = "order"            // by row: where it lies as it was collected, 32 bits
	ArgOrdered    ArgKind = "ordered"          // the number of rows
	ArgKeyWords   ArgKind = "key_words"        // words of their keys
	ArgPartWords  ArgKind = "partition_words"  // those of them that are of the partition alone
	ArgMarks      ArgKind = "marks"            // a byte a row: how it differs from the one before: see windows.cuh
	ArgPartition  ArgKind = "partition"        // by row: the number of its partition, 32 bits
	ArgPartStarts ArgKind = "partition_starts" // by partition: its first row, and behind the last the number of rows
	ArgPeers      ArgKind = "peers"            // likewise of groups of peers
	ArgPeerStarts ArgKind = "peer_starts"
	ArgDistance   ArgKind = "distance"    // of a bound of a frame, in rows or groups: 2·frame for its start, and one more for its end
	ArgTileHeads  ArgKind = "tile_heads"  // by tile, 32 bits: whether a partition begins in it
	ArgTileStates ArgKind = "tile_states" // of accumulator Index, by tile: the state of its last rows
	ArgRunning    ArgKind = "running"     // likewise by row: that of its partition up to it; for groups by partition
	ArgGroups     ArgKind = "groups"      // partitions of which the result has a row each
	ArgFraction   ArgKind = "fraction"    // of the percentile Index
	ArgWords      ArgKind = "words"       // of percentile Index, by row: the rank of its value, all ones for none
	ArgPicked     ArgKind = "picked"      // likewise by partition: the words of two places
	ArgSelected   ArgKind = "selected"    // likewise by segment of many words: see select.cuh
	ArgDigits     ArgKind = "digits"      // likewise: how many words have each digit
	ArgSegments   ArgKind = "segments"    // partitions, 32 bits: of more words than a warp selects from, or with Index 1 than a block
	ArgSegmentN   ArgKind = "segment_n"   // two words: how many these are
	ArgMany       ArgKind = "many"        // the number of the latter
	ArgMore       ArgKind = "more"        // and of the former
	ArgShift      ArgKind = "shift"       // of the digit
	ArgNodes      ArgKind = "nodes"       // likewise of a tree: see windows.cuh
	ArgNodeFrom   ArgKind = "node_from"   // the first of the nodes that are made
	ArgNodeEnd    ArgKind = "node_end"    // the one behind the last

	ArgTextEnds    ArgKind = "text_ends"    // of call Index, which puts texts together, by row: where what it adds ends among the bytes
	ArgTextBytes   ArgKind = "text_bytes"   // likewise: the bytes of all partitions
	ArgTextLongest ArgKind = "text_longest" // likewise: how many the partition with the most has
)

// windowing is a Window while it is rendered. One entry writes the rows that remain and
// their keys; when they are ordered others number partitions and groups of peers, and
// make states of accumulators; the last one writes the result, in order.
type windowing struct {
	*renderer
	s         *kernel.Window
	groups    bool             // its result is a row of each partition: see sorted_groups.go
	perGroup  bool             // states are kept of each partition alone, and peers have no numbers
	collected []kernel.ValueID // what is written of the rows
	shapes    []ColumnShape    // and how
	bases     []int64
	first     *firstRows // what rows are left out by; nil: none are
	partition sortLayout // of the words of keys that are the partition's alone
	accs      []*windowAcc
	frames    []function // by frame: see windowFrame

	concatenated []*concatenation
}

// firstRows leaves out rows that are not among the first of their partitions before they are
// sorted: a pass before finds the last of the first of each.
type firstRows struct {
	*windowing
	partition, order []sortField // a word of each
	bits             int         // of the partition's
}

// windowPlanner plans a Window: the rows are written and ordered, partitions and groups of
// peers numbered, states of accumulators made, and the result written.
type windowPlanner struct {
	*Planner
	w *windowing
}

// windowAcc is an accumulator over frames. A state of it is made of each row. Where
// frames begin with the partition they are combined one after the other, and the state of
// a frame is that of its last row; others are put together from the nodes of a tree.
type windowAcc struct {
	call  int // of the window
	acc   *kernel.Acc
	row   kernel.Accumulator
	state string // the type, in state.cuh mostly
	runs  bool   // frames begin with the partition
	take  function
}

// concatenation is a call that puts the texts of each partition together.
type concatenation struct {
	call   int // of the window
	column int // of the result
	take   function
}

// function is a function of the source, and the arguments that it takes.
type function struct {
	name  string
	takes []int
}

// column is where a value of the rows lies.
func (w *windowing) column(id kernel.ValueID) stored {
	i := slices.Index(w.collected, id)
	return stored{
		name: w.name(id) + " of the rows", shape: w.shapes[i],
		data: Arg{Kind: ArgRowData, Index: i}, valid: Arg{Kind: ArgRowValid, Index: i}, base: Arg{Kind: ArgRowBase, Index: i},
	}
}

// ordered is the number of the rows.
func (e *arguments) ordered() string { return e.Arg(Arg{Kind: ArgOrdered}, "u64", "rows in order") }

// rowOf is where the row of a place in the order lies.
func (e *arguments) rowOf(place string) string {
	return fmt.Sprintf("%s[%s]", e.Arg(Arg{Kind: ArgOrder}, "const u32*", "numbers of the rows in order"), place)
}

func (e *arguments) marks() string {
	return e.Arg(Arg{Kind: ArgMarks}, "u8*", "how rows differ from those before")
}

// groupsOf are the numbers and the first rows of partitions, or of groups of peers.
func (e *arguments) groupsOf(of, starts ArgKind, what string) (string, string) {
	return e.Arg(Arg{Kind: of}, "u32*", what+" of each row"), e.Arg(Arg{Kind: starts}, "u32*", "first row of each of the "+what)
}
func (e *arguments) partitions() (of, starts string) {
	return e.groupsOf(ArgPartition, ArgPartStarts, "partition")
}
func (e *arguments) peersOf() (of, starts string) {
	return e.groupsOf(ArgPeers, ArgPeerStarts, "group of peers")
}

// orderedTile is how many rows a block takes at a time: ORDERED_TILE of windows.cuh.
const orderedTile = 8 * threads

// overTiles renders an entry that does something with each tile of the rows in order.
func (w *windowing) overTiles(name, comment string, open, body func(e *Entry)) {
	w.entry(name, comment, orderedTile, func(e *Entry) {
		open(e)
		e.Begin("for (u64 tile = blockIdx.x; tile * ORDERED_TILE < %s; tile += gridDim.x)", e.ordered())
		body(e)
		e.End()
	})
}

// function writes a function of the source, which takes the arguments of the launch as p.
func (w *windowing) function(comment, result, name, params string, body func(e *Entry)) function {
	outer := maps.Clone(w.takes)
	clear(w.takes)
	e := w.newEntry(name)
	e.Line("// %s", comment)
	e.Begin("DEVICE %s %s(const Params& p%s)", result, name, params)
	body(e)
	e.End()
	w.texts = append(w.texts, e.lines.String())
	f := function{name: name, takes: slices.Collect(maps.Keys(w.takes))}
	clear(w.takes)
	maps.Copy(w.takes, outer)
	return f
}

// calls notes that an entry or a function calls another function, and returns its name.
func (w *windowing) calls(f function) string {
	for _, word := range f.takes {
		w.takes[word] = true
	}
	return f.name
}

// load declares values of one row, that at a place of the rows as they were collected.
func (w *windowing) load(e *Entry, at string, ids ...kernel.ValueID) {
	for n, id := range ids {
		if id == kernel.NoValue || slices.Contains(ids[:n], id) {
			continue
		}
		if i := w.paramOf(id); i >= 0 {
			e.param(i, id)
			continue
		}
		w.declareRow(e, id, w.elementOf(id, at), w.nullOf(id, at))
	}
}

// paramOf is the constant that a value is, or below 0.
func (w *windowing) paramOf(id kernel.ValueID) int {
	return slices.IndexFunc(w.f.Params, func(p kernel.Param) bool { return p.Dst == id })
}

// elementOf is a value of a collected row, and nullOf whether it is NULL there, or "".
func (w *windowing) elementOf(id kernel.ValueID, at string) string {
	return w.element(w.column(id), at, w.f.Values[id].Type)
}

func (w *windowing) nullOf(id kernel.ValueID, at string) string {
	if !w.f.Values[id].Nullable {
		return ""
	}
	return fmt.Sprintf("!bit_at(%s, %s)", w.Arg(w.column(id).valid, "u32*", "validity of "+w.name(id)), at)
}

// declareRow declares a value of one row by its expression, and whether it is NULL.
func (w *windowing) declareRow(e *Entry, id kernel.ValueID, x, null string) {
	if v := &w.f.Values[id]; v.Type == kernel.Bool {
		e.Line("const u32 %s = %s;", w.name(id), x)
	} else {
		e.Line("const %s %s[1] = {(%s)%s};", w.kept(id), w.name(id), w.kept(id), x)
	}
	if n := w.nulls(id); n != "" {
		if null == "" {
			null = "0"
		}
		e.Line("const u32 %s = %s;", n, null)
	}
}
