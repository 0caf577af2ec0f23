package several

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// noteTime remembers how long a kernel took on some devices. What makes a table may run on behind its query.
func (c *cuts) noteTime(f *kernel.Func, devices int, took time.Duration) {
	if _, builds := f.Sink.(*kernel.Build); builds {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.times) >= maxCuts {
		clear(c.times)
	}
	of := timed{c.key(f), devices}
	t := c.times[of]
	if t.runs++; t.runs == 1 || took < t.least {
		t.least = took
	}
	c.times[of] = t
}

// time is the least time that a kernel took on some devices, in nanoseconds; 0 until it has run twice there, since
// the first run compiles it and copies its columns.
func (c *cuts) time(f *kernel.Func, devices int) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.times[timed{c.key(f), devices}]; t.runs > 1 {
		return float64(t.least)
	}
	return 0
}
