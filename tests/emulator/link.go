package emulator

import (
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// link copies as late as a GPU may: when the copy is waited for. Memory that is
// changed too early, or a copy into memory that kernels still read, is found.
type link struct {
	device *Device
	slots  [cuda.Slots]slot
}

// slot is what is known of one slot. Between Arrive and Leave kernels read what
// was sent.
type slot struct {
	bytes   []byte
	to      cuda.Ptr
	travels int64 // bytes that have been sent and not copied
	read    bool
}

// Link gives the device's link.
func (d *Device) Link() cuda.Link { return &d.link }

// Stage implements cuda.Link.
func (l *link) Stage(at int, n int64) ([]byte, error) {
	s := &l.slots[at]
	if err := l.copy(s); err != nil {
		return nil, err
	}
	s.bytes = make([]byte, n)
	for i := range s.bytes {
		s.bytes[i] = 0xa5 // page-locked memory is used again and holds anything
	}
	return s.bytes, nil
}

// copy does what Send has put off.
func (l *link) copy(s *slot) error {
	n := s.travels
	s.travels = 0
	if n == 0 {
		return nil
	}
	return l.device.memory.Upload(s.to, s.bytes[:n])
}

// Send implements cuda.Link.
func (l *link) Send(at int, dst cuda.Ptr, n int64) error {
	s := &l.slots[at]
	switch {
	case s.travels > 0:
		return fmt.Errorf("emulated device: slot %d is sent twice without being staged", at)
	case s.read:
		return fmt.Errorf("emulated device: slot %d is sent while kernels may read what was sent before", at)
	}
	s.to, s.travels = dst, n
	return nil
}

// Arrive implements cuda.Link.
func (l *link) Arrive(at int) error {
	l.slots[at].read = true
	return l.copy(&l.slots[at])
}

// Leave implements cuda.Link.
func (l *link) Leave(at int) error {
	l.slots[at].read = false
	return nil
}

// Busy implements cuda.Link: the emulation's copies take no time of their own.
func (l *link) Busy() (time.Duration, error) {
	for i := range l.slots {
		if err := l.copy(&l.slots[i]); err != nil {
			return 0, err
		}
	}
	return 0, nil
}
