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
	m := heldMemory(t, h, 0)
	query := runtime.NewAccount(0)
	m.own(query)
	first := m.newBuffers()
	if _, err := first.alloc(4096); err != nil {
		t.Fatal(err)
	}
	cols := newColumns(h, m)
	p := pileOf(t, kernel.I64, ints(1, 2, 3))
	if _, err := cols.column(context.Background(), &upload{typ: kernel.I64, chunks: []*runtime.Chunk{p.blocks[0].Cols[0]}}); err != nil {
		t.Fatal(err)
	}
	first.release()
	if _, err := m.newBuffers().alloc(1024); err != nil {
		t.Fatal(err)
	}
	if held := query.HoldOnDevice(0); held != 1024 || m.at.peak != 4096 {
		t.Errorf("%d bytes are held, %d at most", held, m.at.peak)
	}
	if m.own(nil) != query || m.used() <= 1024 || len(m.owners) != 1 {
		t.Errorf("%d bytes are in use, %d buffers have an owner", m.used(), len(m.owners))
	}
}
