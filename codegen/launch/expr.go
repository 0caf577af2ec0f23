package launch

import (
	"math"
	"math/bits"
)

// Expr is a number that the host computes. Arithmetic saturates at the ends of 64
// bits; conditions are 1 or 0.
type Expr interface{ expr() }

// Int is a constant.
type Int int64

// Sym is a number that the run knows.
type Sym struct {
	Kind  Symbol
	Index int // of a dictionary or an input
}

// Symbol is which number it is. None is negative.
type Symbol uint8

// The symbols.
const (
	SourceRows    Symbol = iota // rows of the source
	Filled                      // of these, cells that have a group; 0: unknown, or the source is no groups
	ChunkRows                   // rows of the chunk, in Chunks
	LeftRows                    // rows of the chunks behind it, likewise
	Streamed                    // 1 where the source comes in chunks
	Free                        // bytes of the device's memory that could be had now
	SMs                         // multiprocessors
	SharedMemory                // bytes that a block can have
	Cache                       // bytes of the cache of all multiprocessors; 0: unknown
	Estimate                    // rows or groups that the sink is estimated to have; 0: unknown
	Counted                     // rows that the plan before has counted: see Fallback
	FewRows                     // up to how many rows of the source are counted first
	FlushTiles                  // tiles after which a block flushes the cells of its threads; 0: when they may be full
	TunedShared                 // bytes of shared memory that a tuner has a block take; 0: as the plan says
	TunedReplicas               // replicas of a slot that it has a block make at most; likewise
	TunedRanges                 // ranges of the cells that it has the rows gone over for; likewise
	TextWords                   // words of the longest text that values may refer to
	Entries                     // entries of dictionary Index
	TableSlots                  // slots of the hash table that is input Index
)

// HasIndex reports whether there is a number for each dictionary, or each input.
func (s Symbol) HasIndex() bool { return s == Entries || s == TableSlots }

// VarRef is the value of a variable.
type VarRef int

// At is a word of an array.
type At struct {
	Array int // variable
	Index Expr
}

// Tiles is the number of tiles of so many rows that the chunks of the source have.
type Tiles struct{ Rows int }

// Blocks is the number of blocks of the launches of an entry over all chunks of the
// source, or of one launch over so many rows.
type Blocks struct {
	Entry int
	Over  Expr // nil: the chunks of the source
}

// Apply is an operation.
type Apply struct {
	Op Op
	X  []Expr
}

func (Int) expr()    {}
func (Sym) expr()    {}
func (VarRef) expr() {}
func (At) expr()     {}
func (Tiles) expr()  {}
func (Blocks) expr() {}
func (*Apply) expr() {}

// Op is an operation on numbers.
type Op uint8

// The operations.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Eq
	Ne
	Lt
	Le
	Min
	Max
	Select    // x is not 0: y, else z
	CeilPow2  // the smallest power of two that is at least x, and at least 2
	FloorPow2 // the largest power of two that is at most x, and at least 1
	CTZ       // zeros at the end of 64 bits
	AndNot    // x without the bits y << z
	Distinct  // groups that a whole is likely to have: see DistinctOf
)

// Operation is what is known of an Op.
type Operation struct {
	Name  string
	Infix int // precedence; 0: written as a function
	Args  int
}

// Operations are the operations.
var Operations = [...]Operation{
	Add: {"+", 2, 2}, Sub: {"-", 2, 2}, Mul: {"*", 3, 2}, Div: {"/", 3, 2},
	Eq: {"==", 1, 2}, Ne: {"!=", 1, 2}, Lt: {"<", 1, 2}, Le: {"<=", 1, 2},
	Min: {"min", 0, 2}, Max: {"max", 0, 2}, Select: {"select", 0, 3}, CeilPow2: {"ceil_pow2", 0, 1}, FloorPow2: {"floor_pow2", 0, 1},
	CTZ: {"ctz", 0, 1}, AndNot: {"andnot", 0, 3}, Distinct: {"distinct", 0, 5},
}

// functionNames are what expressions with parentheses begin with.
var functionNames = []string{"min", "max", "select", "ceil_pow2", "floor_pow2", "ctz", "andnot", "distinct", "tiles", "blocks"}

// SymbolNames are the symbols' names in text.
var SymbolNames = [...]string{
	SourceRows: "rows", Filled: "filled", ChunkRows: "chunk", LeftRows: "left", Streamed: "streamed", Free: "free", SMs: "sms", SharedMemory: "shared_memory",
	Cache: "cache", Estimate: "estimate", Counted: "counted", FewRows: "few_rows", FlushTiles: "flush_tiles",
	TunedShared: "tuned_shared", TunedReplicas: "tuned_replicas", TunedRanges: "tuned_ranges", TextWords: "text_words",
	Entries: "dict", TableSlots: "table_slots",
}

// Do computes an operation. It needs as many numbers as the operation takes, and a
// divisor that is not 0.
func (op Op) Do(x *[5]int64) int64 {
	switch op {
	case Add:
		return saturatingAdd(x[0], x[1])
	case Sub:
		return saturatingSub(x[0], x[1])
	case Mul:
		return saturatingMul(x[0], x[1])
	case Div:
		return x[0] / x[1]
	case Min:
		return min(x[0], x[1])
	case Max:
		return max(x[0], x[1])
	case Select:
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	case CeilPow2:
		return int64(1) << min(max(bits.Len64(uint64(max(x[0], 1)-1)), 1), 62)
	case FloorPow2:
		return int64(1) << (bits.Len64(uint64(max(x[0], 1))) - 1)
	case CTZ:
		return int64(bits.TrailingZeros64(uint64(x[0])))
	case AndNot:
		return x[0] &^ (x[1] << uint64(x[2]))
	case Distinct:
		return DistinctOf(x[0], x[1], x[2], x[3], x[4])
	}
	return truth(op, x[0], x[1])
}

// truth computes a comparison.
func truth(op Op, x, y int64) int64 {
	var t bool
	switch op {
	case Eq:
		t = x == y
	case Ne:
		t = x != y
	case Lt:
		t = x < y
	case Le:
		t = x <= y
	}
	if t {
		return 1
	}
	return 0
}

func saturatingAdd(x, y int64) int64 {
	sum := x + y
	switch {
	case x > 0 && y > 0 && sum < 0:
		return math.MaxInt64
	case x < 0 && y < 0 && sum >= 0:
		return math.MinInt64
	}
	return sum
}

func saturatingSub(x, y int64) int64 {
	diff := x - y
	switch {
	case x >= 0 && y < 0 && diff < 0:
		return math.MaxInt64
	case x < 0 && y > 0 && diff >= 0:
		return math.MinInt64
	}
	return diff
}

func saturatingMul(x, y int64) int64 {
	if x == 0 || y == 0 {
		return 0
	}
	p := x * y
	if p/y == x && !(x == math.MinInt64 && y == -1) && !(y == math.MinInt64 && x == -1) {
		return p
	}
	if (x < 0) != (y < 0) {
		return math.MinInt64
	}
	return math.MaxInt64
}
