package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// CellLayout says what the host prepares for an Aggregate with keys. A group has a cell:
// dense, the place of its keys' values in the product of the keys' ranges, the number of its
// run, or the slot of a table that finds it.
type CellLayout struct {
	Dense    bool
	Runs     bool  // groups are runs of rows
	KeyWords int   // 64-bit words of a key in the table; 1: a slot is free where the word is all ones, more: where its state is 0
	State    []int // the arrays of accumulators: bytes of a cell, all zeros at first
	// Apart is how many words lie from one slot of the table to the next where what is accumulated of a
	// group, in arrays of whole words, lies behind its key, of one word. All of it is zeros at first, and the
	// complement of a key is kept. 0: each has an array of its own.
	Apart  int
	Planes int // 32-bit words of a copy of a cell in shared memory
	Highs  int // of the planes, the last ones: high words of sums without which a block may do
	// SecondPass says that the rows are gone over once more after entry aggregate.
	SecondPass bool
}

// term is one number that an accumulator keeps of a group, all zeros for no rows.
type term struct {
	kind   *termKind
	array  int    // first array of cells
	plane  int    // first plane of shared memory: see placePlanes
	second bool   // it is added up in the second pass
	ones   bool   // each row that counts gives one
	max    uint64 // what a row gives to a sum, at most; MaxUint64 where that has a sign or is not known
	note   string // on its arrays
}

// termKind is what is done to a term: a struct of cells.cuh and texts.cuh.
type termKind struct {
	name   string
	ctype  string   // of the number
	arrays []string // types of the elements of its arrays
	planes int
}

// accKind is how an accumulator of many groups is kept in words that atomics
// combine, all zeros for no rows.
type accKind uint8

// The kinds.
const (
	keptSum   accKind = iota // 64 bits, which the result is proven to fit in, or a count
	keptWide                 // 192 bits
	keptFloat                // double precision
	keptMax                  // the greatest of the ranks of the values, or of their complements
	keptState                // the parts of a State, of double precision
	keptNum                  // the greatest scale plus one, and 192 bits at that scale
	keptText                 // the word of the first, the last or any text: see textOrders
	keptBits                 // the bits that any value has, or an odd number of them; for AND those that any lacks
)

// keyPart is a key's place: size bits from bit shift of a word on hold value − lo,
// or null for NULL; of an I128 without a known range the next word holds the rest.
type keyPart struct {
	id     kernel.ValueID
	size   int
	offset bool   // value − lo, lo being an argument
	null   uint64 // code of NULL where the key is nullable and nullAt is below 0
	word   int
	shift  int
	nullAt int  // bit of the words where NULL stands on its own, or −1
	spare  bool // its bits are never all ones
}

// isDense reports whether the groups of an Aggregate are the cells of the product of their keys' ranges.
func isDense(s *kernel.Aggregate) bool {
	return s.Strategy != kernel.Hash && s.Strategy != kernel.Ordered
}
