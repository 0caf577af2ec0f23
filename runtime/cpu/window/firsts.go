package window

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// firsts are the first rows of each partition among those that have come, most at the
// most: their prefixes of the order, and which of the rows that are kept they are. A row
// that comes before the last of them takes its place.
type firsts struct {
	most   int
	counts []uint32 // by partition: how many there are
	bounds []uint64 // by partition: the greatest prefix, once there are most
	ranks  []uint64 // by place, most in each partition: the prefix
	kept   []uint32 // by place: the row
}

// fewFirsts is up to how many first rows of a partition are gone through to find the last.
const fewFirsts = 64

// firstsBytes is what a place takes, and partitionBytes what a partition takes besides.
const (
	firstsBytes    = 12
	partitionBytes = 12
)

// grow makes room for so many partitions.
func (f *firsts) grow(mem *exec.Memory, partitions int) (err error) {
	if f.counts, err = exec.Grown(mem, f.counts, partitions); err != nil {
		return err
	}
	if f.bounds, err = exec.Grown(mem, f.bounds, partitions); err != nil {
		return err
	}
	if f.ranks, err = exec.Grown(mem, f.ranks, partitions*f.most); err != nil {
		return err
	}
	f.kept, err = exec.Grown(mem, f.kept, partitions*f.most)
	return err
}

// bytes is the memory that grow has charged.
func (f *firsts) bytes() int64 {
	return partitionBytes*int64(cap(f.counts)) + firstsBytes*int64(cap(f.ranks))
}

// offer takes a row in, and returns its place, which another row has had unless it is
// fresh; ok is false where it is not among the first. Of rows with equal prefixes the first to
// come stay.
func (f *firsts) offer(p uint32, rank uint64) (place int, fresh, ok bool) {
	n := int(f.counts[p])
	if fresh = n < f.most; !fresh && rank >= f.bounds[p] {
		return 0, false, false
	}
	first := int(p) * f.most
	ranks, at := f.ranks[first:][:f.most], n
	if fresh {
		f.counts[p]++
	} else {
		at = greatest(ranks)
	}
	ranks[at] = rank
	if int(f.counts[p]) == f.most {
		f.bounds[p] = ranks[greatest(ranks)]
	}
	return first + at, fresh, true
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

// merge takes in what another one has, with the same partitions, and calls drop for rows
// of f that are not among the first of both.
func (f *firsts) merge(of *firsts, drop func(row uint32)) {
	of.each(func(p uint32, place int) {
		at, fresh, ok := f.offer(p, of.ranks[place])
		if ok && !fresh && f.kept[at] != noRow {
			drop(f.kept[at])
		}
		if ok {
			f.kept[at] = noRow
		}
	})
}

// noRow is the row of a place that another worker's row has.
const noRow = math.MaxUint32

// drop calls drop for rows of f that come after the last of those that all has.
func (f *firsts) drop(all *firsts, drop func(row uint32)) {
	f.each(func(p uint32, place int) {
		if f.ranks[place] > all.bounds[p] && int(all.counts[p]) == f.most {
			drop(f.kept[place])
		}
	})
}

// each calls visit for every place that has a row.
func (f *firsts) each(visit func(p uint32, place int)) {
	for p, n := range f.counts {
		for i := range int(n) {
			visit(uint32(p), p*f.most+i)
		}
	}
}
