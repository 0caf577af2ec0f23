package cuda

import (
	"errors"
	goruntime "runtime"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
)

// newPinnedColumns makes an empty cache of at most limit bytes.
func newPinnedColumns(mem *memory, limit int64) *pinnedColumns {
	l := &pinnedColumns{limit: limit}
	if limit > 0 {
		l.host = mem.of.Link().Host()
	}
	l.columnCache = newColumnCache(func(c *pinnedColumn) {
		for _, w := range c.watches {
			w.Stop()
		}
		l.used.Add(-int64(len(c.bytes)))
		l.host.Free(c.bytes)
	})
	return l
}

// pinnable reports whether columns of a shape are kept in page-locked memory: not
// texts, whose offsets are those of a chunk, and not what needs no memory.
func pinnable(shape cudagen.ColumnShape) bool {
	return shape.Encoding != cudagen.EncStr && shape.Encoding != cudagen.EncNull
}

// take returns a column of chunks, which has one reader more until it is given back;
// version finds it the next time. Nil says that there is no room for it beside those
// that have readers.
func (l *pinnedColumns) take(version columnVersion, chunks []*runtime.Chunk, shape cudagen.ColumnShape, rows int64) (*pinnedColumn, error) {
	if l.limit == 0 || rows == 0 || !pinnable(shape) {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.versions[version]
	if at == nil {
		at = l.find(chunks)
	}
	if at == nil {
		made, err := l.alloc(shape, rows, columnBytes(shape, rows, nil))
		if made == nil || err != nil {
			return nil, err
		}
		l.keep(made, chunks)
		l.watch(made, chunks)
		at = l.recent.Front()
	}
	if version.version != nil && l.versions[version] != at {
		l.note(version, chunks)
	}
	l.recent.MoveToFront(at)
	c := entry[*pinnedColumn](at).made
	c.readers++
	return c, nil
}

// leave gives a column back.
func (l *pinnedColumns) leave(c *pinnedColumn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.readers--
}

// alloc makes a column of which nothing is encoded; nil: there is no room for it.
func (l *pinnedColumns) alloc(shape cudagen.ColumnShape, rows, n int64) (*pinnedColumn, error) {
	if !l.makeRoom(n) {
		return nil, nil
	}
	bytes, err := l.host.Alloc(n)
	switch {
	case errors.Is(err, ErrLost):
		return nil, err
	case err != nil: // the machine has no more memory that it can lock
		return nil, nil
	}
	l.used.Add(n)
	c := &pinnedColumn{bytes: bytes, data: bytes}
	if shape.Nullable {
		words := (rows + 31) / 32 * 4
		c.valid, c.data = bytes[:words], bytes[wholeBuffer(words):]
		clear(c.valid)
	}
	if shape.Encoding == cudagen.EncBits {
		clear(c.data)
	}
	return c, nil
}

// makeRoom has n bytes more stay within the limit, freeing columns without
// readers; false: even all of them are not enough.
func (l *pinnedColumns) makeRoom(n int64) bool {
	read := int64(0)
	for at := l.recent.Front(); at != nil; at = at.Next() {
		if c := entry[*pinnedColumn](at).made; c.readers > 0 {
			read += int64(len(c.bytes))
		}
	}
	if read+n > l.limit {
		return false
	}
	for l.used.Load()+n > l.limit {
		l.remove(l.oldest(func(c *pinnedColumn) bool { return c.readers == 0 }))
	}
	return true
}

// watch has a column freed when one of its chunks is gone.
func (l *pinnedColumns) watch(made *pinnedColumn, chunks []*runtime.Chunk) {
	for _, c := range chunks {
		made.watches = append(made.watches, goruntime.AddCleanup(c, (*pinnedColumns).ask, l))
	}
}

// ask has what is gone freed soon. Any goroutine may call it.
func (l *pinnedColumns) ask() {
	if l.asked.CompareAndSwap(false, true) {
		go l.sweep()
	}
}

// sweep frees the columns of tables that are gone.
func (l *pinnedColumns) sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked.Store(false)
	for at := l.recent.Front(); at != nil; {
		next := at.Next()
		if gone(entry[*pinnedColumn](at).chunks) {
			l.remove(at)
		}
		at = next
	}
}

// encode returns what encodes chunks of the column until there are so many rows, and
// what is to be called when that is done.
func (c *pinnedColumn) encode(col *streamColumn, rows int64) (jobs []func(), done func()) {
	first, last, have := c.encoded, c.encoded, c.rows
	for have < rows {
		have += int64(col.chunks[last].Rows)
		last++
	}
	if chunks := col.chunks[first:last]; len(chunks) > 0 {
		if col.shape.Nullable {
			jobs = append(jobs, bitmapJob(c.valid, c.rows, chunks, appendValid))
		}
		if col.shape.Encoding == cudagen.EncBits {
			jobs = append(jobs, bitmapJob(c.data, c.rows, chunks, appendBits))
		} else {
			jobs = append(jobs, valueJobs(c.data[int64(col.shape.Encoding.Width())*c.rows:], col, chunks)...)
		}
	}
	return jobs, func() { c.encoded, c.rows = last, have }
}

// bitmapJob writes what add makes of chunks to a bitmap, from a row on where it is
// zeros.
func bitmapJob(dst []byte, first int64, chunks []*runtime.Chunk, add func(b *bitWriter, c *runtime.Chunk)) func() {
	return func() {
		b := &bitWriter{bits: dst, at: int(first)}
		for _, c := range chunks {
			add(b, c)
		}
	}
}

// valueJobs write the values of chunks of a fixed width to dst.
func valueJobs(dst []byte, c *streamColumn, chunks []*runtime.Chunk) []func() {
	jobs, width := make([]func(), len(chunks)), c.shape.Encoding.Width()
	for i, chunk := range chunks {
		n := width * chunk.Rows
		part := dst[:n:n]
		dst = dst[n:]
		jobs[i] = func() { fillData(part, c.shape.Encoding, c.base, chunk) }
	}
	return jobs
}
