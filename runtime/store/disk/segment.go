package disk

import (
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"path/filepath"

	"github.com/cubeloom/cubeloom/codegen/kernel"

	goruntime "runtime"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/value"
)

// A segment file holds blocks of one table: the buffers of their chunks as they
// lie in memory, each aligned to 64 bytes, then the chunks' metadata with a
// checksum for each chunk, sealed by a checksum of its own. It never changes. From
// format 2 on the metadata begins with a stamp.
const (
	segmentKind = "CLSEG"
	alignment   = 64
)

// segment is a mapped segment file.
type segment struct {
	name    string
	sum     uint32 // of its metadata
	columns int
	blocks  []store.StoredBlock // whose chunks are pinned
	sums    []uint32            // checksum by block and column
	sound   []atomic.Bool       // by block and column: the checksum was right
	mapping *mapping
}

// mapping is the memory of a segment, given back when nothing refers to the
// segment any more.
type mapping struct {
	*vfs.Mapping
	dir       *fileSet
	name      string
	committed atomic.Bool // a manifest names the file; otherwise it goes with the mapping
}

// pinned is a chunk that keeps its segment's memory as long as anyone refers to
// the chunk.
type pinned struct {
	chunk runtime.Chunk
	seg   *segment
}

// Verify implements store.Segment.
func (s *segment) Verify(block, column int) error {
	i := block*s.columns + column
	if err := s.mapping.Whole(); err != nil {
		return corrupted(s.path(), err)
	}
	if s.sound[i].Load() {
		return nil
	}
	sum := uint32(0)
	for _, b := range buffersOf(s.blocks[block].Cols[column]) {
		sum = crc32.Update(sum, castagnoli, b)
	}
	if sum != s.sums[i] {
		return value.Errorf(value.CodeDataCorrupted, "file %q is damaged: wrong checksum of column %d in block %d",
			s.path(), column+1, block)
	}
	s.sound[i].Store(true)
	return nil
}

// path is the file's path, for messages.
func (s *segment) path() string { return filepath.Join(s.mapping.dir.path(), s.name) }

// writeSegment writes blocks, which are in memory, to a new file and makes it
// durable.
func (d *fileSet) writeSegment(name string, blocks []store.StoredBlock) error {
	return d.writeFile(name, func(w io.Writer, s *stamp) error {
		out := &segmentWriter{w: w}
		out.write([]byte(magic(segmentKind, formatNumber)))
		s.encode(&out.meta)
		out.meta.uint(uint64(len(blocks)))
		out.meta.uint(uint64(len(blocks[0].Cols)))
		for _, b := range blocks {
			out.meta.uint(uint64(b.Rows))
			for _, c := range b.Cols {
				out.chunk(c)
			}
		}
		sealed, _ := seal(out.meta.b, segmentKind)
		out.write(sealed)
		return out.err
	})
}

// segmentWriter writes buffers and gathers the metadata.
type segmentWriter struct {
	w    io.Writer
	pos  int64
	meta encoder
	err  error
}

func (w *segmentWriter) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
	w.pos += int64(len(b))
}

// chunk writes the buffers of a chunk.
func (w *segmentWriter) chunk(c *runtime.Chunk) {
	w.meta.uint(uint64(c.Type))
	w.meta.uint(uint64(c.Enc))
	w.meta.uint(uint64(c.Nulls))
	w.meta.int(c.Base)
	w.meta.uint(statisticsFlags(c))
	w.meta.int(c.Min)
	w.meta.int(c.Max)
	sum := uint32(0)
	for _, b := range buffersOf(c) {
		if pad := int(-w.pos & (alignment - 1)); pad > 0 && len(b) > 0 {
			w.write(make([]byte, pad))
		}
		w.meta.uint(uint64(w.pos))
		w.meta.uint(uint64(len(b)))
		sum = crc32.Update(sum, castagnoli, b) // before the write, which does not say what it could not read
		w.write(b)
	}
	w.meta.uint(uint64(sum))
}

// openSegment maps a segment file, which committed reports whether a manifest
// names. It reads the metadata alone.
func (d *fileSet) openSegment(want *expected, committed bool) (s *segment, err error) {
	path := filepath.Join(d.path(), want.File)
	mapped, err := d.dir.Map(want.File)
	if err != nil {
		return nil, ioError("could not map file %q: %v", path, err)
	}
	defer fault.Guard()(&err)
	m := &mapping{Mapping: mapped, dir: d, name: want.File}
	m.committed.Store(committed)
	s = &segment{name: want.File, mapping: m}
	goruntime.AddCleanup(s, (*mapping).release, m)
	meta, err := want.open(mapped.Data, segmentKind)
	if err == nil {
		s.sum = meta.sum
		err = s.read(&meta.decoder)
	}
	if err != nil {
		return nil, corrupted(path, err)
	}
	return s, nil
}

// release unmaps the file, and removes it where no manifest has named it.
func (m *mapping) release() {
	m.Release()
	if !m.committed.Load() {
		m.dir.discard(m.name)
	}
}

// read makes the blocks of the metadata.
func (s *segment) read(d *decoder) error {
	blocks := d.count()
	s.columns = d.count()
	for n := 0; n < blocks && d.err == nil; n++ {
		rows := d.uint()
		if rows > math.MaxInt32 {
			return fmt.Errorf("block %d has %d rows", n, rows)
		}
		b := store.StoredBlock{Rows: int(rows), File: s, At: n}
		for c := 0; c < s.columns && d.err == nil; c++ {
			chunk, err := s.readChunk(d, int(rows))
			if err != nil {
				return fmt.Errorf("block %d, column %d: %w", n, c+1, err)
			}
			b.Cols = append(b.Cols, chunk)
		}
		s.blocks = append(s.blocks, b)
	}
	s.sound = make([]atomic.Bool, len(s.sums))
	return d.err
}

// buffer is a part of the mapped file.
func (s *segment) buffer(offset, size uint64) ([]byte, error) {
	n := uint64(len(s.mapping.Data))
	if size == 0 {
		return nil, nil
	}
	if offset%alignment != 0 || offset > n || size > n-offset {
		return nil, fmt.Errorf("a buffer of %d bytes at %d in a file of %d", size, offset, n)
	}
	return s.mapping.Data[offset : offset+size : offset+size], nil
}

// readChunk makes the next chunk of the metadata, over the mapped file.
func (s *segment) readChunk(d *decoder, rows int) (*runtime.Chunk, error) {
	p := &pinned{seg: s}
	c := &p.chunk
	c.Type = kernel.Type(d.uint())
	c.Enc = runtime.Encoding(d.uint())
	c.Rows = rows
	c.Nulls = int(min(d.uint(), uint64(rows)))
	c.Base = d.int()
	if err := readFlags(c, d.uint()); err != nil {
		return nil, err
	}
	c.Min, c.Max = d.int(), d.int()
	var buffers [3][]byte
	for i := range buffers {
		b, err := s.buffer(d.uint(), d.uint())
		if err != nil {
			return nil, err
		}
		buffers[i] = b
	}
	s.sums = append(s.sums, uint32(d.uint()))
	if d.err != nil {
		return nil, d.err
	}
	return c, fill(c, buffers)
}
