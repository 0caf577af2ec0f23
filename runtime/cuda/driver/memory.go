package driver

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Alloc asks the driver for memory, within the device's limit.
func (m *memory) Alloc(bytes int64) (cuda.Ptr, error) {
	if bytes < 0 || m.used+bytes > m.limit {
		return 0, fmt.Errorf("%s: %d bytes beside %d of %d: %w", m.device.info.Name, bytes, m.used, m.limit, cuda.ErrOutOfMemory)
	}
	var p cuda.Ptr
	err := m.device.with(func() error {
		// The driver refuses an allocation of nothing.
		return m.device.check(fmt.Sprintf("cuMemAlloc of %d bytes", bytes), m.device.driver.alloc(&p, uint64(max(bytes, 1))))
	})
	if err != nil {
		return 0, err
	}
	m.used += bytes
	m.sizes[p] = bytes
	return p, nil
}

// Free frees memory. An error of the driver stays with the device where
// it is one that the device does not recover from.
func (m *memory) Free(p cuda.Ptr) {
	if p == 0 {
		return
	}
	m.used -= m.sizes[p]
	delete(m.sizes, p)
	_ = m.device.with(func() error { return m.device.check("cuMemFree", m.device.driver.free(p)) })
}

// Upload copies src to the device; src can be changed when it returns.
func (m *memory) Upload(dst cuda.Ptr, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	return m.device.with(func() error { return m.staging.upload(dst, src) })
}

// Download copies from the device, after all that was started before.
func (m *memory) Download(dst []byte, src cuda.Ptr) error {
	if len(dst) == 0 {
		return nil
	}
	return m.device.with(func() error { return m.staging.download(context.Background(), dst, src) })
}

// DownloadAll makes several copies from the device, after all that was started
// before: in one buffer where they are small.
func (m *memory) DownloadAll(ctx context.Context, copies []cuda.Copy) error {
	return m.device.with(func() error {
		total := 0
		for _, c := range copies {
			total += aligned(len(c.Dst))
		}
		if total <= copyBlock {
			return m.staging.downloadSmall(copies) // one copy of a few megabytes
		}
		for _, c := range copies {
			if err := m.staging.download(ctx, c.Dst, c.Src); err != nil {
				return err
			}
		}
		return nil
	})
}

// aligned rounds a size up so that what follows in a buffer is aligned.
func aligned(n int) int { return (n + 15) / 16 * 16 }

// Fill sets bytes.
func (m *memory) Fill(dst cuda.Ptr, b byte, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return m.device.with(func() error {
		return m.device.checkf(m.device.driver.fill(dst, b, uint64(bytes), m.device.stream), "cuMemsetD8Async of %d bytes", bytes)
	})
}

// stagingBytes is the size of one buffer of page-locked memory.
const stagingBytes = 8 << 20

// open allocates the buffers.
func (s *staging) open(d *Device) error {
	s.device = d
	for i := range s.buffers {
		var p unsafe.Pointer
		if err := d.check("cuMemHostAlloc", d.driver.hostAlloc(&p, stagingBytes, 0)); err != nil {
			return err
		}
		s.buffers[i].bytes = unsafe.Slice((*byte)(p), stagingBytes)
		if err := d.check("cuEventCreate", d.driver.eventCreate(&s.buffers[i].done, 0)); err != nil {
			return err
		}
	}
	return nil
}

// close frees the buffers.
func (s *staging) close() {
	for _, b := range s.buffers {
		if b.bytes != nil {
			s.device.driver.hostFree(unsafe.Pointer(unsafe.SliceData(b.bytes)))
		}
		if b.done != 0 {
			s.device.driver.eventDestroy(b.done)
		}
	}
}

// take returns the buffer that has waited longest, when its last copy has ended.
func (s *staging) take() (*stagingBuffer, error) {
	b := &s.buffers[s.next]
	s.next = (s.next + 1) % len(s.buffers)
	return b, s.device.check("cuEventSynchronize", s.device.driver.eventSynchronize(b.done))
}

// upload copies src buffer by buffer. The last buffers may still travel when it
// returns; what is started later comes after them.
func (s *staging) upload(dst cuda.Ptr, src []byte) error {
	d := s.device
	for len(src) > 0 {
		b, err := s.take()
		if err != nil {
			return err
		}
		n := min(len(src), stagingBytes)
		if err := copyParallel(b.bytes, src[:n]); err != nil {
			return err
		}
		err = d.checkf(d.driver.copyToDevice(dst, unsafe.Pointer(unsafe.SliceData(b.bytes)), uint64(n), d.stream),
			"cuMemcpyHtoDAsync of %d bytes", n)
		if err != nil {
			return err
		}
		if err := d.check("cuEventRecord", d.driver.eventRecord(b.done, d.stream)); err != nil {
			return err
		}
		dst, src = dst+cuda.Ptr(n), src[n:]
	}
	return nil
}

// download copies buffer by buffer, until the context ends: while one travels, the one
// before is copied out.
func (s *staging) download(ctx context.Context, dst []byte, src cuda.Ptr) error {
	var last *stagingBuffer
	var lastDst []byte
	finish := func() error {
		if last == nil {
			return nil
		}
		err := s.device.check("cuEventSynchronize", s.device.driver.eventSynchronize(last.done))
		return errors.Join(err, copyParallel(lastDst, last.bytes[:len(lastDst)]))
	}
	for len(dst) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b, err := s.take()
		if err != nil {
			return err
		}
		d, n := s.device, min(len(dst), stagingBytes)
		err = d.checkf(d.driver.copyToHost(unsafe.Pointer(unsafe.SliceData(b.bytes)), src, uint64(n), d.stream),
			"cuMemcpyDtoHAsync of %d bytes", n)
		if err != nil {
			return err
		}
		if err := d.check("cuEventRecord", d.driver.eventRecord(b.done, d.stream)); err != nil {
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

// downloadSmall makes copies that fit one buffer.
func (s *staging) downloadSmall(copies []cuda.Copy) error {
	b, err := s.take()
	if err != nil {
		return err
	}
	d, at := s.device, 0
	for _, c := range copies {
		n := len(c.Dst)
		if n == 0 {
			continue
		}
		err := d.checkf(d.driver.copyToHost(unsafe.Pointer(&b.bytes[at]), c.Src, uint64(n), d.stream), "cuMemcpyDtoHAsync of %d bytes", n)
		if err != nil {
			return err
		}
		at += aligned(n)
	}
	if err := d.check("cuEventRecord", d.driver.eventRecord(b.done, d.stream)); err != nil {
		return err
	}
	if err := d.check("cuEventSynchronize", d.driver.eventSynchronize(b.done)); err != nil {
		return err
	}
	at = 0
	for _, c := range copies {
		at += aligned(copy(c.Dst, b.bytes[at:]))
	}
	return nil
}
