package slots

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// The arguments of the entries, beside those of all aggregations.
var (
	argSlots      = cuda.Arg{Kind: "slots"}       // slots of a block; a power of two where cells share them
	argReplicas   = cuda.Arg{Kind: "replicas"}    // of each slot, a power of two
	argOwned      = cuda.Arg{Kind: "owned"}       // dense: 0 where there is a slot for each cell of the range
	argPage       = cuda.Arg{Kind: "page"}        // of a large block: cells of a page, a power of two; 0 where there is a slot for each cell
	argPages      = cuda.Arg{Kind: "pages"}       // number of them
	argFirstCell  = cuda.Arg{Kind: "first_cell"}  // of a range: the first cell whose rows count
	argNarrow     = cuda.Arg{Kind: "narrow"}      // 1 where what a block adds to a sum of small numbers fits a word
	argRangeCells = cuda.Arg{Kind: "range_cells"} // number of the cells whose rows count
)

// Slots are those of an aggregation.
type Slots struct {
	*cuda.Grouping
	Ranges bool // rows are gone over for one range of the cells after the other
	// Large says that a block has a multiprocessor for itself, and takes its shared memory.
	// Where it has not slots for all cells, pages of cells own them, and not cells.
	Large bool
}

// hasPages reports whether pages own slots where there are not slots for all cells.
func (s *Slots) hasPages() bool { return s.Large && s.Layout.Dense }

// maxKeyWords is how many words keys have at most that own slots; wider ones would take
// too many registers, and slots belong to their cells.
const maxKeyWords = 2

// keyWords is how many words of a key lie beside a slot; 0: slots belong to cells.
func (s *Slots) keyWords() int {
	if n := s.Layout.KeyWords; n <= maxKeyWords {
		return n
	}
	return 0
}

// keysOwn reports whether keys own the slots.
func (s *Slots) keysOwn() bool { return !s.Layout.Dense && s.keyWords() > 0 }

// ownerWords is how many words a slot has beside its planes where cells or keys own slots: its
// cell, or its key, and its state where that takes several words.
func (s *Slots) ownerWords() int {
	if n := s.keyWords(); n != 1 {
		return 1 + 2*n
	}
	return 2
}

// maxReplicas is the number of a warp's lanes.
const maxReplicas = 32

// ManyMatches is how many matches a row has at least of which the additions outweigh that
// shared memory leaves little cache for the tables where they are found.
const ManyMatches = 4

func (s *Slots) figures() *machine.Groups { return &s.Device().Groups }

// The threads of a large block, which share 65536 registers, and how many words the
// values of a row may take for the greater number.
const (
	fewerThreads = 512
	maxThreads   = 1024
	maxLive      = 8
)

// blockThreads is how many threads a block has. Keys own the slots of large ones, of which
// fewer seek them in the table of all, unless a number has been chosen.
func (s *Slots) blockThreads() int {
	switch {
	case s.hasLargeTiles() && !s.ThreadsChosen():
		return maxThreads
	case s.ThreadsChosen() || !s.Large && !s.keysOwn():
		return s.Threads()
	case s.LiveWords() > maxLive:
		return fewerThreads
	}
	return maxThreads
}

// hasLargeTiles reports whether blocks are large, and their threads hold many rows: a row takes hardly any
// registers, and there is a slot for every cell, so that no row waits for another one.
func (s *Slots) hasLargeTiles() bool { return !s.Large && s.hasAll() && s.HasShortRows() }

// usualThreads is of how many threads the shared memory of figures is.
const usualThreads = 256

// sharedBytes is the shared memory that slots which cells share and replicas take at
// most. What blocks leave of it is a multiprocessor's first cache.
func (s *Slots) sharedBytes() int64 {
	blocks := int64(max(s.blockThreads()/usualThreads, 1))
	switch {
	case s.Large:
		return s.figures().WideBytes - s.StagedBytes()
	case s.hasLargeTiles():
		return s.figures().ReplicaBytes
	}
	if len(s.Func().Inputs) > 1 && s.Matches() < ManyMatches {
		return blocks * s.figures().ProbingBytes
	}
	return blocks * s.figures().SlotBytes
}

// keyedEighths is how much of a multiprocessor's shared memory sparse slots take at most, lightEighths where a row
// takes few registers: a block of maxThreads has it for itself, since its rows take so many. The rest is the
// cache through which rows are read.
const (
	keyedEighths = 5
	lightEighths = 7
)

// minSparse is how many slots a key has at least, of those that are likely, where its first one is
// likely to be its own.
const minSparse = 6

// isSparse reports whether keys own the slots, and have so many.
func (s *Slots) isSparse() bool {
	slots := float64(s.keyedBytes()) / float64(4*(s.Layout.Planes+s.ownerWords()))
	return s.keysOwn() && !s.Large && s.Estimate() > 0 && math.Exp2(math.Floor(math.Log2(slots))) >= minSparse*s.Estimate()
}

// keyedBytes is the shared memory of sparse slots without replicas.
func (s *Slots) keyedBytes() int64 {
	if len(s.Func().Inputs) > 1 {
		return s.sharedBytes()
	}
	eighths := int64(keyedEighths)
	if s.LiveWords() <= lightKeys {
		eighths = lightEighths
	}
	return max(s.figures().WideBytes*eighths/8*int64(s.blockThreads())/maxThreads, s.sharedBytes())
}

// ownedBytes is sharedBytes of slots that are shared, without replicas.
func (s *Slots) ownedBytes() int64 {
	if s.isSparse() {
		return s.keyedBytes()
	}
	return s.sharedBytes()
}

// lightKeys is how many registers the values of a row take at most of which a thread holds lightRows, and finds
// their sparse slots.
const lightKeys = 3

// hasLightKeys reports whether rows take so few: they hardly wait for each other, but for the memory.
func (s *Slots) hasLightKeys() bool {
	return s.isSparse() && s.keyWords() == 1 && len(s.Func().Inputs) == 1 && s.LiveWords() <= lightKeys
}

// narrows reports whether there are sums of which a block may need the low words only.
func (s *Slots) narrows() bool { return s.Layout.Highs > 0 }

// Bytes is the shared memory of a slot for every cell, 0 where their number is not known.
func (s *Slots) Bytes() float64 { return 4 * float64(s.Layout.Planes) * s.Cells() }

// areOwned reports whether cells or keys own slots as they come: not where it is known
// that there is one for every cell.
func (s *Slots) areOwned() bool {
	return !s.Layout.Dense || s.Bytes() > float64(s.figures().BlockBytes)
}

// hasAll reports whether it is known that a block of the usual size has a slot for every
// cell.
func (s *Slots) hasAll() bool {
	return s.Bytes() > 0 && s.Bytes() <= float64(s.figures().BlockBytes)
}
