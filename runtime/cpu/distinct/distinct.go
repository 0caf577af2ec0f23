// Package distinct makes the accumulators of an aggregation, those with DISTINCT by the
// strategy that was chosen. One that is split into several kernels has none of these left.
package distinct

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/distinct/set"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// New makes the accumulator of a spec.
func New(s *accumulator.Spec, mem *exec.Memory) accumulator.Accumulator {
	if s.Dist {
		return set.New(s, mem)
	}
	return accumulator.New(s, mem)
}
