package cuda

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

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
	r.set(cudagen.ArgSkip, 0, 0)
	rows, keys, err := r.collect()
	if err != nil {
		return nil, err
	}
	defer releaseColumns(rows)
	o, err := r.newOrdering(keys)
	if err != nil {
		return nil, err
	}
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
	if err := o.gather(order+Ptr(4*from), wanted, rows, out); err != nil {
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
func (r *run) collect() ([]column, sortKeys, error) {
	k := sortKeys{words: r.module.Sort.Words, capacity: r.metrics.RowsIn}
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
	if _, err := r.launch("collect", r.metrics.RowsIn); err != nil {
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
	code Code
	keys sortKeys
	p    cudagen.OrderParams
}

// newOrdering makes the entries ready.
func (r *run) newOrdering(keys sortKeys) (*ordering, error) {
	code, err := r.backend.device.Load(r.ctx, "order", cudagen.OrderModule())
	if err != nil {
		return nil, err
	}
	o := &ordering{run: r, code: code, keys: keys}
	o.p = cudagen.OrderParams{Keys: uint64(keys.data), Capacity: uint64(keys.capacity), Words: uint64(keys.words), Rows: uint64(keys.rows)}
	return o, nil
}

// fewRows is up to how many rows are ordered by comparing each with all.
const fewRows = 4096

// order gives the numbers of the rows in order, 32 bits each.
func (o *ordering) order() (Ptr, error) {
	if o.keys.rows <= fewRows {
		order, err := o.run.temp.alloc(4 * o.keys.rows)
		if err != nil {
			return 0, err
		}
		o.p.OutRows = uint64(order)
		return order, o.launch("rank_rows", o.keys.rows, block(&o.p))
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
		if err := o.launch("load", o.keys.rows, block(&o.p)); err != nil {
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
	o.p.Blocks = uint64(o.blocks(n))
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
		if err := o.launch("differ", o.keys.rows, block(&o.p)); err != nil {
			return nil, err
		}
	}
	return o.run.downloadWords(words, o.keys.words)
}

// digit sorts by one digit.
func (o *ordering) digit() error {
	grid := int64(o.p.Blocks) * orderThreads
	if err := o.launch("count", grid, block(&o.p)); err != nil {
		return err
	}
	if err := o.launch("starts", 1, block(&o.p)); err != nil {
		return err
	}
	return o.launch("scatter", grid, block(&o.p))
}

// gather copies n rows of columns, which order names, to columns of the same
// shapes.
func (o *ordering) gather(order Ptr, n int64, from, to []column) error {
	for len(from) > 0 && n > 0 {
		count := min(len(from), cudagen.GatherColumns)
		p := cudagen.GatherParams{Order: uint64(order), Rows: uint64(n), Columns: uint64(count)}
		for i := range count {
			p.Column[i] = cudagen.GatherColumn{
				From: uint64(from[i].data), FromValid: uint64(from[i].valid),
				To: uint64(to[i].data), ToValid: uint64(to[i].valid), Width: uint64(from[i].shape.Encoding.Width()),
			}
		}
		if err := o.launch("gather", n, block(&p)); err != nil {
			return err
		}
		from, to = from[count:], to[count:]
	}
	return nil
}

// orderThreads is the size of the blocks of the entries.
const orderThreads = cudagen.OrderThreads

// blocks is how many blocks go over n rows: no more than the device runs at one
// time.
func (o *ordering) blocks(n int64) int {
	const perSM = 2048 / orderThreads
	most := int64(max(o.run.backend.device.Info().SMs, 1) * perSM)
	return int(max(min((n+orderThreads-1)/orderThreads, most), 1))
}

// launch starts an entry over n rows.
func (o *ordering) launch(name string, n int64, params []uint64) error {
	if err := canceled(o.run.ctx); err != nil || n == 0 {
		return err
	}
	k, err := o.code.Kernel(name)
	if err != nil {
		return err
	}
	return o.run.backend.device.Launch(Launch{Kernel: k, Grid: o.blocks(n), Threads: orderThreads, Params: params})
}

// block is a parameter of one of the entries as words.
func block[P cudagen.OrderParams | cudagen.GatherParams](p *P) []uint64 {
	return slices.Clone(unsafe.Slice((*uint64)(unsafe.Pointer(p)), unsafe.Sizeof(*p)/8))
}
