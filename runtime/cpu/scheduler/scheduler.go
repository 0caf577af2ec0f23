// Package scheduler shares the cores among the queries, a time slice at a time.
package scheduler

import (
	"context"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cubeloom/cubeloom/runtime"
)

// Scheduler shares the cores among the queries that run: so many workers compute at a
// time, each in a time slice, the others wait. Those of queries that have computed little come first,
// the others one after the other, so that a short query does not wait for long
// ones. Safe for concurrent use.
type Scheduler struct {
	mu      sync.Mutex
	free    int
	owed    int                // slices that were lent, which the next worker that ends one gives back
	passed  int                // slices that were handed on
	queues  [2][]chan struct{} // of short and of long queries; closed when the slice begins
	waiting [2]atomic.Int32    // the lengths of queues
}

// The queues.
const (
	shortQuery = iota
	longQuery
)

// A query is short until its workers have computed for shortWork. A worker of a
// long one goes on for longSlice while other long ones wait, and for shortSlice
// while short ones do.
const (
	shortWork  = 10 * time.Millisecond
	shortSlice = time.Millisecond
	longSlice  = 5 * time.Millisecond
)

// New lets so many workers compute at a time.
func New(cores int) *Scheduler { return &Scheduler{free: cores} }

// TimeSlice is one worker's right to compute. One goroutine uses it.
type TimeSlice struct {
	of     *Scheduler
	worked *atomic.Int64 // of the query, nanoseconds; nil: nobody counts
	held   bool
	began  time.Time // where held
	rested time.Time // when other goroutines of the process last had the core
}

// Take waits for a time slice of a query; give or an error ends it.
func (c *Scheduler) Take(ctx context.Context, progress *runtime.Progress) (*TimeSlice, error) {
	h := &TimeSlice{of: c}
	if progress != nil {
		h.worked = &progress.Worked
	}
	return h, h.wait(ctx)
}

// queue says in which queue the query stands.
func (s *TimeSlice) queue() int {
	if s.worked != nil && s.worked.Load() >= int64(shortWork) {
		return longQuery
	}
	return shortQuery
}

// wait waits for the slice.
func (s *TimeSlice) wait(ctx context.Context) error {
	t, queue := s.of, s.queue()
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		s.start()
		return nil
	}
	granted := make(chan struct{})
	t.queues[queue] = append(t.queues[queue], granted)
	t.waiting[queue].Add(1)
	t.mu.Unlock()
	select {
	case <-granted:
		s.start()
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.queues[queue], granted); i >= 0 {
		t.queues[queue] = slices.Delete(t.queues[queue], i, i+1)
		t.waiting[queue].Add(-1)
	} else {
		t.pass() // it came together with the end of ctx
	}
	return context.Cause(ctx)
}

// start begins the slice.
func (s *TimeSlice) start() {
	s.held, s.began = true, time.Now()
	s.rested = s.began
}

// longShare is how many slices are handed on for each one that a long query has
// before short ones, so that it does not wait for ever.
const longShare = 4

// Lend hands a slice on for as long as a worker that has one does not compute, since it
// waits for something else than the queries that run. After back, which ends that, it
// computes again at once, and the next slice that ends is not handed on.
func (c *Scheduler) Lend() (back func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pass()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.free > 0 {
			c.free--
		} else {
			c.owed++
		}
	}
}

// pass hands a slice to the worker that is to have it next.
func (c *Scheduler) pass() {
	if c.owed > 0 {
		c.owed--
		return
	}
	c.passed++
	for i := range c.queues {
		queue := i
		if c.passed%longShare == 0 {
			queue = longQuery - i
		}
		if q := c.queues[queue]; len(q) > 0 {
			close(q[0])
			c.queues[queue] = q[1:]
			c.waiting[queue].Add(-1)
			return
		}
	}
	c.free++
}

// Give ends the slice, where it has not ended.
func (s *TimeSlice) Give() {
	if !s.held {
		return
	}
	s.held = false
	if s.worked != nil {
		s.worked.Add(int64(time.Since(s.began)))
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.pass()
}

// Share lets others have a slice when this one has been long. With an error
// the slice has ended. Outside a slice it does nothing.
func (s *TimeSlice) Share(ctx context.Context) error {
	if s == nil || !s.held {
		return nil
	}
	now := time.Now()
	if now.Sub(s.rested) < shortSlice {
		return nil
	}
	s.rested = now
	limit := longSlice
	if s.of.waiting[shortQuery].Load() > 0 {
		limit = shortSlice
	}
	if s.of.waiting[shortQuery].Load()+s.of.waiting[longQuery].Load() == 0 || now.Sub(s.began) < limit {
		// Whoever reads, plans and sends for other sessions waits for a core too,
		// and the scheduler alone would take it from here only after 10 ms.
		goruntime.Gosched()
		return nil
	}
	s.Give()
	return s.wait(ctx)
}
