// Package cuda renders kernels as CUDA C++: a kernel.Func and the shapes of its
// inputs become one freestanding source text (no toolkit headers) whose entries
// the host launches in turn. The text depends on shapes and not on data or
// constants, so that a changed constant compiles nothing.
//
// Rows are processed in tiles: a block of threads holds a tile of rows in
// registers and every value of the IR is an array over the rows of a thread.
package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// Encoding is how the values of a column lie in device memory: one array over
// all rows of the relation, with room for a multiple of four rows. Offset
// encodings hold value−Base, Base being an argument of the launch.
type Encoding uint8

// The encodings.
const (
	EncNull Encoding = iota // every row is NULL; no data
	EncU8                   // integers and codes as offsets
	EncU16
	EncU32
	EncI64  // 64-bit integers, as they are
	EncI128 // two's complement, low word first
	EncF64
	EncBits      // booleans, least significant bit first, in 32-bit words
	EncStr       // text: 32-bit offsets (rows+1 of them) into bytes
	EncTexts     // text: words that refer to bytes that lie elsewhere: see TextWord
	EncNum       // value.Num as two words of coefficient and one of scale
	EncIntervals // value.Interval: months, days, microseconds, 64 bits each
)

// Width is the size of a value in bytes, for encodings that give each value a
// place of its own; of text that of an offset, and 0 of EncNull and EncBits.
func (e Encoding) Width() int {
	switch e {
	case EncU8:
		return 1
	case EncU16:
		return 2
	case EncU32, EncStr:
		return 4
	case EncI64, EncF64, EncTexts:
		return 8
	case EncI128:
		return 16
	case EncNum, EncIntervals:
		return 24
	}
	return 0
}

// ColumnShape is what the source depends on of one column.
type ColumnShape struct {
	Type     kernel.Type
	Encoding Encoding
	Nullable bool // a validity bitmap (32-bit words, least significant bit first) comes with the data
}

// TableShape is what the source depends on of a hash table that an earlier
// module built.
type TableShape struct {
	Layout  Layout
	Unique  bool       // no two rows have equal keys: a probe has at most one match
	Keys    []KeyShape // as they were built
	Payload []ColumnShape
}

// KeyShape is what the source depends on of a key of a table.
type KeyShape struct {
	Type kernel.Type
	// Null says that NULL is a value of the key, equal to itself; else a row
	// with a NULL has no key.
	Null bool
}

// Layout is how a table finds rows by their keys.
type Layout uint8

// The layouts. In all but LayoutCells the rows of the payload are numbered, and rows of
// one key lie side by side.
const (
	LayoutAll    Layout = iota // no keys: every row matches
	LayoutCells                // the payload lies at the key's cell of the product of the keys' ranges; slots are a bitmap of the cells that have a row
	LayoutDense                // slots are the cells: words of 64 bits, the first row of each key plus one and, in the high half, the row behind the last
	LayoutNarrow               // open addressing of keys below 2^32: slots of 64 bits, the key and the first row plus one
	LayoutSorted               // no table: a relation in the order of its key
	LayoutWide                 // open addressing of keys of any width: slots of 32 bits, the first row plus one; keys lie row by row in 64-bit words
)

// InputShape is the shape of one of Func.Inputs: Columns by ordinal of the
// relation (zero Type for columns that are not read), or Table.
type InputShape struct {
	Columns []ColumnShape
	Table   *TableShape
	Groups  *GroupCells
}

// GroupCells is how the groups of an Aggregate lie in its cells: what reads them needs no more,
// be it the entry that writes them or the kernel that what follows is woven into.
type GroupCells struct {
	layout CellLayout
	keys   []cellKey
	accs   []cellAcc
	exists term // dense: what is not 0 of a cell that has rows
	words  []Arg
}

// cellKey is a key of the groups: its place in the words of a table, or of runs a column.
type cellKey struct {
	typ kernel.Type
	keyPart
	column ColumnShape
}

// cellAcc is what is kept of an accumulator.
type cellAcc struct {
	op     kernel.AccOp
	arg    kernel.Type // of the argument, where a rank of it is kept
	kind   accKind
	bits   int  // of keptMax: 32, 64, or 128, of which the low word is found by going over the rows again
	isMin  bool // of keptMax: complements
	terms  []term
	noted  bool // whether the group has had a value is noted
	seen   term // where
	result []kernel.Type
}

// Module is a rendered kernel.
type Module struct {
	// Source is the whole text for the compiler, with canonical names: see Named.
	Source string
	// Args says what stands in each 64-bit word of the one parameter that all
	// entries take, a struct by value.
	Args []Arg
	// Plan is what the host does with the entries.
	Plan *launch.Plan
	// Outputs are the columns that Materialize and Aggregate with one group write,
	// or the payload of Build; Bases are what offset-encoded ones add.
	Outputs []ColumnShape
	Bases   []int64
	Results []kernel.ValueID // that they hold
	// Sites are the places that can raise an error, by the number that the kernel
	// records.
	Sites []Site
	// Layout is how the table of a Build is laid out.
	Layout Layout
	// Groups is how the groups lie that an Aggregate leaves in cells; nil: it leaves none.
	Groups *GroupCells
	// Maps are the body's Maps, by the number that the arguments of their tables
	// have.
	Maps []*kernel.Map
	// Added is where the status has the two words of ArgAdditions, 0 where they are not
	// counted.
	Added int
	// Likes are the body's matches of patterns, by the number that the arguments of
	// the patterns have.
	Likes []*kernel.Compute
}

// Arg describes one 64-bit word of the parameter block.
type Arg struct {
	Kind  ArgKind
	Input int // index in Func.Inputs, or a buffer's number where the Kind says so
	Index int // ordinal, parameter, dictionary, map or accumulator, by Kind
}

// ArgKind says what an Arg is. Pointers are device addresses.
type ArgKind string

// The kinds of arguments. Renderers add the ones that their sinks need; the
// host in runtime/cuda fills them.
const (
	ArgRows        ArgKind = "rows"         // number of rows of relation Input
	ArgData        ArgKind = "data"         // data of column Index of Input
	ArgBytes       ArgKind = "bytes"        // bytes of text column Index of Input
	ArgValid       ArgKind = "valid"        // validity of column Index of Input
	ArgBase        ArgKind = "base"         // what offset-encoded column Index of Input adds
	ArgParam       ArgKind = "param"        // Func.Params[Index], low word; floats by their bits
	ArgParamHigh   ArgKind = "param_high"   // its high word, for I128 and Num; of an interval the months, and the days in the low 32 bits; of a text its first bytes, as word_of_text reads them
	ArgParamScale  ArgKind = "param_scale"  // its scale, for Num
	ArgParamNull   ArgKind = "param_null"   // 1 where it is NULL
	ArgMapData     ArgKind = "map_data"     // results of the body's Map number Index by code plus one, 0 being for NULL: booleans as bits, others as full words of their type
	ArgMapState    ArgKind = "map_state"    // their states, in bytes: see MapValue
	ArgLike        ArgKind = "like"         // pattern of Likes[Index], in 32-bit words: see like.cuh
	ArgRank        ArgKind = "rank"         // ranks (32 bits) of the codes of dictionary Index
	ArgUnrank      ArgKind = "unrank"       // codes (32 bits) by rank
	ArgError       ArgKind = "error"        // three words: the first error's ErrorCode (0 for none), Site and, for a Map, entry
	ArgCount       ArgKind = "count"        // counter of rows of the sink
	ArgCapacity    ArgKind = "capacity"     // rows or cells for which there is room
	ArgSkip        ArgKind = "skip"         // rows that the sink takes and does not write
	ArgOutData     ArgKind = "out_data"     // data of output column Index
	ArgOutValid    ArgKind = "out_valid"    // its validity, zeros before the launch
	ArgOutBase     ArgKind = "out_base"     // what it adds, where it is offset-encoded
	ArgTileStart   ArgKind = "tile_start"   // 64-bit words, one a tile and one more: rows that come before the tile's
	ArgTiles       ArgKind = "tiles"        // the number of tiles of the source
	ArgEnough      ArgKind = "enough"       // rows after which no more are wanted
	ArgTileRecords ArgKind = "tile_records" // of the tiles, in words: see lookback.cuh
	ArgPartials    ArgKind = "partials"     // the states that blocks leave to the entry after them
	ArgBlocks      ArgKind = "blocks"       // number of blocks of the entry before
	ArgChildCounts ArgKind = "child_counts" // nine words, of kernels that are launched: see children.cuh
	ArgChildPlaces ArgKind = "child_places" // where they wait
	ArgChildNumber ArgKind = "child_number" // number of those places
	ArgChildMin    ArgKind = "child_min"    // matches for which a launch pays
	ArgChildBlocks ArgKind = "child_blocks" // blocks of a launch, at most
	ArgChildShared ArgKind = "child_shared" // bytes of its dynamic shared memory
	ArgMatchStarts ArgKind = "match_starts" // by tile: what the tiles before it in its chunk are worth: see shares.cuh
	ArgMatchChunks ArgKind = "match_chunks" // the chunks counted, and what those before each are worth
	ArgMatchBlocks ArgKind = "match_blocks" // number of the chunks
	ArgSample      ArgKind = "sample"       // words that a sample of the source adds up: see sample.cuh
	ArgFirstBlock  ArgKind = "first_block"  // number of blocks of the same entry's launches before, over other rows
	ArgLast        ArgKind = "last"         // cells whose groups the last block writes that ends; 0: it does not
	ArgEnded       ArgKind = "ended"        // counter of blocks that have ended
	ArgCells       ArgKind = "cells"        // cells of an Aggregate, a power of two where they are slots of a table
	ArgState       ArgKind = "state"        // array Index of CellLayout.State
	ArgKeyLo       ArgKind = "key_lo"       // minimum of key Index
	ArgKeyCard     ArgKind = "key_card"     // dense: values of key Index, and one for NULL where it is nullable
	ArgKeyStride   ArgKind = "key_stride"   // dense: cells between two values of key Index
	ArgGroupKeys   ArgKind = "group_keys"   // CellLayout.KeyWords words a slot
	ArgGroupState  ArgKind = "group_state"  // 32 bits a slot: 0 where it is free
	ArgMarked      ArgKind = "marked"       // by argument of DISTINCT accumulators: the set of values with their groups, see marks.cuh
	ArgMarkLo      ArgKind = "mark_lo"      // by value: what is subtracted from it in their keys
	ArgMarkBuckets ArgKind = "mark_buckets" // buckets of such a set
	ArgMarkFull    ArgKind = "mark_full"    // not 0 where one of them was full
	ArgGroupCount  ArgKind = "group_count"  // five words: number of groups in the table; not 0 where it was full; of one warp of each block the tiles that it took, their rows that reached the sink, and those of them that got a slot
	ArgCellWord    ArgKind = "cell_word"    // word Index of the groups that are input Input: see GroupCells
	ArgAdditions   ArgKind = "additions"    // two words, where lanes are joined: rows that were added to cells, and the additions that were made of them
	ArgCopies      ArgKind = "copies"       // replicas of each cell of an Aggregate
	ArgTexts       ArgKind = "texts"        // texts (64-bit words) of the codes of dictionary Index
	ArgTextWords   ArgKind = "text_words"   // words of a text in the keys of a Sort
	ArgSortKeys    ArgKind = "sort_keys"    // words of the keys of a Sort: see sortLayout
	ArgLeast       ArgKind = "least"        // least keys of a Sort's first rows: see top.cuh
	ArgBounded     ArgKind = "bounded"      // 1 where one of them is a bound of the rows that are kept
	ArgBound       ArgKind = "bound"        // which of them it is
	ArgFirstData   ArgKind = "first_data"   // output column Index of the first rows in their order
	ArgFirstValid  ArgKind = "first_valid"  // its validity, zeros before the launch
	ArgBoundEqual  ArgKind = "bound_equal"  // counter of rows whose key is the bound
	ArgTableLo     ArgKind = "table_lo"     // table Input: minimum of key Index
	ArgTableExtent ArgKind = "table_extent" // table Input: number of values of key Index
	ArgTableSlots  ArgKind = "table_slots"  // table Input: its slots, see Layout
	ArgTableMask   ArgKind = "table_mask"   // table Input with open addressing: number of slots less one
	ArgTableEnds   ArgKind = "table_ends"   // table Input with equal keys: by the first row of a key, the one behind the last
	ArgTableKeys   ArgKind = "table_keys"   // table Input: the keys of its rows
	ArgDuplicates  ArgKind = "duplicates"   // counter of rows that Build has found a key of before
	ArgRunOf       ArgKind = "run_of"       // by row that Build writes as it comes: the slot of its key, 32 bits
	ArgRunRank     ArgKind = "run_rank"     // by row: how many of its key came before, 32 bits
	ArgRunLength   ArgKind = "run_length"   // by slot, 32 bits: rows of its key (but for the first, unless slots are cells), then where their run begins
	ArgRunPlace    ArgKind = "run_place"    // counter of places of the runs so far
	ArgRunSpread   ArgKind = "run_spread"   // three words: keys that have rows, the rows of the one with the most, and the sum of the squares of their rows
	ArgRunRows     ArgKind = "run_rows"     // rows that are moved to the runs of their keys
	ArgRowData     ArgKind = "row_data"     // output column Index of the rows before they are moved
	ArgRowValid    ArgKind = "row_valid"
	ArgRowBase     ArgKind = "row_base"
	ArgRowKeys     ArgKind = "row_keys"     // their keys, as ArgTableKeys
	ArgKeyless     ArgKind = "keyless"      // counter of rows without a key
	ArgKeyBounds   ArgKind = "key_bounds"   // two words for key Index of the rows that Build takes: see KeyBounds in table.cuh
	ArgTableMark   ArgKind = "table_mark"   // table Input: a byte a row, 1 where a probe with Mark matched
	ArgFilterBits  ArgKind = "filter_bits"  // filter of table Input, in global memory
	ArgFilterWords ArgKind = "filter_words" // its length
	ArgFilterSlots ArgKind = "filter_slots" // slots that it is made of
	ArgFilterAt    ArgKind = "filter_at"    // words before it in the shared memory of a block
	ArgPackedAt    ArgKind = "packed_at"    // words before the rows that wait in the shared memory of a block
	ArgTableData   ArgKind = "table_data"   // payload column Index of table Input
	ArgTableValid  ArgKind = "table_valid"
	ArgTableBase   ArgKind = "table_base"
)

// Site is a place in the kernel that can raise an error: a *kernel.Compute, a
// *kernel.Map, or nil for the sink.
type Site struct{ Instr kernel.Instr }

// ErrorCode is what a kernel records of an error that a row raises.
type ErrorCode uint64

// bound reports whether the run sets an argument, and no launch does.
func (a Arg) bound() bool {
	switch a.Kind {
	case ArgRows, ArgData, ArgBytes, ArgValid, ArgBase, ArgParam, ArgParamHigh, ArgParamScale, ArgParamNull,
		ArgMapData, ArgMapState, ArgLike, ArgRank, ArgUnrank, ArgTexts, ArgCellWord:
		return true
	case ArgTableLo, ArgTableExtent, ArgTableSlots, ArgTableMask, ArgTableEnds, ArgTableKeys,
		ArgTableMark, ArgTableData, ArgTableValid, ArgTableBase:
		return a.Input != tableOutput
	}
	return false
}

// tableOutput is the number, in place of an input's, of the table that a Build
// makes.
const tableOutput = -1
