package server

import (
	"sync/atomic"
	"time"
)

// bounds are the upper ends of the histogram of statement times, in seconds.
var bounds = []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300}

// metrics counts what the server did. Fields are used atomically.
type metrics struct {
	connections, refused atomic.Int64 // logins that succeeded and failed
	evicted              atomic.Int64 // connections that made room for others before they logged in
	statements, errors   atomic.Int64
	rows                 atomic.Int64
	nanoseconds          atomic.Int64
	buckets              [13]atomic.Int64 // by bounds, and the rest
}

// statement counts a statement that has run.
func (m *metrics) statement(took time.Duration, err error) {
	m.statements.Add(1)
	if err != nil {
		m.errors.Add(1)
	}
	m.nanoseconds.Add(int64(took))
	i := 0
	for i < len(bounds) && took.Seconds() > bounds[i] {
		i++
	}
	m.buckets[i].Add(1)
}
