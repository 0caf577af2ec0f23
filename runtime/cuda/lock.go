package cuda

import (
	goruntime "runtime"
	"sync/atomic"
)

// lock is a mutual exclusion that a goroutine which runs may take before those that wait. A query takes
// the lock of its backend some twenty times, a few microseconds each: with sync.Mutex, which hands itself to
// the one that has waited longest, each time is a change of goroutines, and 32 clients of one NVIDIA H200
// spent half of the time on these (docs/measurements/2026-11-23-clients.md). Those that wait try
// again in any order.
type lock struct {
	taken   atomic.Bool
	waiting atomic.Int32
	woken   chan struct{} // of one place: one of those that wait tries again
}

// tries is how often a goroutine tries to take the lock before it waits.
const tries = 64

// Lock waits until the lock is free, and takes it.
func (l *lock) Lock() {
	for i := range tries {
		if !l.taken.Load() && l.taken.CompareAndSwap(false, true) {
			return
		}
		if i%8 == 7 {
			goruntime.Gosched()
		}
	}
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	for !l.taken.CompareAndSwap(false, true) {
		<-l.woken
	}
}

// Unlock frees the lock, and has one of those that wait try again.
func (l *lock) Unlock() {
	if !l.taken.Swap(false) {
		panic("the lock is not taken")
	}
	if l.waiting.Load() == 0 {
		return
	}
	select {
	case l.woken <- struct{}{}:
	default: // one is woken already, and tries when it runs
	}
}
