package cuda

import (
	"context"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// TestMemoryOfAQuery counts what a query holds at one time and no more: not what was
// given back, and not the columns that are kept for later.
func TestMemoryOfAQuery(t *testing.T) {
	h := newHeap(0)
	q := heldQueue(t, h, 0)
	m, query := q.mem, runtime.NewAccount(0)
	q.own(query)
	first := m.newBuffers()
	if _, err := first.alloc(q, 4096); err != nil {
		t.Fatal(err)
	}
	cols := newColumns(h, m)
	p := pileOf(t, kernel.I64, ints(1, 2, 3))
	if _, err := cols.column(context.Background(), q, &upload{typ: kernel.I64, chunks: []*runtime.Chunk{p.blocks[0].Cols[0]}}); err != nil {
		t.Fatal(err)
	}
	first.release(q)
	if _, err := m.newBuffers().alloc(q, 1024); err != nil {
		t.Fatal(err)
	}
	if held := query.HoldOnDevice(0); held != 1024 || q.peak != 4096 {
		t.Errorf("%d bytes are held, %d at most", held, q.peak)
	}
	if q.own(nil) != query || m.used() <= 1024 || m.heldByOthers(nil) != 1024 {
		t.Errorf("%d bytes are in use, %d have an owner", m.used(), m.heldByOthers(nil))
	}
}
