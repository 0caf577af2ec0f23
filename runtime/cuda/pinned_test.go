package cuda

import (
	"bytes"
	"context"
	"errors"
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// lockedHost is page-locked memory for tests, on a device that has nothing else.
type lockedHost struct {
	Device
	given map[*byte]int
	err   error // that an allocation gives
}

func (h *lockedHost) Link() Link { return lockedLink{host: h} }

func (h *lockedHost) Alloc(n int64) ([]byte, error) {
	if h.err != nil {
		return nil, h.err
	}
	b := bytes.Repeat([]byte{0xa5}, int(n))
	h.given[&b[0]] = len(b)
	return b, nil
}

func (h *lockedHost) Free(b []byte) { delete(h.given, &b[0]) }

func (h *lockedHost) used() (n int64) {
	for _, size := range h.given {
		n += int64(size)
	}
	return n
}

type lockedLink struct {
	Link
	host *lockedHost
}

func (l lockedLink) Host() HostMemory { return l.host }

// newLocked makes an empty cache.
func newLocked(limit int64) (*pinnedColumns, *lockedHost, *sync.Mutex) {
	h, mu := &lockedHost{given: map[*byte]int{}}, &sync.Mutex{}
	return newPinnedColumns(h, limit, mu), h, mu
}

// takeLocked takes the only column of a relation.
func takeLocked(t *testing.T, l *pinnedColumns, p *pile) *pinnedColumn {
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
	l, h, _ := newLocked(2 * smallest)
	one, two, three := pileOf(t, kernel.I64, ints(1, 2)), pileOf(t, kernel.I64, ints(3)), pileOf(t, kernel.I64, ints(4))
	a, b := takeLocked(t, l, one), takeLocked(t, l, two)
	if a == nil || b == nil || takeLocked(t, l, one) != a || a.readers != 2 {
		t.Fatal("columns are not kept")
	}
	if takeLocked(t, l, three) != nil || h.used() > 2*smallest {
		t.Errorf("%d bytes are page-locked beside columns with readers", h.used())
	}
	b.readers--
	if takeLocked(t, l, three) == nil || h.used() != l.taken.Load() || len(h.given) != 2 {
		t.Errorf("there is no room in place of a column without readers: %d bytes", h.used())
	}
	if takeLocked(t, l, one) != a {
		t.Error("a column with readers was given up")
	}
	a.readers = 0
	h.err = ErrOutOfMemory
	if takeLocked(t, l, two) != nil || h.used() != l.taken.Load() {
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
	l, h, mu := newLocked(1 << 20)
	stays := pileOf(t, kernel.I64, ints(1))
	takeLocked(t, l, stays)
	takeLocked(t, l, pileOf(t, kernel.I64, ints(2)))
	for range 1000 {
		goruntime.GC()
		mu.Lock()
		left := len(h.given)
		mu.Unlock()
		if left == 1 {
			goruntime.KeepAlive(stays)
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d columns are kept", len(h.given))
}

// TestPiecesOfOddChunks cuts a relation whose blocks have any number of rows into
// pieces: what is kept in page-locked memory is what is encoded piece by piece, and
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
	l, _, _ := newLocked(1 << 20)
	locked, err := l.take(columnVersion{}, chunks[0], shape, rel.Rows())
	if err != nil || locked == nil {
		t.Fatalf("%v, %v", locked, err)
	}
	f := &stream{run: &run{module: &cudagen.Module{}}, cols: []streamColumn{{shape: shape, base: base, chunks: chunks[0]}}}
	f.cut(2 * pieceRows)
	for i := range f.pieces {
		p := &f.pieces[i]
		f.cols[0].pinned = nil
		staged := pieceOf(context.Background(), t, f, p)
		f.cols[0].pinned = locked
		ended, end := context.WithCancel(context.Background())
		end()
		w := pieceWriter{source: f, piece: p}
		w.column(0)
		if err := w.encode(ended); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v of a query that has ended", err)
		}
		for again := range 2 {
			kept := pieceOf(context.Background(), t, f, p)
			for k := range 2 {
				comparePiece(t, all[p.first:p.first+p.rows], k == 1, kept.copies[k].Src, staged.copies[k].Src)
			}
			if again == 1 && kept.kept != kept.bytes {
				t.Errorf("piece %d: %d of %d bytes were there", i, kept.kept, kept.bytes)
			}
		}
	}
}

// pieceOf encodes a piece.
func pieceOf(ctx context.Context, t *testing.T, f *stream, p *streamPiece) *pieceWriter {
	t.Helper()
	w := &pieceWriter{source: f, piece: p, staged: bytes.Repeat([]byte{0xa5}, int(f.pieceBytes(p)))}
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
