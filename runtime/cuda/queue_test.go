package cuda

import (
	"context"
	"errors"
	goruntime "runtime"
	"testing"
	"time"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// TestStreamsAreWaitedFor has somebody wait for a stream that others have, until its context
// ends or a stream is there.
func TestStreamsAreWaitedFor(t *testing.T) {
	q := heldQueue(t, newHeap(0), 0)
	m := q.mem
	last, err := m.hold(t.Context(), nil) // of two
	if err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("the query is stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	waiting := make(chan error)
	go func() {
		_, err := m.hold(ctx, nil)
		waiting <- err
	}()
	stop(stopped)
	if err := <-waiting; !errors.Is(err, stopped) {
		t.Errorf("%v", err)
	}
	go func() {
		q, err := m.hold(t.Context(), nil)
		if err == nil {
			q.leave()
		}
		waiting <- err
	}()
	last.leave()
	if err := <-waiting; err != nil || m.active.Load() != 1 {
		t.Errorf("%v, %d streams are held", err, m.active.Load())
	}
}

// TestStreamsOfFewAreUsedAgain has somebody who is alone have the same stream each time, of which all
// that it needs is there.
func TestStreamsOfFewAreUsedAgain(t *testing.T) {
	m := newMemory(newHeap(0), 0, 3)
	var last *queue
	for i := range 5 {
		q, err := m.hold(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && q != last {
			t.Error("another stream is taken")
		}
		last = q
		q.leave()
	}
}

// TestFreedWhileWorkIsUnderWay has only the stream itself use what was freed while it may still
// work on it, until it has been waited for.
func TestFreedWhileWorkIsUnderWay(t *testing.T) {
	first, account := heldQueue(t, newHeap(0), 0), runtime.NewAccount(0)
	m := first.mem
	busy := m.newBuffers()
	p, err := busy.zeroed(first, 1<<12)
	if err != nil {
		t.Fatal(err)
	}
	busy.release(first)
	other, err := m.hold(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.leave()
	other.own(account)
	if q, err := m.newBuffers().alloc(other, 1<<12); err != nil || q == p {
		t.Errorf("%#x is given to another stream, %v", q, err)
	}
	again := m.newBuffers()
	if q, err := again.alloc(first, 1<<12); err != nil || q != p || m.heldByOthers(account) != 0 || m.heldByOthers(nil) != 1<<12 {
		t.Errorf("%#x is not given to the same stream again, but %#x, %v", p, q, err)
	}
	again.release(first)
	if err := first.settle(); err != nil || first.busy() || len(first.freed) > 0 {
		t.Errorf("%+v, %v", first, err)
	}
	if used := m.used(); used != 1<<12 {
		t.Errorf("%d bytes are in use", used)
	}
}

// TestResultsOfFailedRuns has nobody but its stream use the memory of what a run has made that has failed while
// its kernels may still write there.
func TestResultsOfFailedRuns(t *testing.T) {
	q := heldQueue(t, newHeap(0), 0)
	m, account := q.mem, runtime.NewAccount(0)
	other, err := m.hold(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.leave()
	made := func() (*relation, Ptr) {
		col := column{shape: cudagen.ColumnShape{Type: kernel.I64, Encoding: cudagen.EncI64, Nullable: true}, held: m.newBuffers()}
		if err := col.reserve(q, 1<<12); err != nil {
			t.Fatal(err)
		}
		return newRelation(t.Context(), m, account, 1<<12, []column{col}), col.data
	}
	one, first := made()
	two, second := made()
	discard(q, one)
	discard(q, runtime.Results{two})
	p, size, err := other.alloc(8 << 12)
	if err != nil || p == first || p == second || m.used() != size {
		t.Errorf("%#x is given to another stream beside %#x and %#x, %d bytes are in use, %v", p, first, second, m.used(), err)
	}
	if err := q.settle(); err != nil {
		t.Fatal(err)
	}
	if p, _, err = other.alloc(8 << 12); err != nil || p != first && p != second {
		t.Errorf("%#x is not one of %#x and %#x, which nobody uses any more, %v", p, first, second, err)
	}
}

// TestGivenUpWhileItIsFetched has a run give up what it has made while somebody waits for its stream to copy that to
// the host.
func TestGivenUpWhileItIsFetched(t *testing.T) {
	m := newMemory(newHeap(0), 0, 1)
	run, err := m.hold(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	col := column{shape: cudagen.ColumnShape{Type: kernel.I64, Encoding: cudagen.EncI64}, held: m.newBuffers()}
	if err := col.reserve(run, 1<<12); err != nil {
		t.Fatal(err)
	}
	rel := newRelation(t.Context(), m, runtime.NewAccount(0), 1<<12, []column{col})
	fetched, given := make(chan error, 1), make(chan struct{})
	go func() { fetched <- rel.Fetch(t.Context(), []int{0}) }()
	for range 100 {
		goruntime.Gosched() // the fetch waits for a stream, or will
	}
	go func() {
		discard(run, rel)
		run.leave()
		close(given)
	}()
	select {
	case <-given:
	case <-time.After(10 * time.Second):
		t.Fatal("a run waits for who waits for its stream")
	}
	if err := <-fetched; err != nil {
		t.Error(err)
	}
	if used := m.used(); used != 0 || m.active.Load() != 0 {
		t.Errorf("%d bytes are in use, %d streams are held", used, m.active.Load())
	}
}
