package cuda

import (
	"bytes"
	"context"
	"errors"
	goruntime "runtime"
	"testing"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// pinnedHost is page-pinned memory for tests, on a device that has nothing else.
type pinnedHost struct {
	Device
	given map[*byte]int
	err   error // that an allocation gives
}

func (h *pinnedHost) Link() Link { return pinnedLink{host: h} }

func (h *pinnedHost) Alloc(n int64) ([]byte, error) {
	if h.err != nil {
		return nil, h.err
	}
	b := bytes.Repeat([]byte{0xa5}, int(n))
	h.given[&b[0]] = len(b)
	return b, nil
}

func (h *pinnedHost) Free(b []byte) { delete(h.given, &b[0]) }

func (h *pinnedHost) used() (n int64) {
	for _, size := range h.given {
		n += int64(size)
	}
	return n
}

type pinnedLink struct {
	Link
	host *pinnedHost
}

func (l pinnedLink) Host() HostMemory { return l.host }

func (h *pinnedHost) Info() Info                 { return Info{Name: "host"} }
func (h *pinnedHost) Memory() Memory             { return nil }
func (h *pinnedHost) NewStream() (Stream, error) { return nil, nil }

// newPinned makes an empty cache.
func newPinned(limit int64) (*pinnedColumns, *pinnedHost) {
	h := &pinnedHost{given: map[*byte]int{}}
	return newPinnedColumns(newMemory(h, 0, 1), limit), h
}

// takePinned takes the only column of a relation.
func takePinned(t *testing.T, l *pinnedColumns, p *pile) *pinnedColumn {
	t.Helper()
	chunks := []*runtime.Chunk{p.blocks[0].Cols[0]}
	shape, _ := narrowest(p.types[0], chunks)
	c, err := l.take(columnVersion{}, chunks, shape, p.Rows())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLockedColumnsAreKept keeps columns within the limit: the one that was used last
// stays, and none goes that a query reads.
func TestLockedColumnsAreKept(t *testing.T) {
	l, h := newPinned(2 * smallest)
	one, two, three := pileOf(t, kernel.I64, ints(1, 2)), pileOf(t, kernel.I64, ints(3)), pileOf(t, kernel.I64, ints(4))
	a, b := takePinned(t, l, one), takePinned(t, l, two)
	if a == nil || b == nil || takePinned(t, l, one) != a || a.readers != 2 {
		t.Fatal("columns are not kept")
	}
	if takePinned(t, l, three) != nil || h.used() > 2*smallest {
		t.Errorf("%d bytes are page-pinned beside columns with readers", h.used())
	}
	l.leave(b)
	if takePinned(t, l, three) == nil || h.used() != l.used.Load() || len(h.given) != 2 {
		t.Errorf("there is no room in place of a column without readers: %d bytes", h.used())
	}
	if takePinned(t, l, one) != a {
		t.Error("a column with readers was given up")
	}
	a.readers = 0
	h.err = ErrOutOfMemory
	if takePinned(t, l, two) != nil || h.used() != l.used.Load() {
		t.Error("there is a column where the machine has no memory for it")
	}
	h.err = ErrLost
	chunks := []*runtime.Chunk{two.blocks[0].Cols[0]}
	if _, err := l.take(columnVersion{}, chunks, cudagen.ColumnShape{Encoding: cudagen.EncU8}, 1); !errors.Is(err, ErrLost) {
		t.Errorf("error %v of a device that is lost", err)
	}
	goruntime.KeepAlive([]*pile{one, two, three})
}

// TestLockedColumnsOfTablesThatAreGone frees the column of a table that nobody holds.
func TestLockedColumnsOfTablesThatAreGone(t *testing.T) {
	l, h := newPinned(1 << 20)
	stays := pileOf(t, kernel.I64, ints(1))
	takePinned(t, l, stays)
	takePinned(t, l, pileOf(t, kernel.I64, ints(2)))
	for range 1000 {
		goruntime.GC()
		time.Sleep(time.Millisecond)
		l.mu.Lock()
		kept := len(h.given)
		l.mu.Unlock()
		if kept == 1 {
			goruntime.KeepAlive(stays)
			return
		}
	}
	t.Errorf("%d columns are kept", len(h.given))
}

// TestPiecesOfOddChunks cuts a relation whose blocks have any number of rows into
// chunks: what is kept in page-pinned memory is what is encoded chunk by chunk, and
// its bits are those of the rows.
func TestPiecesOfOddChunks(t *testing.T) {
	var blocks [][]value.Value
	var all []value.Value
	for _, n := range []int{1001, 5000, 3, 2500, 777} {
		rows := make([]value.Value, n)
		for i := range rows {
			if (len(all)+i)%7 > 0 {
				rows[i] = value.Value{Kind: value.Bool, B: (len(all)+i)%3 == 0}
			}
		}
		blocks, all = append(blocks, rows), append(all, rows...)
	}
	rel := pileOf(t, kernel.Bool, blocks...)
	chunks, err := loadChunks(context.Background(), rel, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	shape, base := narrowest(kernel.Bool, chunks[0])
	l, _ := newPinned(1 << 20)
	pinned, err := l.take(columnVersion{}, chunks[0], shape, rel.Rows())
	if err != nil || pinned == nil {
		t.Fatalf("%v, %v", pinned, err)
	}
	f := &stream{run: &run{module: &cudagen.Module{}}, cols: []streamColumn{{shape: shape, base: base, chunks: chunks[0]}}}
	f.cut([]rowRange{{0, rel.Rows()}}, 2*chunkRows)
	for i := range f.chunks {
		p := &f.chunks[i]
		f.cols[0].pinned = nil
		staged := chunkOf(context.Background(), t, f, p)
		f.cols[0].pinned = pinned
		ended, end := context.WithCancel(context.Background())
		end()
		w := chunkWriter{source: f, chunk: p}
		w.column(0)
		if err := w.encode(ended); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v of a query that has ended", err)
		}
		for again := range 2 {
			kept := chunkOf(context.Background(), t, f, p)
			for k := range 2 {
				comparePiece(t, all[p.first:p.first+p.rows], k == 1, kept.copies[k].Src, staged.copies[k].Src)
			}
			if again == 1 && kept.kept != kept.bytes {
				t.Errorf("chunk %d: %d of %d bytes were there", i, kept.kept, kept.bytes)
			}
		}
	}
}

// chunkOf encodes a chunk.
func chunkOf(ctx context.Context, t *testing.T, f *stream, p *rowRange) *chunkWriter {
	t.Helper()
	w := &chunkWriter{source: f, chunk: p, staged: bytes.Repeat([]byte{0xa5}, int(f.chunkBytes(p)))}
	w.column(0)
	if err := w.encode(ctx); err != nil {
		t.Fatal(err)
	}
	return w
}

// comparePiece compares bitmaps with the values of the rows, or with what of them is
// valid.
func comparePiece(t *testing.T, rows []value.Value, data bool, bitmaps ...[]byte) {
	t.Helper()
	for _, bits := range bitmaps {
		for i, v := range rows {
			want := v.Kind == value.Bool
			if data && !want {
				continue
			}
			if got := bits[i/8]>>(i%8)&1 == 1; got != (want && (!data || v.B)) {
				t.Fatalf("row %d, values %v: %v of %+v", i, data, got, v)
			}
		}
	}
}
