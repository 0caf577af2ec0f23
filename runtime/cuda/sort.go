package cuda

import (
	"math"
	"math/bits"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// sort runs a Sort: the rows and their keys are written, the keys ordered, and
// the rows wanted gathered in that order.
func (r *run) sort(s *kernel.Sort) (runtime.Output, error) {
	for i, k := range s.Keys {
		r.set(cudagen.ArgKeyLo, i, uint64(r.f.Values[k.Val].Range.Lo))
	}
	textWords, err := r.textWords()
	if err != nil {
		return nil, err
	}
	r.set(cudagen.ArgTextWords, 0, uint64(textWords))
	r.set(cudagen.ArgSkip, 0, 0)
	rows, keys, err := r.collect(textWords)
	if err != nil {
		return nil, err
	}
	defer releaseColumns(rows)
	o := r.newOrdering(keys)
	order, err := o.order()
	if err != nil {
		return nil, err
	}
	from := min(s.Offset, keys.rows)
	wanted := keys.rows - from
	if s.Limit >= 0 {
		wanted = min(wanted, s.Limit)
	}
	out, err := r.outputs(wanted)
	if err != nil {
		return nil, err
	}
	if err := r.gather(order+Ptr(4*from), wanted, rows, out); err != nil {
		releaseColumns(out)
		return nil, err
	}
	return r.relation(out, s.Cols, wanted), nil
}

// sortKeys are the keys of rows that are to be ordered.
type sortKeys struct {
	data     Ptr
	capacity int64 // rows between two words of a key
	words    int
	rows     int64
}

// collect writes the rows and their keys, again with more room where they were
// more than expected.
func (r *run) collect(textWords int) ([]column, sortKeys, error) {
	k := sortKeys{words: r.module.Sort.Words + r.module.Sort.Texts*textWords, capacity: r.metrics.RowsIn}
	if r.feed != nil {
		k.capacity = min(k.capacity, r.firstRoom(k.capacity))
	}
	for {
		rows, err := r.outputs(k.capacity)
		if err != nil {
			return nil, k, err
		}
		if err := r.collectInto(rows, &k); err != nil {
			releaseColumns(rows)
			return nil, k, err
		}
		if k.rows <= k.capacity {
			return rows, k, nil
		}
		releaseColumns(rows)
		k.capacity = k.rows
	}
}

// collectInto writes as many rows as there is room for and counts all.
func (r *run) collectInto(rows []column, k *sortKeys) (err error) {
	if k.data, err = r.temp.alloc(8 * int64(k.words) * k.capacity); err != nil {
		return err
	}
	r.set(cudagen.ArgSortKeys, 0, uint64(k.data))
	r.set(cudagen.ArgCapacity, 0, uint64(k.capacity))
	r.setOutputs(rows)
	if err := r.clearStatus(); err != nil {
		return err
	}
	if _, err := r.overRows("collect", 0); err != nil {
		return err
	}
	status, err := r.readStatus()
	k.rows = int64(status[statusCount])
	if k.rows > math.MaxUint32 {
		return &cudagen.Refusal{Reason: "more than 2^32 rows are to be sorted"}
	}
	return err
}

// ordering orders rows by their keys.
type ordering struct {
	run  *run
	keys sortKeys
	p    cudagen.OrderParams
}

// newOrdering describes the keys.
func (r *run) newOrdering(keys sortKeys) *ordering {
	return &ordering{run: r, keys: keys, p: cudagen.OrderParams{
		Keys: uint64(keys.data), Capacity: uint64(keys.capacity), Words: uint64(keys.words), Rows: uint64(keys.rows),
	}}
}

// fewRows is up to how many rows are ordered by comparing each with all.
const fewRows = 4096

// rankedRows is how many rows a block compares with all at a time.
const rankedRows = 32

// order gives the numbers of the rows in order, 32 bits each.
func (o *ordering) order() (Ptr, error) {
	if o.keys.rows <= fewRows {
		order, err := o.run.temp.alloc(4 * o.keys.rows)
		if err != nil {
			return 0, err
		}
		o.p.OutRows = uint64(order)
		return order, o.run.launchRows("rank_rows", o.keys.rows*cudagen.RowsThreads/rankedRows, block(&o.p))
	}
	return o.radix()
}

// digitBits is the size of the digits of the radix sort.
const digitBits = 8

// radix sorts by the digits of all words in which keys differ, least significant
// first.
func (o *ordering) radix() (Ptr, error) {
	spread, err := o.spread()
	if err != nil {
		return 0, err
	}
	a, b, err := o.radixBuffers()
	if err != nil {
		return 0, err
	}
	o.p.InRows = 0
	for w := o.keys.words - 1; w >= 0; w-- {
		if spread[w] == 0 && (w > 0 || o.p.InRows != 0) {
			continue
		}
		o.p.Word = uint64(w)
		o.p.OutKeys, o.p.OutRows = a.keys, a.rows
		if err := o.run.launchRows("load", o.keys.rows, block(&o.p)); err != nil {
			return 0, err
		}
		for mask := spread[w]; mask != 0; {
			o.p.Shift = uint64(bits.TrailingZeros64(mask))
			mask &^= (1<<digitBits - 1) << o.p.Shift
			o.p.InKeys, o.p.InRows, o.p.OutKeys, o.p.OutRows = a.keys, a.rows, b.keys, b.rows
			if err := o.digit(); err != nil {
				return 0, err
			}
			a, b = b, a
		}
		o.p.InRows = a.rows
		a, b = b, a
	}
	return Ptr(o.p.InRows), nil
}

// pairs are keys and rows on their way.
type pairs struct{ keys, rows uint64 }

// radixBuffers allocates the two halves of the sort's memory, and the counts.
func (o *ordering) radixBuffers() (a, b pairs, err error) {
	n := o.keys.rows
	var ptrs [5]Ptr
	o.p.Blocks = uint64(o.run.rowsBlocks(n))
	for i, size := range []int64{8 * n, 4 * n, 8 * n, 4 * n, 4 << digitBits * int64(o.p.Blocks)} {
		if ptrs[i], err = o.run.temp.alloc(size); err != nil {
			return a, b, err
		}
	}
	o.p.Counts = uint64(ptrs[4])
	return pairs{uint64(ptrs[0]), uint64(ptrs[1])}, pairs{uint64(ptrs[2]), uint64(ptrs[3])}, nil
}

// spread finds the bits of each word in which keys differ.
func (o *ordering) spread() ([]uint64, error) {
	words, err := o.run.temp.zeroed(8 * int64(o.keys.words))
	if err != nil {
		return nil, err
	}
	o.p.Spread = uint64(words)
	for w := range o.keys.words {
		o.p.Word = uint64(w)
		if err := o.run.launchRows("differ", o.keys.rows, block(&o.p)); err != nil {
			return nil, err
		}
	}
	return o.run.downloadWords(words, o.keys.words)
}

// digit sorts by one digit.
func (o *ordering) digit() error {
	grid := int64(o.p.Blocks) * cudagen.RowsThreads
	if err := o.run.launchRows("count", grid, block(&o.p)); err != nil {
		return err
	}
	if err := o.run.launchRows("starts", 1, block(&o.p)); err != nil {
		return err
	}
	return o.run.launchRows("scatter", grid, block(&o.p))
}
