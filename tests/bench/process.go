package main

import (
	"os"

	"github.com/cubeloom/cubeloom/tests/bench/process"
)

// A growth says by how much the memory of the process that is resident grows.
type growth struct{ before int64 }

// startGrowth has the kernel forget the peak up to now.
func startGrowth() (growth, error) {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return growth{}, err
	}
	before, err := process.StatusBytes("VmRSS")
	return growth{before}, err
}

// peak is the most bytes by which the process has grown since the start.
func (g growth) peak() (int64, error) {
	most, err := process.StatusBytes("VmHWM")
	return max(most-g.before, 0), err
}
