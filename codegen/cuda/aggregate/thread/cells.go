package thread

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// maxRows is how many rows a thread may add to its accumulators before they are
// emptied: what fields of them are wide enough for.
const maxRows = 1 << rowBits

const rowBits = 12

// cells are the cells that each thread of entry aggregate_thread has in shared memory, for
// few groups: adding to them takes no atomics. The 64-bit words of a cell hold the
// accumulators' fields: sums of small numbers lie side by side in halves of a word,
// wide enough for maxRows rows; a sum of others has a word.
type cells struct {
	*cuda.Grouping
	fields []field
	words  int
	room   []int // bits that are free in the halves of the words
}

// field is the field of an accumulator, or of a SeenField.
type field struct {
	acc   *cuda.GroupedAcc // nil: of seen
	seen  *cuda.SeenField
	value kernel.ValueID // NoValue: 1
	word  int
	shift int // a field lies in one half of its word
	bits  int // 64: the whole word
}

// bytes is the shared memory that the threads of a block need for so many cells.
func (o *cells) bytes(cells float64) float64 { return 8 * float64(o.words*o.Threads()) * cells }

// layOut lays the cells out, or says why threads cannot have any: only sums of 64 bits
// can be added up. The sums of the threads of a block must fit in them, too, where the
// result has more.
func layOut(g *cuda.Grouping) (o *cells, refusal string) {
	switch {
	case !g.Layout.Dense:
		return nil, "the groups are in a hash table"
	case len(g.Keys()) == 0:
		return nil, "there are no keys"
	}
	o = &cells{Grouping: g}
	accs, seen := g.Accs(), g.Seen()
	for i := range accs {
		a := &accs[i]
		acc := a.Acc()
		if !a.IsSum() && !(a.IsWideSum() && o.partsFit(acc)) {
			return nil, fmt.Sprintf("%s is no sum of 64 bits", acc.Op)
		}
		value := kernel.NoValue
		if acc.Op != kernel.AccCount && acc.Op != kernel.AccCountStar {
			value = acc.Args[0]
		}
		o.add(field{acc: a, value: value})
	}
	for i := range seen {
		o.add(field{seen: &seen[i], value: kernel.NoValue})
	}
	if limit := float64(g.Device().Groups.ThreadBytes); o.bytes(g.Cells()) > limit {
		return nil, fmt.Sprintf("%.0f cells of %d threads take more than %.0f KiB", g.Cells(), g.Threads(), limit/1024)
	}
	return o, ""
}

// partsFit reports whether what a block's threads sum up in 64 bits each fits in them,
// before their cells are emptied.
func (o *cells) partsFit(acc *kernel.Acc) bool {
	if acc.Op != kernel.AccSum {
		return false
	}
	limit := math.MaxInt64 / int64(maxRows*o.Threads())
	rng := o.Func().Values[acc.Args[0]].Range
	return rng.Known && rng.Lo >= -limit && rng.Hi <= limit
}

// add adds a field and sets its place.
func (o *cells) add(f field) {
	f.bits = 64
	if width := o.valueBits(f.value) + rowBits; width <= 32 {
		f.bits = width
		o.placeHalf(&f)
	} else {
		f.word = o.newWord(0)
	}
	o.fields = append(o.fields, f)
}

// valueBits is how many bits the values of a field take; 64 for negative ones.
func (o *cells) valueBits(id kernel.ValueID) int {
	if id == kernel.NoValue {
		return 1
	}
	if rng := o.Func().Values[id].Range; rng.Known && rng.Lo >= 0 {
		return bits.Len64(uint64(rng.Hi))
	}
	return 64
}

// placeHalf puts a field into the first half of a word that has room.
func (o *cells) placeHalf(f *field) {
	half := 0
	for half < len(o.room) && o.room[half] < f.bits {
		half++
	}
	if half == len(o.room) {
		o.newWord(32)
	}
	f.word, f.shift = half/2, half%2*32+32-o.room[half]
	o.room[half] -= f.bits
}

// newWord adds a word with so much room in each half.
func (o *cells) newWord(room int) int {
	o.room = append(o.room, room, room)
	o.words++
	return o.words - 1
}
