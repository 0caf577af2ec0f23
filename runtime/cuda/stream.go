package cuda

import (
	"slices"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The size of a chunk: large enough for the link's full rate, and a small part of
// the memory where there is little.
const (
	maxChunkBytes = 64 << 20
	chunkShare    = 8
)

// streamable reports whether input i of a kernel can be copied chunk by chunk: the
// sink takes rows in several launches, and none of its texts lies in a chunk.
func streamable(f *kernel.Func, i int, l *loadedInput) bool {
	s, ok := f.Source.(*kernel.Scan)
	if !ok || s.Input != i || l.host == nil || len(l.cols) == 0 || cudagen.KeepsTexts(f) {
		return false
	}
	switch f.Sink.(type) {
	case *kernel.Materialize, *kernel.Build, *kernel.Aggregate, *kernel.Sort, *kernel.Window, *kernel.Cubing, *kernel.Several:
		return true
	}
	return false
}

// room is how much of the device's memory what is not in use, or could be evicted,
// takes.
func (b *Backend) room() int64 { return b.unused() + b.columns.evictable() }

// unused is how much of the device's memory what is not in use takes.
func (b *Backend) unused() int64 { return b.device.Info().TotalMemory - b.mem.used() }

// hasRoom reports whether room is at least n. It looks for what could be evicted only where that matters.
func (b *Backend) hasRoom(n int64) bool { return b.unused() >= n || b.room() >= n }

// fits reports whether the columns of an input fit the device beside what a kernel
// needs to work with.
func (b *Backend) fits(l *loadedInput) bool {
	if l.chunks == nil {
		return true
	}
	types, bytes := l.host.Types(), int64(0)
	for i, o := range l.cols {
		if b.columns.has(l.chunks[i]) {
			continue
		}
		shape, _ := b.columns.stored(types[o], l.chunks[i])
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

// stream makes the stream of input i and returns what the kernel is to know of it.
func (r *run) stream(i int, l *loadedInput) (*bound, error) {
	err := r.takeLink(l)
	if err != nil {
		return nil, err
	}
	if r.source, err = r.newStream(i, l); err != nil {
		return nil, err
	}
	return r.source.bound(len(l.host.Types()), l.host.Rows()), nil
}

// takeLink waits for the link and gets at what is to be streamed.
func (r *run) takeLink(l *loadedInput) (err error) {
	if err := r.backend.link.take(r.ctx); err != nil {
		return err
	}
	r.linked = true
	if r.linkBefore, err = r.backend.device.Link().Busy(); err != nil || l.chunks != nil {
		return err
	}
	l.chunks, err = loadChunks(r.ctx, l.host, l.cols)
	return err
}

// newStream plans the chunks of an input and allocates the buffers.
func (r *run) newStream(i int, l *loadedInput) (*stream, error) {
	s := &stream{run: r, input: i}
	types, rows, bytes := l.host.Types(), l.host.Rows(), int64(0)
	for k, o := range l.cols {
		c := streamColumn{ordinal: o, chunks: l.chunks[k]}
		c.shape, c.base = narrowest(types[o], c.chunks)
		bytes += columnBytes(c.shape, rows, c.chunks)
		_, err := longestText(r.ctx, c.chunks)
		if err != nil {
			s.close()
			return nil, err
		}
		if c.pinned, err = r.backend.pinned.take(columnVersion{l.version, o}, c.chunks, c.shape, rows); err != nil {
			s.close()
			return nil, err
		}
		s.cols = append(s.cols, c)
	}
	chunk := r.backend.chunkBytes()
	perRow := max(float64(bytes)/float64(max(rows, 1)), 1)
	s.cut(r.left(rows, s.blockBounds, r.backend.opts.Target.Device.Link/perRow), max(int64(float64(chunk)/perRow)/chunkRows*chunkRows, chunkRows))
	r.ranges = s.chunks
	for k := range s.chunks {
		s.room = max(s.room, s.chunkBytes(&s.chunks[k]))
	}
	if len(s.chunks) > 1 {
		s.room = max(s.room, chunk) // the same for each query, so that the pool has it
	}
	for k := range s.slots {
		var err error
		if s.slots[k], err = r.temp.alloc(r.queue, max(s.room, 1)); err == nil && s.hasTexts() {
			err = checkAddress(s.slots[k], s.room)
		}
		if err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// chunkBytes is about how large a chunk is.
func (b *Backend) chunkBytes() int64 {
	memory := b.device.Info().TotalMemory
	if room := b.room(); room < memory/2 {
		memory = room
	}
	return min(maxChunkBytes, memory/chunkShare)
}

// close returns the columns in page-locked memory.
func (s *stream) close() {
	for k := range s.cols {
		if c := s.cols[k].pinned; c != nil {
			s.run.backend.pinned.leave(c)
		}
	}
}

// hasTexts reports whether a column is of texts.
func (s *stream) hasTexts() bool {
	return slices.ContainsFunc(s.cols, func(c streamColumn) bool { return c.shape.Encoding == cudagen.EncStr })
}

// cut cuts ranges of rows into chunks of so many.
func (s *stream) cut(ranges []rowRange, rows int64) {
	total := int64(0)
	for _, c := range s.cols[0].chunks {
		total += int64(c.Rows)
		s.ends = append(s.ends, total)
	}
	s.chunks = cutRows(ranges, rows)
}

// blockBounds are the bounds of the blocks of a column.
func (s *stream) blockBounds(ordinal int) *blockBounds {
	for i := range s.cols {
		if s.cols[i].ordinal == ordinal {
			return boundsOfBlocks(s.cols[i].chunks)
		}
	}
	return nil
}

// chunkBytes is the memory of a chunk.
func (s *stream) chunkBytes(p *rowRange) int64 {
	bytes := int64(0)
	for k := range s.cols {
		bytes += s.columnBytes(&s.cols[k], p)
	}
	return bytes
}

// bound is what a kernel knows of the relation before its chunks come.
func (s *stream) bound(types int, rows int64) *bound {
	b := &bound{rows: rows, cols: make([]column, types)}
	for k := range s.cols {
		c := &s.cols[k]
		b.cols[c.ordinal] = column{shape: c.shape, base: c.base, dict: longest(c.chunks)}
	}
	return b
}

// overChunks copies all chunks of the source anew, one after the other, and has each
// launch what reads its rows, of which it is told the number.
func (r *run) overChunks(each func(rows int64) error) error {
	started := time.Now()
	if err := r.source.pass(each); err != nil {
		return err
	}
	busy, err := r.linkBusy()
	s := &r.metrics.Stream
	s.Passes++
	s.Time += time.Since(started)
	s.Link = busy - r.linkBefore
	return err
}

// linkBusy waits for all that was sent and returns how long the link has been busy.
func (r *run) linkBusy() (time.Duration, error) {
	return r.backend.device.Link().Busy()
}

// pass goes over all chunks.
func (s *stream) pass(each func(rows int64) error) error {
	link, on := s.run.backend.device.Link(), s.run.queue
	on.started++
	for at := range s.slots { // the buffers may be read by what was launched before
		if err := link.Leave(at, on.stream); err != nil {
			return err
		}
	}
	for i := range s.chunks {
		p, at := &s.chunks[i], i%Slots
		if err := s.send(p, at); err != nil {
			return err
		}
		if err := link.Arrive(at, on.stream); err != nil {
			return err
		}
		if err := each(p.rows); err != nil {
			return err
		}
		if err := link.Leave(at, on.stream); err != nil {
			return err
		}
	}
	return nil
}

// tilesOf is the number of tiles of so many rows.
func tilesOf(rows int64, tileRows int) int64 { return (rows + int64(tileRows) - 1) / int64(tileRows) }
