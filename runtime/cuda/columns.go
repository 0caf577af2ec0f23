package cuda

import (
	"container/list"
	"context"
	"slices"
	"weak"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
)

// column is one column of a relation in device memory.
type column struct {
	shape cudagen.ColumnShape
	base  int64 // added to what offset encodings hold
	data  Ptr
	bytes Ptr // of text
	valid Ptr
	dict  *runtime.Dictionary // what codes mean
	held  *buffers            // where the column lies
}

// bound is a relation as a kernel reads it: Columns by ordinal, those that were
// not asked for without a type. It keeps them on the device until it is
// released.
type bound struct {
	rows int64
	cols []column
}

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

// release gives the columns up.
func (b *bound) release() {
	for i := range b.cols {
		if held := b.cols[i].held; held != nil {
			held.release()
			b.cols[i].held = nil
		}
	}
}

// columns brings relations to a device and keeps the columns of tables there
// between queries, until their memory is needed for something else: those go
// first that have not been used for the longest time. It is used by whoever
// holds the device.
type columns struct {
	device Device
	mem    *memory
	cached map[weak.Pointer[runtime.Chunk]]*list.Element // by first chunk; of *cachedColumn
	recent *list.List                                    // used last in front
	// versions finds columns of relations that never change without looking at
	// their chunks.
	versions map[columnVersion]*list.Element
}

// columnVersion is a column of a runtime.Versioned.
type columnVersion struct {
	version any
	ordinal int
}

// cachedColumn is a column that is kept for later. Chunks never change, so that
// the same chunks are the same data.
type cachedColumn struct {
	column
	chunks   []weak.Pointer[runtime.Chunk]
	longest  weak.Pointer[runtime.Dictionary]
	versions []columnVersion // that find it
}

// newColumns makes an empty cache over the memory of a device.
func newColumns(device Device, mem *memory) *columns {
	c := &columns{
		device: device, mem: mem, cached: map[weak.Pointer[runtime.Chunk]]*list.Element{}, recent: list.New(),
		versions: map[columnVersion]*list.Element{},
	}
	mem.evict = c.evict
	return c
}

// loadChunks gives the chunks of the named columns, those of blocks without rows
// left out.
func loadChunks(ctx context.Context, rel runtime.Relation, ordinals []int) ([][]*runtime.Chunk, error) {
	chunks := make([][]*runtime.Chunk, len(ordinals))
	for i := range rel.Blocks() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		block, err := rel.Load(i, ordinals)
		if err != nil {
			return nil, err
		}
		if block.Rows == 0 {
			continue
		}
		for k, o := range ordinals {
			chunks[k] = append(chunks[k], block.Cols[o])
		}
	}
	return chunks, nil
}

// column gives a column of chunks with a share of its memory.
func (c *columns) column(ctx context.Context, t kernel.Type, chunks []*runtime.Chunk) (column, error) {
	dict := longest(chunks)
	if at := c.find(chunks); at != nil {
		return c.share(at, dict), nil
	}
	u := upload{mem: c.mem, typ: t, chunks: chunks}
	made, err := u.run(ctx)
	if err != nil {
		return column{}, err
	}
	made.dict = dict
	if len(chunks) > 0 {
		c.keep(made, chunks)
	}
	return made, nil
}

// share gives a cached column with a share of its memory.
func (c *columns) share(at *list.Element, dict *runtime.Dictionary) column {
	c.recent.MoveToFront(at)
	found := at.Value.(*cachedColumn).column
	found.held.share()
	found.dict = dict
	return found
}

// version gives a column of a relation that was noted, with a share of its memory.
func (c *columns) version(v columnVersion) (found column, ok bool) {
	at := c.versions[v]
	if at == nil {
		return column{}, false
	}
	return c.share(at, at.Value.(*cachedColumn).longest.Value()), true
}

// note has version find the column of these chunks, where it is cached.
func (c *columns) note(v columnVersion, chunks []*runtime.Chunk) {
	at := c.find(chunks)
	if at == nil || c.versions[v] == at {
		return
	}
	k := at.Value.(*cachedColumn)
	k.longest = weak.Make(longest(chunks))
	if len(k.versions) >= maxVersions {
		c.forget(k)
	}
	k.versions = append(k.versions, v)
	c.versions[v] = at
}

// maxVersions is how many relations may find a column: most of those whose last
// column has the same chunks are gone.
const maxVersions = 16

// forget has no relation find a column any more.
func (c *columns) forget(k *cachedColumn) {
	for _, v := range k.versions {
		delete(c.versions, v)
	}
	k.versions = nil
}

// longest is the dictionary with the most entries of chunks of codes, which are
// snapshots of one.
func longest(chunks []*runtime.Chunk) *runtime.Dictionary {
	var dict *runtime.Dictionary
	for _, chunk := range chunks {
		if d := chunk.Dict; d != nil && (dict == nil || len(d.Texts) > len(dict.Texts)) {
			dict = d
		}
	}
	return dict
}

// find looks a column up.
func (c *columns) find(chunks []*runtime.Chunk) *list.Element {
	if len(chunks) == 0 {
		return nil
	}
	at := c.cached[weak.Make(chunks[0])]
	if at == nil {
		return nil
	}
	have := at.Value.(*cachedColumn).chunks
	if len(have) != len(chunks) {
		return nil
	}
	for i := range chunks {
		if have[i] != weak.Make(chunks[i]) {
			return nil
		}
	}
	return at
}

// keep adds a column to the cache.
func (c *columns) keep(made column, chunks []*runtime.Chunk) {
	k := &cachedColumn{column: made, chunks: make([]weak.Pointer[runtime.Chunk], len(chunks))}
	for i := range chunks {
		k.chunks[i] = weak.Make(chunks[i])
	}
	k.dict = nil
	k.held.share()
	if old := c.cached[k.chunks[0]]; old != nil {
		c.remove(old)
	}
	c.cached[k.chunks[0]] = c.recent.PushFront(k)
}

// remove takes a column out of the cache.
func (c *columns) remove(at *list.Element) {
	k := c.recent.Remove(at).(*cachedColumn)
	delete(c.cached, k.chunks[0])
	c.forget(k)
	k.held.release()
}

// evict removes a column that no query is reading: one whose table is gone, or
// else the one that has not been used for the longest time.
func (c *columns) evict() bool {
	var last *list.Element
	for at := c.recent.Back(); at != nil; at = at.Prev() {
		k := at.Value.(*cachedColumn)
		if k.held.shares > 1 {
			continue
		}
		if gone(k.chunks) {
			c.remove(at)
			return true
		}
		if last == nil {
			last = at
		}
	}
	if last == nil {
		return false
	}
	c.remove(last)
	return true
}

// evictable is the memory of the columns that no query is reading.
func (c *columns) evictable() int64 {
	n := int64(0)
	for at := c.recent.Front(); at != nil; at = at.Next() {
		if k := at.Value.(*cachedColumn); k.held.shares == 1 {
			n += k.held.bytes
		}
	}
	return n
}

// gone tells whether a chunk does not exist any more.
func gone(chunks []weak.Pointer[runtime.Chunk]) bool {
	return slices.ContainsFunc(chunks, func(p weak.Pointer[runtime.Chunk]) bool { return p.Value() == nil })
}

// errInternal is a fault of the engine.
func errInternal(format string, args ...any) error {
	return value.Errorf(value.CodeInternal, format, args...)
}
