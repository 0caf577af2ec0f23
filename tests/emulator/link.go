package emulator

import (
	"fmt"
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Link returns the device's link.
func (d *Device) Link() cuda.Link { return &d.link }

// Stage implements cuda.Link.
func (l *link) Stage(at int, n int64) ([]byte, error) {
	if err := l.copy(&l.slots[at]); err != nil {
		return nil, err
	}
	return anything(n), nil
}

// anything is what page-locked memory holds that is used again.
func anything(n int64) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 0xa5
	}
	return b
}

// copy does what Send has put off.
func (l *link) copy(s *slot) error {
	for _, t := range s.travels {
		if err := l.device.upload(t.Dst, t.Src); err != nil {
			return err
		}
	}
	s.travels = nil
	return nil
}

// Send implements cuda.Link.
func (l *link) Send(at int, piece []cuda.Transfer) error {
	s := &l.slots[at]
	if s.read {
		return fmt.Errorf("emulated device: slot %d is sent while kernels may read what was sent before", at)
	}
	if err := l.copy(s); err != nil {
		return err
	}
	s.travels = slices.Clone(piece)
	return nil
}

// Arrive implements cuda.Link.
func (l *link) Arrive(at int, on cuda.Stream) error {
	if err := on.Sync(); err != nil {
		return err
	}
	l.slots[at].read = true
	return l.copy(&l.slots[at])
}

// Leave implements cuda.Link.
func (l *link) Leave(at int, on cuda.Stream) error {
	l.slots[at].read = false
	return on.Sync()
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

// Host implements cuda.Link.
func (l *link) Host() cuda.HostMemory { return &l.host }

// Alloc implements cuda.HostMemory.
func (h *hostMemory) Alloc(n int64) ([]byte, error) {
	if given := h.given.Load(); h.limit > 0 && given+n > h.limit {
		return nil, fmt.Errorf("emulated device: %d bytes of page-locked memory beside %d: %w", n, given, cuda.ErrOutOfMemory)
	}
	h.given.Add(n)
	return anything(n), nil
}

// Free implements cuda.HostMemory.
func (h *hostMemory) Free(b []byte) {
	h.given.Add(-int64(len(b)))
	for i := range b {
		b[i] = 0x5a // what still reads it finds other values
	}
}

// PageLocked is how many bytes of page-locked memory are given out.
func (d *Device) PageLocked() int64 { return d.link.host.given.Load() }
