package cuda

import (
	"context"
	"errors"
	goruntime "runtime"
	"sync"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// feed brings the rows of a relation of the host to the device piece by piece:
// while the link carries one piece, a kernel reads the one before and the
// processor encodes the one after. A piece lies in one of two buffers of the
// device, as columns one after the other.
type feed struct {
	run    *run
	input  int
	cols   []feedColumn
	pieces []feedPiece
	room   int64 // bytes of a buffer
	slots  [Slots]Ptr
	starts Ptr // of the tiles' rows, where the entry wants them
}

// feedColumn is a column of the relation, of one shape in all pieces.
type feedColumn struct {
	ordinal int
	shape   cudagen.ColumnShape
	base    int64
	chunks  []*runtime.Chunk
}

// feedPiece is consecutive rows.
type feedPiece struct {
	rows   int64
	chunks [][]*runtime.Chunk // by column
}

// The size of a piece: large enough for the link's full rate, and a small part of
// the memory where there is little. pieceRows is what the rows of a piece are a
// multiple of, but for the last of a chunk.
const (
	mostPieceBytes = 64 << 20
	pieceShare     = 8
	pieceRows      = 1024
)

// streamable tells whether input i of a kernel can be brought piece by piece: the
// sink takes rows in several launches.
func streamable(f *kernel.Func, i int, l *loadedInput) bool {
	s, ok := f.Source.(*kernel.Scan)
	if !ok || s.Input != i || l.host == nil || len(l.cols) == 0 {
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

// fits tells whether the columns of an input fit the device beside what a kernel
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

// columnBytes is the memory of so many rows of a column.
func columnBytes(shape cudagen.ColumnShape, rows int64, chunks []*runtime.Chunk) int64 {
	bitmap, bytes := wholeBuffer((rows+31)/32*4), int64(0)
	if shape.Encoding == cudagen.EncNull {
		return 0
	}
	if shape.Nullable {
		bytes += bitmap
	}
	switch shape.Encoding {
	case cudagen.EncBits:
		return bytes + bitmap
	case cudagen.EncStr:
		for _, c := range chunks {
			bytes += textBytes(c)
		}
		return wholeBuffer(bytes) + wholeBuffer(4*(rows+1))
	}
	return bytes + wholeBuffer(int64(shape.Encoding.Width())*padded(int(rows)))
}

// wholeBuffer rounds up so that what follows is aligned as an allocation is.
func wholeBuffer(n int64) int64 { return (n + smallest - 1) / smallest * smallest }

// canStream tells whether a kernel that has run out of memory would need less of
// it with its source streamed.
func canStream(f *kernel.Func, loaded []loadedInput) bool {
	for i := range loaded {
		if streamable(f, i, &loaded[i]) && loaded[i].host.Rows() > pieceRows {
			return true
		}
	}
	return false
}

// stream makes the feed of input i and gives what the kernel is to know of it.
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
	if r.feed, err = r.newFeed(i, l); err != nil {
		return nil, err
	}
	return r.feed.bound(len(l.host.Types()), l.host.Rows()), nil
}

// firstRoom is for how many rows of the result there is room at first where the
// source is streamed: a part of the memory. It is tried again with as many as
// there turn out to be.
func (r *run) firstRoom(rows int64) int64 {
	width := int64(1)
	for _, shape := range r.module.Outputs {
		width += int64(max(shape.Encoding.Width(), 1))
	}
	if r.module.Sort != nil {
		width += 8 * int64(r.module.Sort.Words)
	}
	return min(rows, max(r.backend.room()/pieceShare/width, pieceRows))
}

// newFeed plans the pieces of an input and allocates the buffers.
func (r *run) newFeed(i int, l *loadedInput) (*feed, error) {
	f := &feed{run: r, input: i}
	types, rowBytes := l.host.Types(), int64(0)
	for k, o := range l.cols {
		c := feedColumn{ordinal: o, chunks: l.chunks[k]}
		c.shape, c.base = narrowest(types[o], c.chunks)
		f.cols = append(f.cols, c)
		rowBytes += columnBytes(c.shape, l.host.Rows(), c.chunks)/max(l.host.Rows(), 1) + 1
	}
	f.cut(max(min(mostPieceBytes, r.backend.room()/pieceShare)/rowBytes/pieceRows*pieceRows, pieceRows))
	for k := range f.pieces {
		f.room = max(f.room, f.pieceBytes(&f.pieces[k]))
	}
	for k := range f.slots {
		var err error
		if f.slots[k], err = r.temp.alloc(max(f.room, 1)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// cut cuts the chunks into pieces of about so many rows.
func (f *feed) cut(rows int64) {
	for at, first := range f.cols[0].chunks {
		for lo := 0; lo < first.Rows; {
			p := f.openPiece(rows)
			n := min(first.Rows-lo, int(rows-p.rows))
			for k := range f.cols {
				p.chunks[k] = append(p.chunks[k], slice(f.cols[k].chunks[at], lo, n))
			}
			p.rows += int64(n)
			lo += n
		}
	}
}

// openPiece gives the last piece, or a new one where that has no room for as many
// rows as pieces are a multiple of.
func (f *feed) openPiece(rows int64) *feedPiece {
	if n := len(f.pieces); n == 0 || rows-f.pieces[n-1].rows < pieceRows {
		f.pieces = append(f.pieces, feedPiece{chunks: make([][]*runtime.Chunk, len(f.cols))})
	}
	return &f.pieces[len(f.pieces)-1]
}

// pieceBytes is the memory of a piece.
func (f *feed) pieceBytes(p *feedPiece) int64 {
	bytes := int64(0)
	for k := range f.cols {
		bytes += columnBytes(f.cols[k].shape, p.rows, p.chunks[k])
	}
	return bytes
}

// tiles is the number of tiles of all pieces.
func (f *feed) tiles(tileRows int) int64 {
	n := int64(0)
	for i := range f.pieces {
		n += tilesOf(f.pieces[i].rows, tileRows)
	}
	return n
}

// blocks is the number of blocks that an entry has over all pieces, at most most
// at a time.
func (f *feed) blocks(e *cudagen.Entry, most int64) int64 {
	n := int64(0)
	for i := range f.pieces {
		n += min(tilesOf(f.pieces[i].rows, e.TileRows), most)
	}
	return n
}

// bound is what a kernel knows of the relation before its pieces come.
func (f *feed) bound(types int, rows int64) *bound {
	b := &bound{rows: rows, cols: make([]column, types)}
	for k := range f.cols {
		c := &f.cols[k]
		b.cols[c.ordinal] = column{shape: c.shape, base: c.base, dict: longest(c.chunks)}
	}
	return b
}

// overRows starts an entry over all rows of the source, as launchShared does, and
// gives the number of blocks. A source that is streamed is brought anew.
func (r *run) overRows(name string, shared int) (blocks int, err error) {
	if r.feed == nil {
		return r.launchShared(name, r.metrics.RowsIn, shared)
	}
	started := time.Now()
	if blocks, err = r.feed.pass(name, shared); err != nil {
		return 0, errors.Join(err, r.backend.device.Sync())
	}
	busy, err := r.backend.device.Link().Busy()
	s := &r.metrics.Stream
	s.Passes++
	s.Time += time.Since(started)
	s.Link = busy - r.linkBefore
	return blocks, err
}

// pass has an entry go over all pieces.
func (f *feed) pass(name string, shared int) (blocks int, err error) {
	r, link := f.run, f.run.backend.device.Link()
	e, _, err := r.entry(name)
	if err != nil {
		return 0, err
	}
	for at := range f.slots { // the buffers may be read by what was launched before
		if err := link.Leave(at); err != nil {
			return 0, err
		}
	}
	tiles := int64(0)
	for i := range f.pieces {
		p, at := &f.pieces[i], i%Slots
		if err := f.send(p, at); err != nil {
			return 0, err
		}
		if err := link.Arrive(at); err != nil {
			return 0, err
		}
		r.set(cudagen.ArgFirstBlock, 0, uint64(blocks))
		if f.starts != 0 {
			r.set(cudagen.ArgTileStart, 0, uint64(f.starts)+8*uint64(tiles))
		}
		n, err := r.launchShared(name, p.rows, shared)
		if err != nil {
			return 0, err
		}
		if err := link.Leave(at); err != nil {
			return 0, err
		}
		blocks += n
		tiles += tilesOf(p.rows, e.TileRows)
	}
	r.set(cudagen.ArgFirstBlock, 0, 0)
	if f.starts != 0 {
		r.set(cudagen.ArgTileStart, 0, uint64(f.starts))
	}
	return blocks, nil
}

// tilesOf is the number of tiles of so many rows.
func tilesOf(rows int64, tileRows int) int64 { return (rows + int64(tileRows) - 1) / int64(tileRows) }

// send encodes a piece and starts to copy it to a buffer, where the arguments of
// the kernel find it.
func (f *feed) send(p *feedPiece, at int) error {
	r, link := f.run, f.run.backend.device.Link()
	bytes := f.pieceBytes(p)
	staged, err := link.Stage(at, bytes)
	if err != nil {
		return err
	}
	w := pieceWriter{feed: f, piece: p, staged: staged, to: f.slots[at]}
	for k := range f.cols {
		w.column(k)
	}
	if err := w.encode(r.ctx); err != nil {
		return err
	}
	r.words[cudagen.Arg{Kind: cudagen.ArgRows, Input: f.input}] = uint64(p.rows)
	r.metrics.Stream.Bytes += bytes
	r.metrics.Stream.Pieces++
	r.metrics.BytesRead += bytes
	return link.Send(at, f.slots[at], bytes)
}

// pieceWriter encodes a piece.
type pieceWriter struct {
	feed   *feed
	piece  *feedPiece
	staged []byte
	to     Ptr
	at     int64
	jobs   []func() // one after the other or at the same time
}

// take gives the next n bytes of the piece, and where they will lie.
func (w *pieceWriter) take(n int64) ([]byte, Ptr) {
	b, p := w.staged[w.at:w.at+n], w.to+Ptr(w.at)
	w.at += wholeBuffer(n)
	return b, p
}

// column lays a column out and tells the kernel where it will lie.
func (w *pieceWriter) column(k int) {
	c, chunks := &w.feed.cols[k], w.piece.chunks[k]
	at := func(kind cudagen.ArgKind, word uint64) {
		w.feed.run.words[cudagen.Arg{Kind: kind, Input: w.feed.input, Index: c.ordinal}] = word
	}
	at(cudagen.ArgBase, uint64(c.base))
	if c.shape.Encoding == cudagen.EncNull {
		return
	}
	if c.shape.Nullable {
		at(cudagen.ArgValid, uint64(w.bitmap(chunks, appendValid)))
	}
	switch c.shape.Encoding {
	case cudagen.EncBits:
		at(cudagen.ArgData, uint64(w.bitmap(chunks, appendBits)))
	case cudagen.EncStr:
		bytes, data := w.text(chunks)
		at(cudagen.ArgBytes, uint64(bytes))
		at(cudagen.ArgData, uint64(data))
	default:
		at(cudagen.ArgData, uint64(w.values(c, chunks)))
	}
}

// bitmap writes a bitmap over the rows.
func (w *pieceWriter) bitmap(chunks []*runtime.Chunk, add func(b *bitWriter, c *runtime.Chunk)) Ptr {
	dst, p := w.take((w.piece.rows + 31) / 32 * 4)
	w.jobs = append(w.jobs, func() {
		clear(dst)
		b := &bitWriter{bits: dst}
		for _, c := range chunks {
			add(b, c)
		}
	})
	return p
}

// values writes values of a fixed width.
func (w *pieceWriter) values(c *feedColumn, chunks []*runtime.Chunk) Ptr {
	width := int64(c.shape.Encoding.Width())
	dst, p := w.take(width * padded(int(w.piece.rows)))
	for _, chunk := range chunks {
		n := width * int64(chunk.Rows)
		part := dst[:n:n]
		dst = dst[n:]
		w.jobs = append(w.jobs, func() { fillData(part, c.shape.Encoding, c.base, chunk) })
	}
	return p
}

// text writes the bytes of texts and where they end.
func (w *pieceWriter) text(chunks []*runtime.Chunk) (bytes, data Ptr) {
	total := int64(0)
	for _, c := range chunks {
		total += textBytes(c)
	}
	to, bytes := w.take(total)
	ends, data := w.take(4 * (w.piece.rows + 1))
	clear(ends[:4])
	ends = ends[4:]
	before := uint32(0)
	for _, c := range chunks {
		n, first := textBytes(c), before
		part, last := to[:n:n], ends[:4*c.Rows:4*c.Rows]
		to, ends = to[n:], ends[4*c.Rows:]
		before += uint32(n)
		w.jobs = append(w.jobs, func() {
			if n > 0 {
				copy(part, c.Bytes[c.Offsets[0]:c.Offsets[c.Rows]])
			}
			copy(last, textEnds(c, first))
		})
	}
	return bytes, data
}

// encode does the jobs on all cores.
func (w *pieceWriter) encode(ctx context.Context) error {
	next := make(chan func(), len(w.jobs))
	for _, job := range w.jobs {
		next <- job
	}
	close(next)
	var group sync.WaitGroup
	for range min(goruntime.GOMAXPROCS(0), len(w.jobs)) {
		group.Go(func() {
			for job := range next {
				if ctx.Err() == nil {
					job()
				}
			}
		})
	}
	group.Wait()
	return canceled(ctx)
}
