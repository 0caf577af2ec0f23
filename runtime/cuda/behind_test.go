package cuda

import (
	"testing"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
)

// TestGiveWay holds that who copies behind lets a query have the device that waits for it, and goes on with
// what it had been allocating for.
func TestGiveWay(t *testing.T) {
	b := New(&fakeDevice{heap: newHeap(0)}, cpu.New(), Options{})
	defer b.Close()
	mine, others := runtime.NewAccount(0), runtime.NewAccount(0)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mem.own(mine)
	b.mem.peak = 7
	ran := false
	b.waiting.Add(1)
	go func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.waiting.Add(-1)
		b.mem.own(others)
		b.mem.peak, ran = 9, true
	}()
	b.giveWay()
	if !ran || b.mem.own(nil) != mine || b.mem.peak != 7 {
		t.Errorf("the query ran: %v; the peak is %d", ran, b.mem.peak)
	}
}
