//go:build !linux

package harness

import "time"

// Processor calls f, and returns how long that took.
func Processor(f func() error) (time.Duration, error) {
	began := time.Now()
	err := f()
	return time.Since(began), err
}
