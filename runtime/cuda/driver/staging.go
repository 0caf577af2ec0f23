package driver

import (
	"context"
	"errors"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// A buffer of page-locked memory has one of two sizes: most streams copy little.
const (
	smallStaging = 64 << 10
	stagingBytes = 8 << 20
)

// aligned rounds a size up so that what follows in a buffer is aligned.
func aligned(n int) int { return (n + 15) / 16 * 16 }

// close frees the buffers.
func (s *staging) close() {
	d := s.stream.device
	for _, b := range append(s.buffers[:], s.few) {
		if b.bytes != nil {
			d.driver.hostFree(unsafe.Pointer(unsafe.SliceData(b.bytes)))
		}
		if b.done != 0 {
			d.driver.eventDestroy(b.done)
		}
	}
}

// take returns the buffer that has waited longest, when its last copy has ended, with room
// for n bytes as far as a buffer has it.
func (s *staging) take(n int) (*stagingBuffer, error) {
	b := &s.buffers[s.next]
	s.next = (s.next + 1) % len(s.buffers)
	return b, b.ready(s.stream.device, n)
}

// takeOne returns a buffer for the only copies of a download, of n bytes together: one that is large
// enough already where there is one, since page-locked memory takes milliseconds to make.
func (s *staging) takeOne(n int) (*stagingBuffer, error) {
	if n <= smallStaging {
		return &s.few, s.few.ready(s.stream.device, n)
	}
	for i := range s.buffers {
		if b := &s.buffers[i]; len(b.bytes) >= n {
			return b, b.ready(s.stream.device, n)
		}
	}
	return s.take(n)
}

// ready waits until the last copy from or to the buffer has ended, and has room for n bytes as far as
// a buffer has it.
func (b *stagingBuffer) ready(d *Device, n int) error {
	if b.done == 0 {
		if err := d.check("cuEventCreate", d.driver.eventCreate(&b.done, 0)); err != nil {
			return err
		}
	}
	if err := d.check("cuEventSynchronize", d.driver.eventSynchronize(b.done)); err != nil {
		return err
	}
	return b.grow(d, n)
}

// grow has room for n bytes, as far as a buffer has it. No copy from or to it is under way.
func (b *stagingBuffer) grow(d *Device, n int) error {
	size := smallStaging
	if n > size {
		size = stagingBytes
	}
	if len(b.bytes) >= size {
		return nil
	}
	if b.bytes != nil {
		if err := d.check("cuMemFreeHost", d.driver.hostFree(unsafe.Pointer(unsafe.SliceData(b.bytes)))); err != nil {
			return err
		}
		b.bytes = nil
	}
	var p unsafe.Pointer
	if err := d.check("cuMemHostAlloc", d.driver.hostAlloc(&p, uint64(size), 0)); err != nil {
		return err
	}
	b.bytes = unsafe.Slice((*byte)(p), size)
	return nil
}

// upload copies src buffer by buffer. The last buffers may still travel when it
// returns; what is started later comes after them.
func (s *staging) upload(dst cuda.Ptr, src []byte) error {
	d := s.stream.device
	for len(src) > 0 {
		b, err := s.take(len(src))
		if err != nil {
			return err
		}
		n := min(len(src), stagingBytes)
		if err := copyParallel(b.bytes, src[:n]); err != nil {
			return err
		}
		err = d.checkf(d.driver.copyToDevice(dst, unsafe.Pointer(unsafe.SliceData(b.bytes)), uint64(n), s.stream.handle),
			"cuMemcpyHtoDAsync of %d bytes", n)
		if err != nil {
			return err
		}
		if err := d.check("cuEventRecord", d.driver.eventRecord(b.done, s.stream.handle)); err != nil {
			return err
		}
		dst, src = dst+cuda.Ptr(n), src[n:]
	}
	return nil
}

// download copies buffer by buffer, until the context ends: while one travels, the one
// before is copied out.
func (s *staging) download(ctx context.Context, dst []byte, src cuda.Ptr) error {
	d := s.stream.device
	var last *stagingBuffer
	var lastDst []byte
	finish := func() error {
		if last == nil {
			return nil
		}
		err := d.check("cuEventSynchronize", d.driver.eventSynchronize(last.done))
		return errors.Join(err, copyParallel(lastDst, last.bytes[:len(lastDst)]))
	}
	for len(dst) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b, err := s.take(len(dst))
		if err != nil {
			return err
		}
		n := min(len(dst), stagingBytes)
		err = d.checkf(d.driver.copyToHost(unsafe.Pointer(unsafe.SliceData(b.bytes)), src, uint64(n), s.stream.handle),
			"cuMemcpyDtoHAsync of %d bytes", n)
		if err != nil {
			return err
		}
		if err := d.check("cuEventRecord", d.driver.eventRecord(b.done, s.stream.handle)); err != nil {
			return err
		}
		if err := finish(); err != nil {
			return err
		}
		last, lastDst = b, dst[:n]
		dst, src = dst[n:], src+cuda.Ptr(n)
	}
	return finish()
}

// downloadSmall makes copies that fit one buffer, of so many bytes together.
func (s *staging) downloadSmall(copies []cuda.Copy, total int) error {
	b, err := s.takeOne(total)
	if err != nil {
		return err
	}
	d, at := s.stream.device, 0
	for _, c := range copies {
		n := len(c.Dst)
		if n == 0 {
			continue
		}
		err := d.checkf(d.driver.copyToHost(unsafe.Pointer(&b.bytes[at]), c.Src, uint64(n), s.stream.handle), "cuMemcpyDtoHAsync of %d bytes", n)
		if err != nil {
			return err
		}
		at += aligned(n)
	}
	if err := d.check("cuEventRecord", d.driver.eventRecord(b.done, s.stream.handle)); err != nil {
		return err
	}
	if err := d.check("cuEventSynchronize", d.driver.eventSynchronize(b.done)); err != nil {
		return err
	}
	s.stream.ended()
	at = 0
	for _, c := range copies {
		at += aligned(copy(c.Dst, b.bytes[at:]))
	}
	return nil
}
