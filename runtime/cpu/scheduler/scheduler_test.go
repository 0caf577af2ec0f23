package scheduler

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
)

// TestCoresAreShared has many queries take time slices: never more than there are
// cores compute, and all end.
func TestCoresAreShared(t *testing.T) {
	cores := New(2)
	var computing, most atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			progress := &runtime.Progress{}
			h, err := cores.Take(context.Background(), progress)
			if err != nil {
				t.Error(err)
				return
			}
			defer h.Give()
			for range 5 {
				n := computing.Add(1)
				for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
				}
				time.Sleep(2 * shortSlice)
				computing.Add(-1)
				if err := h.Share(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if most.Load() > 2 || cores.free != 2 {
		t.Errorf("%d computed at a time, and %d of 2 slices are free in the end", most.Load(), cores.free)
	}
}

// TestTurnsPutShortQueriesFirst has a short query overtake long ones that wait.
func TestTurnsPutShortQueriesFirst(t *testing.T) {
	cores := New(1)
	running, err := cores.Take(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan string, 3)
	enter := func(name string, worked time.Duration) {
		progress := &runtime.Progress{}
		progress.Worked.Store(int64(worked))
		waiting := cores.waiting[shortQuery].Load() + cores.waiting[longQuery].Load()
		go func() {
			h, err := cores.Take(context.Background(), progress)
			if err != nil {
				t.Error(err)
			}
			order <- name
			h.Give()
		}()
		for cores.waiting[shortQuery].Load()+cores.waiting[longQuery].Load() == waiting {
			time.Sleep(time.Millisecond)
		}
	}
	enter("long", time.Second)
	enter("longer", time.Minute)
	enter("short", 0)
	running.Give()
	for _, want := range []string{"short", "long", "longer"} {
		if got := <-order; got != want {
			t.Errorf("%s came, want %s", got, want)
		}
	}
}

// TestWaitEndsWithItsContext has a query give up while it waits: the slices of
// others are not lost.
func TestWaitEndsWithItsContext(t *testing.T) {
	cores := New(1)
	running, err := cores.Take(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	waiting, err := cores.Take(ctx, nil)
	if err == nil {
		t.Error("a slice without a core")
	}
	waiting.Give()
	running.Give()
	if cores.free != 1 || cores.waiting[shortQuery].Load() != 0 {
		t.Errorf("%d slices are free, %d wait", cores.free, cores.waiting[shortQuery].Load())
	}
}

// TestSlicesAreLent has another worker compute while the one that has the only slice waits
// for something else, and none beside it afterwards.
func TestSlicesAreLent(t *testing.T) {
	cores := New(1)
	take := func() *TimeSlice {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		h, err := cores.Take(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	waiting := take()
	back := cores.Lend()
	other := take()
	back()
	other.Give()
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := cores.Take(short, nil); err == nil {
		t.Fatal("two compute on one core, since a slice was lent")
	}
	waiting.Give()
	take().Give()
	back = cores.Lend() // by one without a slice, while it is free
	take().Give()
	back()
	take().Give()
	if cores.free != 1 || cores.owed != 0 {
		t.Errorf("%d of one slice are free, %d are owed", cores.free, cores.owed)
	}
}
