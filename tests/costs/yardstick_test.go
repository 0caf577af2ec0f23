//go:build costs

package costs

import (
	"sync"
	"time"
)

// yardstick measures how late a timer's goroutine runs: how long the machine makes those
// wait who are ready.
type yardstick struct {
	mu   sync.Mutex
	last time.Time // when the timer last fired, or was asked
	late time.Duration
}

// newYardstick starts the timer.
func newYardstick() *yardstick {
	y := &yardstick{last: time.Now()}
	go func() {
		for {
			time.Sleep(tickEvery)
			y.mu.Lock()
			y.look()
			y.mu.Unlock()
		}
	}()
	return y
}

// look notes how late the timer is. Its caller holds mu.
func (y *yardstick) look() {
	now := time.Now()
	y.late = max(y.late, now.Sub(y.last)-tickEvery)
	y.last = now
}

// restart forgets what has been measured.
func (y *yardstick) restart() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.look()
	y.late = 0
}

// most is by how much the timer was late at the most since restart.
func (y *yardstick) most() time.Duration {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.look()
	return y.late
}
