package driver

import (
	"math"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// event returns an event that is not in use.
func (t *timers) event() (eventHandle, error) {
	if n := len(t.free); n > 0 {
		e := t.free[n-1]
		t.free = t.free[:n-1]
		return e, nil
	}
	var e eventHandle
	err := t.stream.device.check("cuEventCreate", t.stream.device.driver.eventCreate(&e, 0))
	return e, err
}

// around measures what start starts.
func (t *timers) around(to *cuda.Timer, start func() error) error {
	m := measured{to: to}
	var err error
	if m.start, err = t.event(); err != nil {
		return err
	}
	if m.end, err = t.event(); err != nil {
		return err
	}
	d := t.stream.device
	open, err := t.barrier.hold()
	if err != nil {
		return err
	}
	defer open()
	if err := d.check("cuEventRecord", d.driver.eventRecord(m.start, t.stream.handle)); err != nil {
		return err
	}
	if err := start(); err != nil {
		return err
	}
	t.open = append(t.open, m)
	return d.check("cuEventRecord", d.driver.eventRecord(m.end, t.stream.handle))
}

// read sets the timers to the times of launches that have ended.
func (t *timers) read() error {
	for _, m := range t.open {
		var milliseconds float32
		err := t.stream.device.check("cuEventElapsedTime", t.stream.device.driver.eventElapsed(&milliseconds, m.start, m.end))
		if err != nil {
			return err
		}
		m.to.Nanoseconds = int64(math.Round(float64(milliseconds) * 1e6))
		t.free = append(t.free, m.start, m.end)
	}
	t.open = t.open[:0]
	return nil
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
