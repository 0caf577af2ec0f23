package cuda

import (
	"context"
	"sync/atomic"
	"testing"
)

// TestLane holds that a lane does tasks in their order, some at a time, takes no more than may wait, and
// forgets those that wait when it is closed.
func TestLane(t *testing.T) {
	l := newLane(1, 2)
	gate, begun := make(chan struct{}), make(chan struct{})
	var done []int
	l.add(func(context.Context) {
		close(begun)
		<-gate
	})
	<-begun
	finished := make(chan struct{})
	for i, want := range []bool{true, true, false} {
		added := l.add(func(context.Context) {
			if done = append(done, i); i == 1 {
				close(finished)
			}
		})
		if added != want {
			t.Errorf("task %d is added: %v", i, added)
		}
	}
	close(gate)
	<-finished
	if len(done) != 2 || done[0] != 0 || done[1] != 1 {
		t.Errorf("the order of the tasks is %v", done)
	}

	var forgotten atomic.Bool
	running := make(chan struct{})
	l.add(func(ctx context.Context) {
		close(running)
		<-ctx.Done()
	})
	<-running
	l.add(func(context.Context) { forgotten.Store(true) })
	l.close()
	if forgotten.Load() || l.add(func(context.Context) {}) {
		t.Error("a closed lane does tasks")
	}
}
