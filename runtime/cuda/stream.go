package cuda

import (
	"errors"
	"slices"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The size of a chunk: large enough for the link's full rate, and a small part of
// the memory where there is little. chunkRows is what the rows of a chunk are a
// multiple of, but for the last one.
const (
	maxChunkBytes = 64 << 20
	chunkShare    = 8
	chunkRows     = 1024
)

// streamable reports whether input i of a kernel can be brought chunk by chunk: the
// sink takes rows in several launches, and none of its texts lies in a chunk.
func streamable(f *kernel.Func, i int, l *loadedInput) bool {
	s, ok := f.Source.(*kernel.Scan)
	if !ok || s.Input != i || l.host == nil || len(l.cols) == 0 || cudagen.KeepsTexts(f) {
		return false
	}
	switch f.Sink.(type) {
	case *kernel.Materialize, *kernel.Build, *kernel.Aggregate, *kernel.Sort:
		return true
	}
	return false
}

// room is how much of the device's memory what is not in use, or could be evicted,
// takes.
func (b *Backend) room() int64 {
	return b.device.Info().TotalMemory - b.mem.used() + b.columns.evictable()
}

// fits reports whether the columns of an input fit the device beside what a kernel
// needs to work with.
func (b *Backend) fits(l *loadedInput) bool {
	if l.chunks == nil {
		return true
	}
	types, bytes := l.host.Types(), int64(0)
	for i, o := range l.cols {
		if b.columns.find(l.chunks[i]) != nil {
			continue
		}
		shape, _ := narrowest(types[o], l.chunks[i])
		bytes += columnBytes(shape, l.host.Rows(), l.chunks[i])
	}
	return bytes <= b.room()/4*3
}

// canStream reports whether a kernel that has run out of memory would need less of
// it with its source streamed.
func canStream(f *kernel.Func, loaded []loadedInput) bool {
	for i := range loaded {
		if streamable(f, i, &loaded[i]) && loaded[i].host.Rows() > chunkRows {
			return true
		}
	}
	return false
}

// stream makes the feed of input i and returns what the kernel is to know of it.
func (r *run) stream(i int, l *loadedInput) (*bound, error) {
	var err error
	if r.linkBefore, err = r.backend.device.Link().Busy(); err != nil {
		return nil, err
	}
	if l.chunks == nil {
		if l.chunks, err = loadChunks(r.ctx, l.host, l.cols); err != nil {
			return nil, err
		}
	}
	if r.source, err = r.newStream(i, l); err != nil {
		return nil, err
	}
	return r.source.bound(len(l.host.Types()), l.host.Rows()), nil
}

// newStream plans the chunks of an input and allocates the buffers.
func (r *run) newStream(i int, l *loadedInput) (*stream, error) {
	f := &stream{run: r, input: i}
	types, rows, bytes := l.host.Types(), l.host.Rows(), int64(0)
	for k, o := range l.cols {
		c := streamColumn{ordinal: o, chunks: l.chunks[k]}
		c.shape, c.base = narrowest(types[o], c.chunks)
		bytes += columnBytes(c.shape, rows, c.chunks)
		_, err := longestText(r.ctx, c.chunks)
		if err != nil {
			f.close()
			return nil, err
		}
		if c.pinned, err = r.backend.pinned.take(columnVersion{l.version, o}, c.chunks, c.shape, rows); err != nil {
			f.close()
			return nil, err
		}
		f.cols = append(f.cols, c)
	}
	most := r.backend.chunkBytes()
	perRow := max(float64(bytes)/float64(max(rows, 1)), 1)
	f.cut(max(int64(float64(most)/perRow)/chunkRows*chunkRows, chunkRows))
	for k := range f.chunks {
		f.room = max(f.room, f.chunkBytes(&f.chunks[k]))
	}
	if len(f.chunks) > 1 {
		f.room = max(f.room, most) // the same for each query, so that the pool has it
	}
	for k := range f.slots {
		var err error
		if f.slots[k], err = r.temp.alloc(max(f.room, 1)); err == nil && f.hasTexts() {
			err = checkAddress(f.slots[k], f.room)
		}
		if err != nil {
			f.close()
			return nil, err
		}
	}
	return f, nil
}

// chunkBytes is about how large a chunk is.
func (b *Backend) chunkBytes() int64 {
	memory := b.device.Info().TotalMemory
	if room := b.room(); room < memory/2 {
		memory = room
	}
	return min(maxChunkBytes, memory/chunkShare)
}

// close frees the columns in page-locked memory.
func (f *stream) close() {
	for k := range f.cols {
		if c := f.cols[k].pinned; c != nil {
			c.readers--
		}
	}
}

// hasTexts reports whether a column is of texts.
func (f *stream) hasTexts() bool {
	return slices.ContainsFunc(f.cols, func(c streamColumn) bool { return c.shape.Encoding == cudagen.EncStr })
}

// cut cuts the rows into chunks of so many.
func (f *stream) cut(rows int64) {
	total := int64(0)
	for _, c := range f.cols[0].chunks {
		total += int64(c.Rows)
		f.ends = append(f.ends, total)
	}
	for first := int64(0); first < total; first += rows {
		f.chunks = append(f.chunks, streamChunk{first, min(rows, total-first)})
	}
}

// chunkBytes is the memory of a chunk.
func (f *stream) chunkBytes(p *streamChunk) int64 {
	bytes := int64(0)
	for k := range f.cols {
		bytes += f.columnBytes(&f.cols[k], p)
	}
	return bytes
}

// tiles is the number of tiles of all chunks.
func (f *stream) tiles(tileRows int) int64 {
	n := int64(0)
	for i := range f.chunks {
		n += tilesOf(f.chunks[i].rows, tileRows)
	}
	return n
}

// blocks is the number of blocks that an entry with tiles of so many rows has over all
// chunks, at most most at a time.
func (f *stream) blocks(tileRows int, most int64) int64 {
	n := int64(0)
	for i := range f.chunks {
		n += min(tilesOf(f.chunks[i].rows, tileRows), most)
	}
	return n
}

// bound is what a kernel knows of the relation before its chunks come.
func (f *stream) bound(types int, rows int64) *bound {
	b := &bound{rows: rows, cols: make([]column, types)}
	for k := range f.cols {
		c := &f.cols[k]
		b.cols[c.ordinal] = column{shape: c.shape, base: c.base, dict: longest(c.chunks)}
	}
	return b
}

// overChunks copies all chunks of the source anew, one after the other, and has each
// launch what reads its rows, of which it is told the number.
func (r *run) overChunks(each func(rows int64) error) error {
	started := time.Now()
	if err := r.source.pass(each); err != nil {
		return errors.Join(err, r.backend.device.Sync())
	}
	busy, err := r.backend.device.Link().Busy()
	s := &r.metrics.Stream
	s.Passes++
	s.Time += time.Since(started)
	s.Link = busy - r.linkBefore
	return err
}

// pass goes over all chunks.
func (f *stream) pass(each func(rows int64) error) error {
	link := f.run.backend.device.Link()
	for at := range f.slots { // the buffers may be read by what was launched before
		if err := link.Leave(at); err != nil {
			return err
		}
	}
	for i := range f.chunks {
		p, at := &f.chunks[i], i%Slots
		if err := f.send(p, at); err != nil {
			return err
		}
		if err := link.Arrive(at); err != nil {
			return err
		}
		if err := each(p.rows); err != nil {
			return err
		}
		if err := link.Leave(at); err != nil {
			return err
		}
	}
	return nil
}

// tilesOf is the number of tiles of so many rows.
func tilesOf(rows int64, tileRows int) int64 { return (rows + int64(tileRows) - 1) / int64(tileRows) }
