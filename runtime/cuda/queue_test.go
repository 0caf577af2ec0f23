package cuda

import (
	"context"
	"errors"
	"testing"

	"github.com/cubeloom/cubeloom/runtime"
)

// TestStreamsAreWaitedFor has somebody wait for a stream that others have, until its context
// ends or a stream is there.
func TestStreamsAreWaitedFor(t *testing.T) {
	m := newMemory(newHeap(0), 0, 1)
	if err := m.hold(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("the query is stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	waiting := make(chan error)
	unheld(m, func() {
		go func() { waiting <- m.hold(ctx, nil) }()
		stop(stopped)
		if err := <-waiting; !errors.Is(err, stopped) {
			t.Errorf("%v", err)
		}
		go func() {
			err := m.hold(t.Context(), nil)
			m.leave()
			waiting <- err
		}()
	})
	m.leave()
	if err := <-waiting; err != nil || m.active != 0 {
		t.Errorf("%v, %d streams are held", err, m.active)
	}
}

// TestStreamsOfFewAreUsedAgain has somebody who is alone have the same stream each time, of which all
// that it needs is there.
func TestStreamsOfFewAreUsedAgain(t *testing.T) {
	m := newMemory(newHeap(0), 0, 3)
	var last *queue
	for i := range 5 {
		if err := m.hold(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if i > 0 && m.at != last {
			t.Error("another stream is taken")
		}
		last = m.at
		m.leave()
	}
}

// TestFreedWhileWorkIsUnderWay has only the stream itself use what was freed while it may still
// work on it, until it has been waited for.
func TestFreedWhileWorkIsUnderWay(t *testing.T) {
	h := newHeap(0)
	m := heldMemory(t, h, 0)
	first, other := m.at, runtime.NewAccount(0)
	busy := m.newBuffers()
	p, err := busy.zeroed(1 << 12)
	if err != nil {
		t.Fatal(err)
	}
	busy.release()
	unheld(m, func() {
		if err := m.hold(t.Context(), nil); err != nil {
			t.Error(err)
			return
		}
		defer m.leave()
		m.own(other)
		if q, err := m.newBuffers().alloc(1 << 12); err != nil || q == p {
			t.Errorf("%#x is given to another stream, %v", q, err)
		}
	})
	again := m.newBuffers()
	if q, err := again.alloc(1 << 12); err != nil || q != p || m.ofOthers(other) != 0 || m.ofOthers(nil) != 1<<12 {
		t.Errorf("%#x is not given to the same stream again, but %#x, %v", p, q, err)
	}
	again.release()
	if err := m.settle(); err != nil || first.busy() || len(first.freed) > 0 {
		t.Errorf("%+v, %v", first, err)
	}
	if used := m.used(); used != 1<<12 {
		t.Errorf("%d bytes are in use", used)
	}
}
