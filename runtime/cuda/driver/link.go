package driver

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// open makes the stream and the events; memory comes when it is asked for.
func (l *link) open(d *Device) error {
	l.device = d
	l.host.device, l.host.given = d, make(map[*byte]hostMapping)
	if err := d.check("cuStreamCreate", d.driver.streamCreate(&l.handle, streamNonBlocking)); err != nil {
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

// close frees everything.
func (l *link) close() {
	for i := range l.slots {
		s := &l.slots[i]
		for _, e := range []eventHandle{s.begin, s.sent, s.left} {
			if e != 0 {
				l.device.driver.eventDestroy(e)
			}
		}
	}
	l.host.close()
	if l.handle != 0 {
		l.device.driver.streamDestroy(l.handle)
	}
}

// Host implements cuda.Link.
func (l *link) Host() cuda.HostMemory { return &l.host }

// Stage implements cuda.Link.
func (l *link) Stage(at int, n int64) ([]byte, error) {
	s := &l.slots[at]
	if err := l.device.with(func() error { return l.arrived(s) }); err != nil {
		return nil, err
	}
	if int64(len(s.bytes)) < n {
		l.host.Free(s.bytes)
		var err error
		if s.bytes, err = l.host.Alloc(n); err != nil {
			return nil, err
		}
	}
	return s.bytes[:n], nil
}

// arrived waits for the last copies of a slot and counts their time.
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

// Send implements cuda.Link.
func (l *link) Send(at int, piece []cuda.Transfer) error {
	s, d := &l.slots[at], l.device
	return d.with(func() error {
		if err := l.arrived(s); err != nil {
			return err
		}
		if err := d.check("cuStreamWaitEvent", d.driver.streamWait(l.handle, s.left, 0)); err != nil {
			return err
		}
		if err := d.check("cuEventRecord", d.driver.eventRecord(s.begin, l.handle)); err != nil {
			return err
		}
		for _, t := range piece {
			err := d.check(fmt.Sprintf("cuMemcpyHtoDAsync of %d bytes", len(t.Src)),
				d.driver.copyToDevice(t.Dst, unsafe.Pointer(unsafe.SliceData(t.Src)), uint64(len(t.Src)), l.handle))
			if err != nil {
				return err
			}
		}
		s.travels = true
		return d.check("cuEventRecord", d.driver.eventRecord(s.sent, l.handle))
	})
}

// Arrive implements cuda.Link.
func (l *link) Arrive(at int, on cuda.Stream) error {
	return l.device.with(func() error {
		return l.device.check("cuStreamWaitEvent", l.device.driver.streamWait(on.(*stream).handle, l.slots[at].sent, 0))
	})
}

// Leave implements cuda.Link.
func (l *link) Leave(at int, on cuda.Stream) error {
	return l.device.with(func() error {
		return l.device.check("cuEventRecord", l.device.driver.eventRecord(l.slots[at].left, on.(*stream).handle))
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
