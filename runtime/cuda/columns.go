package cuda

import (
	"container/list"
	"context"
	"math"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// shape is what the source depends on.
func (b *bound) shape() cudagen.InputShape {
	s := cudagen.InputShape{Columns: make([]cudagen.ColumnShape, len(b.cols))}
	for i := range b.cols {
		s.Columns[i] = b.cols[i].shape
	}
	return s
}

// bytes is the device memory of the columns.
func (b *bound) bytes() int64 {
	var n int64
	for i := range b.cols {
		if b.cols[i].held != nil {
			n += b.cols[i].held.bytes
		}
	}
	return n
}

// share returns the columns with a share of their memory.
func (b *bound) share() *bound {
	shared := &bound{rows: b.rows, cols: slices.Clone(b.cols)}
	for i := range shared.cols {
		if held := shared.cols[i].held; held != nil {
			held.share()
		}
	}
	return shared
}

// release releases the columns, with which q may still work.
func (b *bound) release(q *queue) {
	for i := range b.cols {
		if held := b.cols[i].held; held != nil {
			held.release(q)
			b.cols[i].held = nil
		}
	}
}

// newColumns makes an empty cache over the memory of a device.
func newColumns(device Device, mem *memory) *columns {
	c := &columns{device: device, mem: mem, offsets: math.MaxUint32, uploads: make(map[columnChunks]chan struct{}), columnCache: newColumnCache(func(c column) { c.held.release(nil) })}
	mem.evict = c.evict
	return c
}

// column returns the column of an upload with a share of its memory, uploaded on a queue where it is not
// there.
func (c *columns) column(ctx context.Context, q *queue, u *upload) (column, error) {
	dict := longest(u.chunks)
	found, err := c.findOrBegin(ctx, u.chunks)
	if err != nil {
		return column{}, err
	}
	if found != nil {
		found.dict = dict
		return *found, nil
	}
	defer c.end(u.chunks)
	u.queue = q
	u.made.shape, u.made.base = c.stored(u.typ, u.chunks)
	defer q.own(q.own(nil))
	made, err := u.run(ctx)
	if err != nil {
		return column{}, err
	}
	if len(u.chunks) > 0 {
		c.put(made, u.chunks)
	}
	made.dict = dict
	return made, nil
}

// findOrBegin finds the column of chunks, with a share of its memory, when nobody copies it any more; where
// it is not there, that it is copied is noted until end.
func (c *columns) findOrBegin(ctx context.Context, chunks []*runtime.Chunk) (*column, error) {
	for {
		found, under := c.lookUp(chunks)
		if under == nil {
			return found, nil
		}
		select {
		case <-under:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// lookUp is findOrBegin where nobody copies the column; else it returns what is closed when that ends.
func (c *columns) lookUp(chunks []*runtime.Chunk) (found *column, under chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := keyOf(chunks)
	if under := c.uploads[key]; under != nil {
		return nil, under
	}
	if at := c.find(chunks); at != nil {
		found := c.share(at, nil)
		return &found, nil
	}
	if len(chunks) > 0 {
		c.uploads[key] = make(chan struct{})
	}
	return nil, nil
}

// end notes that the column of chunks is not copied any more.
func (c *columns) end(chunks []*runtime.Chunk) {
	if len(chunks) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := keyOf(chunks)
	close(c.uploads[key])
	delete(c.uploads, key)
}

// put has later queries find a column, with a share of their own.
func (c *columns) put(made column, chunks []*runtime.Chunk) {
	made.held.share()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(made, chunks)
}

// note has version find the column of these chunks, where it is there.
func (c *columns) note(v columnVersion, chunks []*runtime.Chunk) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.columnCache.note(v, chunks)
}

// share returns a cached column with a share of its memory. The caller holds the lock.
func (c *columns) share(at *list.Element, dict *runtime.Dictionary) column {
	c.recent.MoveToFront(at)
	found := entry[column](at).made
	found.held.share()
	found.dict = dict
	return found
}

// bound returns the columns of an input whose versions were noted, with shares of their memory; nil
// where one of them is not there.
func (c *columns) bound(l *loadedInput) *bound {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.allThere(l) {
		return nil
	}
	b := &bound{rows: l.host.Rows(), cols: make([]column, len(l.host.Types()))}
	for _, o := range l.cols {
		at := c.versions[columnVersion{l.version, o}]
		b.cols[o] = c.share(at, entry[column](at).longest.Value())
	}
	return b
}

// hasAll reports whether the columns of an input are on the device, where they may be evicted meanwhile.
func (c *columns) hasAll(l *loadedInput) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.allThere(l)
}

// allThere is hasAll for who holds the lock.
func (c *columns) allThere(l *loadedInput) bool {
	for _, o := range l.cols {
		if l.version == nil || c.versions[columnVersion{l.version, o}] == nil {
			return false
		}
	}
	return true
}

// has reports whether the column of chunks is on the device.
func (c *columns) has(chunks []*runtime.Chunk) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.find(chunks) != nil
}

// bytes are what columns of a version take on the device, by their place in cols; below 0: they are not there.
func (c *columns) bytes(version any, cols []int) []int64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	sizes := make([]int64, len(cols))
	for i, o := range cols {
		sizes[i] = -1
		if at := c.versions[columnVersion{version, o}]; at != nil {
			sizes[i] = entry[column](at).made.held.bytes
		}
	}
	return sizes
}

// evict removes a column that no query is reading: one whose table is gone, or
// else the one that has not been used for the longest time.
func (c *columns) evict() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.oldest(func(kept column) bool { return kept.held.shares.Load() == 1 })
	if at != nil {
		c.remove(at)
	}
	return at != nil
}

// evictable is the memory of the columns that no query is reading.
func (c *columns) evictable() int64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	n := int64(0)
	for at := c.recent.Front(); at != nil; at = at.Next() {
		if held := entry[column](at).made.held; held.shares.Load() == 1 {
			n += held.bytes
		}
	}
	return n
}

// errInternal is a fault of the engine.
func errInternal(format string, args ...any) error {
	return value.Errorf(value.CodeInternal, format, args...)
}
