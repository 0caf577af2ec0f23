package cpu

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
)

// TestTurnsShareCores has many queries take turns: never more than there are
// cores compute, and all end.
func TestTurnsShareCores(t *testing.T) {
	turns := newTurns(2)
	var computing, most atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			progress := &runtime.Progress{}
			h, err := turns.take(context.Background(), progress)
			if err != nil {
				t.Error(err)
				return
			}
			defer h.give()
			for range 5 {
				n := computing.Add(1)
				for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
				}
				time.Sleep(2 * shortTurn)
				computing.Add(-1)
				if err := h.share(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if most.Load() > 2 || turns.free != 2 {
		t.Errorf("%d computed at a time, and %d of 2 turns are free in the end", most.Load(), turns.free)
	}
}

// TestTurnsPutShortQueriesFirst has a short query overtake long ones that wait.
func TestTurnsPutShortQueriesFirst(t *testing.T) {
	turns := newTurns(1)
	running, err := turns.take(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	order := make(chan string, 3)
	enter := func(name string, worked time.Duration) {
		progress := &runtime.Progress{}
		progress.Worked.Store(int64(worked))
		waiting := turns.waiting[shortQuery].Load() + turns.waiting[longQuery].Load()
		go func() {
			h, err := turns.take(context.Background(), progress)
			if err != nil {
				t.Error(err)
			}
			order <- name
			h.give()
		}()
		for turns.waiting[shortQuery].Load()+turns.waiting[longQuery].Load() == waiting {
			time.Sleep(time.Millisecond)
		}
	}
	enter("long", time.Second)
	enter("longer", time.Minute)
	enter("short", 0)
	running.give()
	for _, want := range []string{"short", "long", "longer"} {
		if got := <-order; got != want {
			t.Errorf("%s came, want %s", got, want)
		}
	}
}

// TestTurnsEndWithTheirContext has a query give up while it waits: the turns of
// others are not lost.
func TestTurnsEndWithTheirContext(t *testing.T) {
	turns := newTurns(1)
	running, err := turns.take(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	waiting, err := turns.take(ctx, nil)
	if err == nil {
		t.Error("a turn without a core")
	}
	waiting.give()
	running.give()
	if turns.free != 1 || turns.waiting[shortQuery].Load() != 0 {
		t.Errorf("%d turns are free, %d wait", turns.free, turns.waiting[shortQuery].Load())
	}
}

// TestTurnsAreLent has another worker compute while the one that has the only turn waits
// for something else, and none beside it afterwards.
func TestTurnsAreLent(t *testing.T) {
	turns := newTurns(1)
	take := func() *turn {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		h, err := turns.take(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	waiting := take()
	back := turns.lend()
	other := take()
	back()
	other.give()
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := turns.take(short, nil); err == nil {
		t.Fatal("two compute on one core, since a turn was lent")
	}
	waiting.give()
	take().give()
	back = turns.lend() // by one without a turn, while it is free
	take().give()
	back()
	take().give()
	if turns.free != 1 || turns.owed != 0 {
		t.Errorf("%d of one turn are free, %d are owed", turns.free, turns.owed)
	}
}
