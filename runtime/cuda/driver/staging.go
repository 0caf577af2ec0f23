package driver

import (
	"context"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
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
func (s *staging) take(n int) *stagingBuffer {
	b := &s.buffers[s.next]
	s.next = (s.next + 1) % len(s.buffers)
	b.ready(s.stream.device, n)
	return b
}

// takeOne returns a buffer for the only copies of a download, of n bytes together: one that is large
// enough already where there is one, since page-locked memory takes milliseconds to make.
func (s *staging) takeOne(n int) *stagingBuffer {
	if n <= smallStaging {
		s.few.ready(s.stream.device, n)
		return &s.few
	}
	for i := range s.buffers {
		if b := &s.buffers[i]; len(b.bytes) >= n {
			b.ready(s.stream.device, n)
			return b
		}
	}
	return s.take(n)
}

// ready waits until the last copy from or to the buffer has ended, and has room for n bytes as far as
// a buffer has it.
func (b *stagingBuffer) ready(d *Device, n int) {
	if b.done == 0 {
		d.check("cuEventCreate", d.driver.eventCreate(&b.done, 0))
	}
	d.check("cuEventSynchronize", d.driver.eventSynchronize(b.done))
	b.grow(d, n)
}

// grow has room for n bytes, as far as a buffer has it. No copy from or to it is under way.
func (b *stagingBuffer) grow(d *Device, n int) {
	size := smallStaging
	if n > size {
		size = stagingBytes
	}
	if len(b.bytes) >= size {
		return
	}
	if b.bytes != nil {
		d.check("cuMemFreeHost", d.driver.hostFree(unsafe.Pointer(unsafe.SliceData(b.bytes))))
		b.bytes = nil
	}
	var p unsafe.Pointer
	d.check("cuMemHostAlloc", d.driver.hostAlloc(&p, uint64(size), 0))
	b.bytes = unsafe.Slice((*byte)(p), size)
}

// upload copies src buffer by buffer. The last buffers may still travel when it
// returns; what is started later comes after them.
func (s *staging) upload(dst cuda.Ptr, src []byte) {
	d := s.stream.device
	for len(src) > 0 {
		b, n := s.take(len(src)), min(len(src), stagingBytes)
		sqlstate.Check(copyParallel(b.bytes, src[:n]))
		r := d.driver.copyToDevice(dst, unsafe.Pointer(unsafe.SliceData(b.bytes)), uint64(n), s.stream.handle)
		d.checkf(r, "cuMemcpyHtoDAsync of %d bytes", n)
		d.check("cuEventRecord", d.driver.eventRecord(b.done, s.stream.handle))
		dst, src = dst+cuda.Ptr(n), src[n:]
	}
}

// download copies buffer by buffer, until the context ends: while one travels, the one
// before is copied out.
func (s *staging) download(ctx context.Context, dst []byte, src cuda.Ptr) {
	d := s.stream.device
	var last *stagingBuffer
	var lastDst []byte
	finish := func() {
		if last != nil {
			d.check("cuEventSynchronize", d.driver.eventSynchronize(last.done))
			sqlstate.Check(copyParallel(lastDst, last.bytes[:len(lastDst)]))
		}
	}
	for len(dst) > 0 {
		if ctx.Err() != nil {
			panic(context.Cause(ctx))
		}
		b, n := s.take(len(dst)), min(len(dst), stagingBytes)
		r := d.driver.copyToHost(unsafe.Pointer(unsafe.SliceData(b.bytes)), src, uint64(n), s.stream.handle)
		d.checkf(r, "cuMemcpyDtoHAsync of %d bytes", n)
		d.check("cuEventRecord", d.driver.eventRecord(b.done, s.stream.handle))
		finish()
		last, lastDst = b, dst[:n]
		dst, src = dst[n:], src+cuda.Ptr(n)
	}
	finish()
}

// downloadSmall makes copies that fit one buffer, of so many bytes together.
func (s *staging) downloadSmall(copies []cuda.Copy, total int) {
	b := s.takeOne(total)
	d, at := s.stream.device, 0
	for _, c := range copies {
		n := len(c.Dst)
		if n == 0 {
			continue
		}
		d.checkf(d.driver.copyToHost(unsafe.Pointer(&b.bytes[at]), c.Src, uint64(n), s.stream.handle), "cuMemcpyDtoHAsync of %d bytes", n)
		at += aligned(n)
	}
	d.check("cuEventRecord", d.driver.eventRecord(b.done, s.stream.handle))
	d.check("cuEventSynchronize", d.driver.eventSynchronize(b.done))
	s.stream.ended()
	at = 0
	for _, c := range copies {
		at += aligned(copy(c.Dst, b.bytes[at:]))
	}
}
