package result

import (
	"time"

	"github.com/cubeloom/cubeloom/runtime"
)

// Stats says what a query cost.
type Stats struct {
	Planning  time.Duration // parsing excluded: binding, rewriting, weaving, code generation
	Weaving   time.Duration // of that: weaving and code generation
	Execution time.Duration
	CopyBack  time.Duration // of that: copying the rows of the result from a device
	Peak      int64         // bytes held at one time, at most
	Kernels   []runtime.Metrics
	Places    []runtime.Place // where each kernel ran
	Seeks     bool            // other runs of the query may have other kernels: quicker ones are sought
}

// BytesWritten is what the kernels wrote: intermediates, hash tables, results.
func (s *Stats) BytesWritten() int64 {
	var n int64
	for i := range s.Kernels {
		n += s.Kernels[i].BytesWritten
	}
	return n
}

// Host is how the time of the kernels on a device splits.
func (s *Stats) Host() runtime.HostTimes {
	var t runtime.HostTimes
	for i := range s.Kernels {
		t.Add(&s.Kernels[i].Host)
	}
	return t
}
