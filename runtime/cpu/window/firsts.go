package window

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// firsts are the first rows of each partition among those that have come, most at the
// most: their prefixes of the order, and which of the rows that are kept they are. A row
// that comes before the last of them takes its place.
type firsts struct {
	most   int
	counts []uint8  // by partition: how many there are
	ranks  []uint64 // by place, most in each partition: the prefix; the greatest stands first, the last of all where there is no row
	kept   []uint32 // by place: the row

	candidates []int32

	// What take lists.
	added     []int32  // rows that are kept besides
	replacing []int32  // rows that take the places of others, one after the other
	replaced  []uint32 // the rows kept before that they replace
}

// fewFirsts is up to how many first rows of a partition are gone through to find the last.
const fewFirsts = 64

// firstsBytes is what a place takes.
const firstsBytes = 12

// grow makes room for so many partitions.
func (f *firsts) grow(mem *exec.Memory, partitions int) {
	f.counts = exec.Grown(mem, f.counts, partitions)
	had := len(f.ranks)
	f.ranks = exec.Grown(mem, f.ranks, partitions*f.most)
	vector.Fill(f.ranks[had:], math.MaxUint64)
	f.kept = exec.Grown(mem, f.kept, partitions*f.most)
}

// bytes is the memory that grow has charged.
func (f *firsts) bytes() int64 { return int64(cap(f.counts)) + firstsBytes*int64(cap(f.ranks)) }

// take keeps those of the listed rows that are among the first of their partitions. The ones that
// are kept besides are numbered from next on.
func (f *firsts) take(rows []int32, partitions []uint32, ranks []uint64, next uint32) {
	f.added, f.replacing, f.replaced = f.added[:0], f.replacing[:0], f.replaced[:0]
	for _, i := range f.early(partitions[:len(rows)], ranks) {
		switch row, ok := f.offer(partitions[i], ranks[i], next); {
		case !ok:
		case row == next:
			f.added = append(f.added, rows[i])
			next++
		default:
			f.replacing, f.replaced = append(f.replacing, rows[i]), append(f.replaced, row)
		}
	}
}

// early lists the rows that do not come behind the first of their partitions so far. None of them
// waits for the one before it.
func (f *firsts) early(partitions []uint32, ranks []uint64) []int32 {
	early, n := vector.Room(&f.candidates, len(partitions)), 0
	ranks = ranks[:len(partitions)]
	for i, p := range partitions {
		bound := f.ranks[int(p)*f.most]
		early[n] = int32(i)
		n += int(vector.B2u(ranks[i] < bound) | vector.B2u(bound == math.MaxUint64))
	}
	return early[:n]
}

// offer takes a row in, and returns the number of the one that it replaces, or next; ok is
// false where it is not among the first. Of rows with equal prefixes the first to come stay.
func (f *firsts) offer(p uint32, rank uint64, next uint32) (row uint32, ok bool) {
	first := int(p) * f.most
	bound := f.ranks[first]
	if rank >= bound && (bound < math.MaxUint64 || int(f.counts[p]) == f.most) {
		return 0, false
	}
	ranks, kept := f.ranks[first:first+f.most], f.kept[first:first+f.most]
	at := f.most - 1 - int(f.counts[p])
	if at >= 0 {
		f.counts[p]++
	} else {
		at, next = 0, kept[0]
	}
	ranks[at], kept[at] = rank, next
	if at == 0 {
		last := greatest(ranks)
		ranks[0], ranks[last] = ranks[last], ranks[0]
		kept[0], kept[last] = kept[last], kept[0]
	}
	return next, true
}

// greatest is the place of the greatest number.
func greatest(ranks []uint64) int {
	at := 0
	for i, rank := range ranks {
		if rank > ranks[at] {
			at = i
		}
	}
	return at
}

// of are the rows of a partition, and their prefixes.
func (f *firsts) of(p int) (kept []uint32, ranks []uint64) {
	end := (p + 1) * f.most
	from := end - int(f.counts[p])
	return f.kept[from:end], f.ranks[from:end]
}

// keptTaken says how many rows were kept.
func keptTaken(rows, most int) string {
	return fmt.Sprintf("%d rows kept that may be among the first %d of their partitions", rows, most)
}
