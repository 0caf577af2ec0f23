package cuda

import (
	"context"
	"errors"
	goruntime "runtime"
	"sort"
	"sync"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
)

// send encodes what of a chunk is not encoded yet and starts to copy the chunk to a
// buffer, where the arguments of the kernel find it.
func (s *stream) send(p *rowRange, at int) error {
	r, link := s.run, s.run.backend.device.Link()
	w := chunkWriter{source: s, chunk: p, to: s.slots[at]}
	if n := s.stagedBytes(p); n > 0 {
		var err error
		if w.staged, err = link.Stage(at, n); err != nil {
			return err
		}
	}
	for k := range s.cols {
		w.column(k)
	}
	if err := w.encode(r.ctx); err != nil {
		return err
	}
	r.set(cudagen.Arg{Kind: cudagen.ArgRows, Input: s.input}, uint64(p.rows))
	r.metrics.Stream.Bytes += w.bytes
	r.metrics.Stream.Kept += w.kept
	r.metrics.Stream.Chunks++
	r.metrics.BytesRead += w.bytes
	return link.Send(at, w.copies)
}

// stagedBytes is the memory of the columns of a chunk that are not in page-locked
// memory.
func (s *stream) stagedBytes(p *rowRange) int64 {
	bytes := int64(0)
	for k := range s.cols {
		if c := &s.cols[k]; c.pinned == nil {
			bytes += s.columnBytes(c, p)
		}
	}
	return bytes
}

// chunkWriter encodes a chunk.
type chunkWriter struct {
	source *stream
	chunk  *rowRange
	staged []byte // for what is not in page-locked memory
	used   int64  // of it
	to     Ptr
	at     int64 // where the next array lies in the chunk
	copies []Transfer
	jobs   []func() // one after the other or at the same time
	done   []func() // when all jobs are
	bytes  int64    // that are copied
	kept   int64    // of them: that needed no encoding
}

// add has an array be the next one of the chunk, and returns where it will lie.
func (w *chunkWriter) add(src []byte) Ptr {
	p := w.to + Ptr(w.at)
	if len(src) > 0 {
		w.copies = append(w.copies, Transfer{Dst: p, Src: src})
	}
	w.bytes += int64(len(src))
	w.at += wholeBuffer(int64(len(src)))
	return p
}

// take returns page-locked memory for the next array of n bytes, and where it will lie.
func (w *chunkWriter) take(n int64) ([]byte, Ptr) {
	b := w.staged[w.used : w.used+n : w.used+n]
	w.used += wholeBuffer(n)
	return b, w.add(b)
}

// column lays a column out and fills the arguments that say where it will lie.
func (w *chunkWriter) column(k int) {
	c := &w.source.cols[k]
	at := func(kind cudagen.ArgKind, word Ptr) {
		w.source.run.set(cudagen.Arg{Kind: kind, Input: w.source.input, Index: c.ordinal}, uint64(word))
	}
	at(cudagen.ArgBase, Ptr(c.base))
	if c.shape.Encoding == cudagen.EncNull {
		return
	}
	if c.pinned != nil {
		w.pinnedColumn(c, at)
		return
	}
	chunks := w.source.columnChunks(c, w.chunk)
	if c.shape.Nullable {
		at(cudagen.ArgValid, w.bitmap(chunks, appendValid))
	}
	switch c.shape.Encoding {
	case cudagen.EncBits:
		at(cudagen.ArgData, w.bitmap(chunks, appendBits))
	case cudagen.EncStr:
		bytes, data := w.text(chunks)
		at(cudagen.ArgBytes, bytes)
		at(cudagen.ArgData, data)
	default:
		dst, data := w.take(int64(c.shape.Encoding.Width()) * w.chunk.rows)
		w.jobs = append(w.jobs, valueJobs(dst, c, chunks)...)
		at(cudagen.ArgData, data)
	}
}

// pinnedColumn lays out the part of a column that is in page-locked memory, or will
// be when the jobs are done. Chunks begin at whole words of bitmaps.
func (w *chunkWriter) pinnedColumn(c *streamColumn, at func(kind cudagen.ArgKind, word Ptr)) {
	lo, hi, before := w.chunk.first, w.chunk.first+w.chunk.rows, w.bytes
	jobs, done := c.pinned.encode(c, hi)
	w.jobs, w.done = append(w.jobs, jobs...), append(w.done, done)
	if c.shape.Nullable {
		at(cudagen.ArgValid, w.add(c.pinned.valid[lo/8:(hi+31)/32*4]))
	}
	if c.shape.Encoding == cudagen.EncBits {
		at(cudagen.ArgData, w.add(c.pinned.data[lo/8:(hi+31)/32*4]))
	} else {
		width := int64(c.shape.Encoding.Width())
		at(cudagen.ArgData, w.add(c.pinned.data[width*lo:width*hi]))
	}
	if len(jobs) == 0 {
		w.kept += w.bytes - before
	}
}

// bitmap writes a bitmap over the rows.
func (w *chunkWriter) bitmap(chunks []*runtime.Chunk, add func(b *bitWriter, c *runtime.Chunk)) Ptr {
	dst, p := w.take((w.chunk.rows + 31) / 32 * 4)
	clear(dst)
	w.jobs = append(w.jobs, bitmapJob(dst, 0, chunks, add))
	return p
}

// text writes the bytes of texts and where they end.
func (w *chunkWriter) text(chunks []*runtime.Chunk) (bytes, data Ptr) {
	total := int64(0)
	for _, c := range chunks {
		total += textBytes(c)
	}
	to, bytes := w.take(total)
	ends, data := w.take(4 * (w.chunk.rows + 1))
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
func (w *chunkWriter) encode(ctx context.Context) error {
	if len(w.jobs) == 0 {
		return canceled(ctx)
	}
	next := make(chan func(), len(w.jobs))
	for _, job := range w.jobs {
		next <- job
	}
	close(next)
	errs := make([]error, min(goruntime.GOMAXPROCS(0), len(w.jobs)))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for job := range next {
				if ctx.Err() == nil && errs[i] == nil {
					errs[i] = fault.Call(job)
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(append(errs, canceled(ctx))...); err != nil {
		return err
	}
	for _, done := range w.done {
		done()
	}
	return nil
}

// columnBytes is the memory of a column of a chunk.
func (s *stream) columnBytes(c *streamColumn, p *rowRange) int64 {
	var texts []*runtime.Chunk
	if c.shape.Encoding == cudagen.EncStr {
		texts = s.columnChunks(c, p)
	}
	return columnBytes(c.shape, p.rows, texts)
}

// columnChunks returns the stored chunks of a column, or the parts of them, that make up a chunk.
func (s *stream) columnChunks(c *streamColumn, p *rowRange) []*runtime.Chunk {
	var out []*runtime.Chunk
	end := p.first + p.rows
	at := sort.Search(len(s.ends), func(i int) bool { return s.ends[i] > p.first })
	for ; at < len(s.ends); at++ {
		chunk := c.chunks[at]
		begin := s.ends[at] - int64(chunk.Rows)
		if begin >= end {
			break
		}
		lo, hi := max(p.first-begin, 0), min(end-begin, int64(chunk.Rows))
		out = append(out, chunk.Slice(int(lo), int(hi)))
	}
	return out
}
