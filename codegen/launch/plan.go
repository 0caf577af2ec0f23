// Package launch defines launch plans: what the host does with the entries of a
// rendered kernel, as a small typed program. A plan allocates buffers of symbolic
// sizes, launches entries, reads back what decides how it goes on, and ends with a
// result. It knows neither a device nor what the kernel computes; the run that carries it
// out gives its symbols their values.
package launch

// Plan is one program. It is immutable once made, and any number of runs may carry
// it out at the same time.
type Plan struct {
	Name    string
	Blocks  []Block
	Entries []Entry
	Buffers []Buffer
	Vars    []Var
	Body    []Stmt
}

// Block is the parameter of the entries of one module: a struct of 64-bit words.
type Block struct {
	Name  string // of the module
	Words []Word
}

// Word is a word of a Block.
type Word struct {
	Name string
	// Pointer is how many bytes an element has that the word points to, 1 for bytes of
	// any kind; 0: the word is a number.
	Pointer int
	// Bound says that the run gives the word its value, and no launch does: columns
	// and tables that are read, constants.
	Bound bool
}

// Entry is a kernel that a plan launches.
type Entry struct {
	Name    string
	Block   int
	Threads int // in a block
	// TileRows is how many rows a block takes at a time; 0: one block does all.
	TileRows int
	// PerSM is how many blocks a multiprocessor runs at one time; 0: what the compiled
	// kernel's use of registers and shared memory allows.
	PerSM int
	// Source says that the entry goes over the rows of the source, chunk by chunk.
	Source bool
	Takes  []int // the words that it reads, in ascending order
}

// Buffer is memory of the device: several arrays that are allocated and released
// together, or the columns of a result.
type Buffer struct {
	Name    string
	Parts   int
	Columns []Column // not nil: the parts are the data and the validity of each
	First   int      // the place of the first of them among the columns that the kernel writes
}

// Column is how a result column lies in memory.
type Column struct {
	Width int // bytes of a value; 0: a bit
	Valid bool
}

// Var is a variable of the host.
type Var struct {
	Name string
	Kind VarKind
}

// VarKind is what a Var holds.
type VarKind uint8

// The kinds of variables.
const (
	Natural VarKind = iota // a number that is not negative
	Bits                   // 64 bits
	Array                  // any number of Bits
)

// Ref is a place in a buffer.
type Ref struct {
	Buffer, Part int
	Offset       Expr // in bytes; nil: 0
}

// Data is where the data of a column lie, and Validity where its validity does.
func Data(buffer, column int) Ref     { return Ref{Buffer: buffer, Part: 2 * column} }
func Validity(buffer, column int) Ref { return Ref{Buffer: buffer, Part: 2*column + 1} }

// Access is what an entry does with a buffer.
type Access uint8

// The kinds of access.
const (
	In    Access = iota // reads it
	Out                 // writes it
	InOut               // reads what was there before, and writes
)

// Stmt is a statement.
type Stmt interface{ stmt() }

// Let sets a variable.
type Let struct {
	Var int
	X   Expr
}

// List has an array hold numbers.
type List struct {
	Array int
	X     []Expr
}

// Alloc allocates the parts of a buffer.
type Alloc struct {
	Buffer int
	Sizes  []Expr // in bytes
	Fill   Fill
}

// Fill is what freshly allocated memory holds.
type Fill uint8

// The contents.
const (
	Anything Fill = iota
	Zeros
	Ones // all bits
)

// Columns allocates result columns with room for so many rows. Their validities
// and bits are zeros.
type Columns struct {
	Buffer int
	Rows   Expr
}

// Clear makes bytes of a buffer zeros.
type Clear struct {
	At    Ref
	Bytes Expr
}

// Release frees a buffer. What is not released is freed when the plan has ended,
// but for what the result keeps.
type Release struct{ Buffer int }

// Swap exchanges two buffers.
type Swap struct{ A, B int }

// Launch starts an entry over so many rows, unless there are none: a block for each
// tile, but no more than the device runs at one time.
type Launch struct {
	Entry  int
	Over   Expr
	Shared Expr // bytes of dynamic shared memory; nil: 0
	Full   bool // all blocks that the device runs at one time, however few tiles there are
	Blocks int  // variable that gets the number of blocks; None
	Args   []Arg
}

// None stands for no variable, word or buffer.
const None = -1

// Arg fills a word of the parameter: with a number, or with a place in a buffer.
type Arg struct {
	Word   int // of the block
	X      Expr
	Ref    Ref // where X is nil
	Access Access
}

// Read waits for all that was started and reads words of 64 bits.
type Read struct {
	From  Ref
	Words Expr
	// Raise is the first of three words that are the error of a row, which ends the
	// plan where the first of them is not 0; None.
	Raise int
	Into  []Into
	Array int // variable that gets all words; None
	// With are the rows that a result may have: where the host wants them, they come with the words, as far as
	// a run sees fit. Nil: none.
	With *Rows
}

// Into has a variable get a word that was read.
type Into struct{ Word, Var int }

// If carries out one of two lists of statements.
type If struct {
	Cond       Expr // not 0
	Then, Else []Stmt
}

// Loop repeats its body until an Until that stands directly in it ends it.
type Loop struct{ Body []Stmt }

// Until ends the loop around it where the condition is not 0.
type Until struct{ Cond Expr }

// Chunks carries its body out for each chunk of the source's rows, one after the
// other: the whole source is one chunk where it lies in the device's memory.
type Chunks struct{ Body []Stmt }

// Fail ends the plan with an error where the condition is not 0.
type Fail struct {
	Kind FailKind
	Cond Expr
	Text string
}

// FailKind is what kind of an error it is.
type FailKind uint8

// The kinds of errors.
const (
	Refused     FailKind = iota // the device cannot run this
	OutOfMemory                 // the device has no room
	LimitHit                    // a limit of the engine
)

// Note says which way the plan goes, as far as only its run decides, and numbers of it.
type Note struct {
	Text string
	X    []Expr
}

// Rows ends the plan: the first rows of columns are a relation.
type Rows struct {
	Buffer int
	Rows   Expr
	Texts  []Texts // that the plan has made
}

// Texts are the bytes of texts in a buffer of one part, which a column of the result refers to. The
// longest text has so many.
type Texts struct {
	Buffer, Column int
	Longest        Expr
}

// Keep has the first rows of columns be one of the relations that the plan ends with, from
// number 0 on. The buffer can be allocated again after that.
type Keep struct {
	Buffer int
	Rows   Expr
	Number Expr
}

// Relations ends the plan: so many relations have been kept. Those that have not are without
// rows.
type Relations struct{ Count int }

// Table ends the plan: columns are the payload of a hash table.
type Table struct {
	Buffer             int
	Rows, Places       Expr // rows, and the places of the payload that they lie at
	Unique             Expr // not 0: no two rows have equal keys
	Mask               Expr // slots less one, of open addressing
	Slots, Ends, Words int  // buffers, or None
	// Keys with rows, the rows of the key with the most, and the sum of the squares of the
	// keys' rows; nil where each key has one.
	Keys, Longest, Squares Expr
	Bounds                 []KeyBounds // of keys, as far as they are known
}

// KeyBounds are the bounds of a key of a table, in the order of unsigned numbers: Max is
// the greatest key with its sign turned, Min the complement of the least one so. Both are 0
// where there is no key.
type KeyBounds struct {
	Key      int
	Min, Max Expr
}

// Groups ends the plan: the groups of an aggregation stay in so many cells, and Words, numbers
// and places in buffers, lead to them. Groups is how many cells have one, nil where that is not
// known.
type Groups struct {
	Cells, Groups Expr
	Words         []Arg
}

// Fallback ends the plan without a result: the other rendering of the kernel is to
// be used, with room for so many rows.
type Fallback struct{ Room Expr }

// Complete ends the plan without a result: what it was to write is written, or read to an
// array.
type Complete struct{ Array int }

// words are the first of those that were read to the array; nil: there is none.
func (s *Complete) words() Expr {
	if s.Array == None {
		return nil
	}
	return At{Array: s.Array, Index: Int(0)}
}

func (*Let) stmt()       {}
func (*List) stmt()      {}
func (*Alloc) stmt()     {}
func (*Columns) stmt()   {}
func (*Clear) stmt()     {}
func (*Release) stmt()   {}
func (*Swap) stmt()      {}
func (*Launch) stmt()    {}
func (*Read) stmt()      {}
func (*If) stmt()        {}
func (*Loop) stmt()      {}
func (*Until) stmt()     {}
func (*Chunks) stmt()    {}
func (*Fail) stmt()      {}
func (*Note) stmt()      {}
func (*Rows) stmt()      {}
func (*Keep) stmt()      {}
func (*Relations) stmt() {}
func (*Table) stmt()     {}
func (*Groups) stmt()    {}
func (*Fallback) stmt()  {}
func (*Complete) stmt()  {}
