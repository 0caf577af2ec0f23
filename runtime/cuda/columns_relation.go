package cuda

import (
	"context"
	goruntime "runtime"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// newRelation makes a relation of the first rows of cols, whose shares it takes
// over. Load takes a stream of the device, so that it must not be called by who
// has one; when the context ends, that of the query, it copies nothing more to the host.
func newRelation(ctx context.Context, mem *memory, account *runtime.Account, rows int64, cols []column) *relation {
	r := &relation{ctx: ctx, mem: mem, account: account, rows: int(rows), cols: cols, host: make([][]*runtime.Chunk, len(cols))}
	held := make([]*buffers, len(cols))
	for i := range cols {
		held[i] = cols[i].held
	}
	r.cleanup = goruntime.AddCleanup(r, mem.drop, held)
	return r
}

// bind returns columns of the relation for a kernel.
func (r *relation) bind(ordinals []int) (*bound, error) {
	b := &bound{rows: int64(r.rows), cols: make([]column, len(r.cols))}
	for _, o := range ordinals {
		if r.cols[o].held == nil {
			b.release(nil)
			return nil, errInternal("a relation of the device is read after its release")
		}
		b.cols[o] = r.cols[o]
		b.cols[o].held.share()
	}
	return b, nil
}

// Types implements runtime.Relation.
func (r *relation) Types() []kernel.Type {
	types := make([]kernel.Type, len(r.cols))
	for i := range r.cols {
		types[i] = r.cols[i].shape.Type
	}
	return types
}

// Blocks implements runtime.Relation.
func (r *relation) Blocks() int { return (r.rows + runtime.BlockRows - 1) / runtime.BlockRows }

// Rows implements runtime.Relation.
func (r *relation) Rows() int64 { return int64(r.rows) }

// Load implements runtime.Relation. The first Load of a column copies all of it to the
// host.
func (r *relation) Load(i int, ordinals []int) (runtime.Block, error) {
	if err := r.download(r.ctx, r.account, ordinals, true); err != nil {
		return runtime.Block{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	lo := i * runtime.BlockRows
	b := runtime.Block{Rows: min(runtime.BlockRows, r.rows-lo), Cols: make([]*runtime.Chunk, len(r.cols))}
	for _, o := range ordinals {
		if chunks := r.host[o]; len(chunks) > 1 {
			b.Cols[o] = chunks[i]
		} else {
			b.Cols[o] = chunks[0].Slice(lo, lo+b.Rows)
		}
	}
	return b, nil
}

// Range implements runtime.Relation: bounds are known of what the host has.
func (r *relation) Range(_, ordinal int) (lo, hi int64, all, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.host[ordinal]) != 1 {
		return 0, 0, false, false
	}
	c := r.host[ordinal][0]
	return c.Min, c.Max, c.Nulls == 0, c.HasRange
}

// Fetch implements runtime.Resident.
func (r *relation) Fetch(ctx context.Context, ordinals []int) error {
	if r.rows == 0 {
		return nil // there is no block to load
	}
	err := r.download(ctx, nil, ordinals, false)
	if r.hasLeft() {
		return nil // it was given up meanwhile
	}
	return err
}

// download copies columns to the host that are not there, on the stream that a query has; nil: on another one.
// Who waits for a stream does not hold the relation's lock, which who has one may wait for.
func (r *relation) download(ctx context.Context, query *runtime.Account, ordinals []int, bounded bool) error {
	if r.isHere(ordinals) {
		return nil
	}
	q, err := r.mem.hold(ctx, query)
	if err != nil {
		return err
	}
	leave := sync.OnceFunc(q.leave) // columns are decoded without it
	defer leave()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fetch(ordinals, bounded, func(downloads []download, copies []Copy) error {
		defer leave()
		defer q.own(q.own(nil))
		return downloadColumns(ctx, q, downloads, copies)
	})
}

// hasLeft reports whether the columns have been freed.
func (r *relation) hasLeft() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.left
}

// isHere reports whether columns are on the host.
func (r *relation) isHere(ordinals []int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !slices.ContainsFunc(ordinals, func(o int) bool { return r.host[o] == nil })
}

// few reports whether there are rows, and one copy brings all columns to the host, but for texts.
func (r *relation) few() bool { return r.rows > 0 && r.bytes(r.all()) <= mostBrought }

// all are the ordinals of all columns.
func (r *relation) all() []int {
	all := make([]int, len(r.cols))
	for o := range r.cols {
		all[o] = o
	}
	return all
}

// mostBrought is up to how many bytes of rows a run copies to the host itself.
const mostBrought = 1 << 20

// bring copies all columns to the host on the stream of the run that has made them: the wait
// for the copies is that for the columns, too. Nobody else has the relation yet.
func (r *relation) bring(q *queue) error {
	return r.fetch(r.all(), false, func(downloads []download, copies []Copy) error {
		defer q.own(q.own(nil))
		return downloadColumns(r.ctx, q, downloads, copies)
	})
}

// brought has the host have all columns, where they were copied before it was known how many rows they
// have. Nobody else has the relation yet.
func (r *relation) brought(downloads []download) error {
	if len(downloads) == 0 || r.rows == 0 {
		return nil
	}
	for i := range downloads {
		downloads[i].cut(r.rows)
	}
	if err := r.charge(r.all()); err != nil {
		return err
	}
	return r.keep(r.all(), downloads)
}

// fetch copies columns to the host that are not there, by a function that copies them, still to be
// decoded; with bounds where they are wanted.
func (r *relation) fetch(ordinals []int, bounded bool, copied func([]download, []Copy) error) error {
	var missing []*column
	var places []int
	for _, o := range ordinals {
		if r.host[o] != nil || slices.Contains(places, o) {
			continue
		}
		if r.cols[o].held == nil {
			return errInternal("a relation of the device is read after its release")
		}
		missing, places = append(missing, &r.cols[o]), append(places, o)
	}
	if len(missing) == 0 {
		return nil
	}
	if err := r.charge(places); err != nil {
		return err
	}
	downloads, copies := newDownloads(missing, r.rows, bounded)
	if err := copied(downloads, copies); err != nil {
		return err
	}
	return r.keep(places, downloads)
}

// charge charges what columns take on the host, but for the bytes of texts.
func (r *relation) charge(places []int) error {
	bytes := r.bytes(places)
	if err := r.account.Grow(bytes); err != nil {
		return err
	}
	r.charged += bytes
	return nil
}

// keep has the host have columns that were copied.
func (r *relation) keep(places []int, downloads []download) error {
	chunks, err := decode(r.ctx, downloads)
	if err != nil {
		return err
	}
	for i, o := range places {
		r.host[o] = chunks[i]
	}
	return r.chargeTexts(chunks)
}

// chargeTexts charges the bytes of texts, which are known only now.
func (r *relation) chargeTexts(cols [][]*runtime.Chunk) error {
	bytes := int64(0)
	for _, chunks := range cols {
		for _, c := range chunks {
			bytes += int64(len(c.Bytes))
		}
	}
	if err := r.account.Grow(bytes); err != nil {
		return err
	}
	r.charged += bytes
	return nil
}

// Release implements runtime.Output.
func (r *relation) Release() {
	r.LeaveDevice()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.account.Shrink(r.charged)
	r.charged = 0
}

// LeaveDevice implements runtime.Resident.
func (r *relation) LeaveDevice() { r.leave(nil) }

// leave frees the columns, with which q may still work; nil: no stream does.
func (r *relation) leave(q *queue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cleanup.Stop()
	r.left = true
	for i := range r.cols {
		if r.cols[i].held != nil {
			r.cols[i].held.release(q)
			r.cols[i].held = nil
		}
	}
}
