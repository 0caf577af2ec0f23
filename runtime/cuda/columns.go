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

// release releases the columns.
func (b *bound) release() {
	for i := range b.cols {
		if held := b.cols[i].held; held != nil {
			held.release()
			b.cols[i].held = nil
		}
	}
}

// newColumns makes an empty cache over the memory of a device.
func newColumns(device Device, mem *memory) *columns {
	c := &columns{device: device, mem: mem, offsets: math.MaxUint32, uploads: make(map[columnChunks]chan struct{}), columnCache: newColumnCache(func(c column) { c.held.release() })}
	mem.evict = c.evict
	return c
}

// column returns the column of an upload with a share of its memory, uploaded where it is not
// there.
func (c *columns) column(ctx context.Context, u *upload) (column, error) {
	chunks := u.chunks
	dict := longest(chunks)
	if err := c.await(ctx, chunks); err != nil {
		return column{}, err
	}
	if at := c.find(chunks); at != nil {
		return c.share(at, dict), nil
	}
	defer c.begin(chunks)()
	u.mem = c.mem
	u.made.shape, u.made.base = c.stored(u.typ, chunks)
	defer c.mem.own(c.mem.own(nil))
	made, err := u.run(ctx)
	if err != nil {
		return column{}, err
	}
	made.dict = dict
	if len(chunks) > 0 {
		kept := made
		kept.dict = nil
		kept.held.share()
		c.keep(kept, chunks)
	}
	return made, nil
}

// await waits until nobody copies a column of these chunks.
func (c *columns) await(ctx context.Context, chunks []*runtime.Chunk) error {
	for {
		under := c.uploads[keyOf(chunks)]
		if under == nil {
			return nil
		}
		err := c.mem.wait(func() error {
			select {
			case <-under:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		if err != nil {
			return err
		}
	}
}

// begin notes that a column of these chunks is copied until a function is called.
func (c *columns) begin(chunks []*runtime.Chunk) (end func()) {
	if len(chunks) == 0 {
		return func() {}
	}
	key, under := keyOf(chunks), make(chan struct{})
	c.uploads[key] = under
	return func() {
		delete(c.uploads, key)
		close(under)
	}
}

// share returns a cached column with a share of its memory.
func (c *columns) share(at *list.Element, dict *runtime.Dictionary) column {
	c.recent.MoveToFront(at)
	found := entry[column](at).made
	found.held.share()
	found.dict = dict
	return found
}

// version returns a column of a relation that was noted, with a share of its memory.
func (c *columns) version(v columnVersion) (found column, ok bool) {
	at := c.versions[v]
	if at == nil {
		return column{}, false
	}
	return c.share(at, entry[column](at).longest.Value()), true
}

// evict removes a column that no query is reading: one whose table is gone, or
// else the one that has not been used for the longest time.
func (c *columns) evict() bool {
	at := c.oldest(func(kept column) bool { return kept.held.shares == 1 })
	if at != nil {
		c.remove(at)
	}
	return at != nil
}

// evictable is the memory of the columns that no query is reading.
func (c *columns) evictable() int64 {
	n := int64(0)
	for at := c.recent.Front(); at != nil; at = at.Next() {
		if held := entry[column](at).made.held; held.shares == 1 {
			n += held.bytes
		}
	}
	return n
}

// errInternal is a fault of the engine.
func errInternal(format string, args ...any) error {
	return value.Errorf(value.CodeInternal, format, args...)
}
