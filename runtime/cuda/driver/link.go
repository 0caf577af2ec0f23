package driver

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// link copies on a stream of its own, beside the kernels.
type link struct {
	device *Device
	stream streamHandle
	slots  [cuda.Slots]slot
	busy   time.Duration
}

// slot is page-locked memory and what is known of the copies from it.
type slot struct {
	bytes       []byte
	begin, sent eventHandle // around the last copy
	left        eventHandle // behind the last kernel that reads what was copied
	travels     bool        // the last copy has not been waited for
}

// open makes the stream and the events; memory comes when it is asked for.
func (l *link) open(d *Device) error {
	l.device = d
	if err := d.check("cuStreamCreate", d.driver.streamCreate(&l.stream, streamNonBlocking)); err != nil {
		return err
	}
	for i := range l.slots {
		s := &l.slots[i]
		for _, e := range []*eventHandle{&s.begin, &s.sent, &s.left} {
			if err := d.check("cuEventCreate", d.driver.eventCreate(e, 0)); err != nil {
				return err
			}
		}
	}
	return nil
}

// close gives everything back.
func (l *link) close() {
	for i := range l.slots {
		s := &l.slots[i]
		if s.bytes != nil {
			l.device.driver.hostFree(unsafe.Pointer(unsafe.SliceData(s.bytes)))
		}
		for _, e := range []eventHandle{s.begin, s.sent, s.left} {
			if e != 0 {
				l.device.driver.eventDestroy(e)
			}
		}
	}
	if l.stream != 0 {
		l.device.driver.streamDestroy(l.stream)
	}
}

// Stage implements cuda.Link.
func (l *link) Stage(at int, n int64) ([]byte, error) {
	s := &l.slots[at]
	err := l.device.with(func() error {
		if err := l.arrived(s); err != nil || int64(len(s.bytes)) >= n {
			return err
		}
		return l.grow(s, n)
	})
	if err != nil {
		return nil, err
	}
	return s.bytes[:n], nil
}

// arrived waits for the last copy from a slot and counts its time.
func (l *link) arrived(s *slot) error {
	if !s.travels {
		return nil
	}
	if err := l.device.check("cuEventSynchronize", l.device.driver.eventSynchronize(s.sent)); err != nil {
		return err
	}
	var milliseconds float32
	if err := l.device.check("cuEventElapsedTime", l.device.driver.eventElapsed(&milliseconds, s.begin, s.sent)); err != nil {
		return err
	}
	l.busy += time.Duration(float64(milliseconds) * float64(time.Millisecond))
	s.travels = false
	return nil
}

// grow gives a slot page-locked memory of at least n bytes.
func (l *link) grow(s *slot, n int64) error {
	if s.bytes != nil {
		old := unsafe.Pointer(unsafe.SliceData(s.bytes))
		s.bytes = nil
		if err := l.device.check("cuMemFreeHost", l.device.driver.hostFree(old)); err != nil {
			return err
		}
	}
	var p unsafe.Pointer
	if err := l.device.check(fmt.Sprintf("cuMemHostAlloc of %d bytes", n), l.device.driver.hostAlloc(&p, uint64(n), 0)); err != nil {
		return err
	}
	s.bytes = unsafe.Slice((*byte)(p), n)
	return nil
}

// Send implements cuda.Link.
func (l *link) Send(at int, dst cuda.Ptr, n int64) error {
	s, d := &l.slots[at], l.device
	return d.with(func() error {
		if err := d.check("cuStreamWaitEvent", d.driver.streamWait(l.stream, s.left, 0)); err != nil {
			return err
		}
		if err := d.check("cuEventRecord", d.driver.eventRecord(s.begin, l.stream)); err != nil {
			return err
		}
		err := d.check(fmt.Sprintf("cuMemcpyHtoDAsync of %d bytes", n),
			d.driver.copyToDevice(dst, unsafe.Pointer(unsafe.SliceData(s.bytes)), uint64(n), l.stream))
		if err != nil {
			return err
		}
		s.travels = true
		return d.check("cuEventRecord", d.driver.eventRecord(s.sent, l.stream))
	})
}

// Arrive implements cuda.Link.
func (l *link) Arrive(at int) error {
	return l.device.with(func() error {
		return l.device.check("cuStreamWaitEvent", l.device.driver.streamWait(l.device.stream, l.slots[at].sent, 0))
	})
}

// Leave implements cuda.Link.
func (l *link) Leave(at int) error {
	return l.device.with(func() error {
		return l.device.check("cuEventRecord", l.device.driver.eventRecord(l.slots[at].left, l.device.stream))
	})
}

// Busy implements cuda.Link.
func (l *link) Busy() (time.Duration, error) {
	err := l.device.with(func() error {
		for i := range l.slots {
			if err := l.arrived(&l.slots[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return l.busy, err
}
