package cuda

import (
	"sync"
	"testing"
)

// TestLock has goroutines count under the lock.
func TestLock(t *testing.T) {
	const goroutines, times = 32, 2000
	l := lock{woken: make(chan struct{}, 1)}
	var all sync.WaitGroup
	n := 0
	for range goroutines {
		all.Go(func() {
			for range times {
				l.Lock()
				n++
				l.Unlock()
			}
		})
	}
	all.Wait()
	if n != goroutines*times {
		t.Errorf("%d, not %d", n, goroutines*times)
	}
}
