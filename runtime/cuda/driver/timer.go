package driver

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// event returns an event that is not in use.
func (t *timers) event() eventHandle {
	if n := len(t.free); n > 0 {
		e := t.free[n-1]
		t.free = t.free[:n-1]
		return e
	}
	var e eventHandle
	t.stream.device.check("cuEventCreate", t.stream.device.driver.eventCreate(&e, 0))
	return e
}

// around measures what start starts.
func (t *timers) around(to *cuda.Timer, start func()) {
	m := measured{to: to, start: t.event(), end: t.event()}
	d := t.stream.device
	open := t.barrier.hold()
	defer open()
	d.check("cuEventRecord", d.driver.eventRecord(m.start, t.stream.handle))
	start()
	t.open = append(t.open, m)
	d.check("cuEventRecord", d.driver.eventRecord(m.end, t.stream.handle))
}

// read sets the timers to the times of launches that have ended.
func (t *timers) read() {
	for _, m := range t.open {
		var milliseconds float32
		t.stream.device.check("cuEventElapsedTime", t.stream.device.driver.eventElapsed(&milliseconds, m.start, m.end))
		m.to.Nanoseconds = int64(math.Round(float64(milliseconds) * 1e6))
		t.free = append(t.free, m.start, m.end)
	}
	t.open = t.open[:0]
}

// close frees the events and the barrier.
func (t *timers) close() {
	for _, m := range t.open {
		t.free = append(t.free, m.start, m.end)
	}
	for _, e := range t.free {
		t.stream.device.driver.eventDestroy(e)
	}
	t.barrier.close()
}
