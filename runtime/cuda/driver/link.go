package driver

import (
	"time"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// open makes the stream and the events; memory comes when it is asked for.
func (l *link) open(d *Device) {
	l.device = d
	l.host.device, l.host.given = d, make(map[*byte]hostMapping)
	d.check("cuStreamCreate", d.driver.streamCreate(&l.handle, streamNonBlocking))
	for i := range l.slots {
		s := &l.slots[i]
		for _, e := range []*eventHandle{&s.begin, &s.sent, &s.left} {
			d.check("cuEventCreate", d.driver.eventCreate(e, 0))
		}
	}
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
	if err := l.device.with(func() { l.arrived(s) }); err != nil {
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
func (l *link) arrived(s *slot) {
	if !s.travels {
		return
	}
	l.device.check("cuEventSynchronize", l.device.driver.eventSynchronize(s.sent))
	var milliseconds float32
	l.device.check("cuEventElapsedTime", l.device.driver.eventElapsed(&milliseconds, s.begin, s.sent))
	l.busy += time.Duration(float64(milliseconds) * float64(time.Millisecond))
	s.travels = false
}

// Send implements cuda.Link.
func (l *link) Send(at int, piece []cuda.Transfer) error {
	s, d := &l.slots[at], l.device
	return d.with(func() {
		l.arrived(s)
		d.check("cuStreamWaitEvent", d.driver.streamWait(l.handle, s.left, 0))
		d.check("cuEventRecord", d.driver.eventRecord(s.begin, l.handle))
		for _, t := range piece {
			r := d.driver.copyToDevice(t.Dst, unsafe.Pointer(unsafe.SliceData(t.Src)), uint64(len(t.Src)), l.handle)
			d.checkf(r, "cuMemcpyHtoDAsync of %d bytes", len(t.Src))
		}
		s.travels = true
		d.check("cuEventRecord", d.driver.eventRecord(s.sent, l.handle))
	})
}

// Arrive implements cuda.Link.
func (l *link) Arrive(at int, on cuda.Stream) error {
	return l.device.with(func() {
		l.device.check("cuStreamWaitEvent", l.device.driver.streamWait(on.(*stream).handle, l.slots[at].sent, 0))
	})
}

// Leave implements cuda.Link.
func (l *link) Leave(at int, on cuda.Stream) error {
	return l.device.with(func() {
		l.device.check("cuEventRecord", l.device.driver.eventRecord(l.slots[at].left, on.(*stream).handle))
	})
}

// Busy implements cuda.Link.
func (l *link) Busy() (time.Duration, error) {
	err := l.device.with(func() {
		for i := range l.slots {
			l.arrived(&l.slots[i])
		}
	})
	return l.busy, err
}
