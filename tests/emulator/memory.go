package emulator

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Alloc returns garbage of exactly the given size.
func (m *memory) Alloc(bytes int64) (cuda.Ptr, error) {
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	if bytes < 0 || m.used+bytes > m.total {
		return 0, fmt.Errorf("emulated device: %d bytes beside %d of %d: %w", bytes, m.used, m.total, cuda.ErrOutOfMemory)
	}
	var reply reply
	if err := m.device.process.call(&reply, fmt.Sprintf("allocating %d bytes", bytes), commandAlloc, uint64(bytes)); err != nil {
		return 0, err
	}
	p := cuda.Ptr(reply.word())
	if p == 0 {
		return 0, fmt.Errorf("emulated device: %d bytes: %w", bytes, cuda.ErrOutOfMemory)
	}
	m.used += bytes
	m.sizes[p] = bytes
	return p, nil
}

// Free frees memory. What was not allocated, or is free, takes the device
// out of service: the next call gives the error.
func (m *memory) Free(p cuda.Ptr) {
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	m.used -= m.sizes[p]
	delete(m.sizes, p)
	// An error stays with the process.
	_ = m.device.process.call(nil, fmt.Sprintf("freeing %#x", p), commandFree, uint64(p))
}

// Upload copies src to the device.
func (m *memory) Upload(dst cuda.Ptr, src []byte) error {
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	return m.device.process.call(nil, fmt.Sprintf("uploading %d bytes to %#x", len(src), dst), commandUpload, uint64(dst), src)
}

// Download copies from the device.
func (m *memory) Download(dst []byte, src cuda.Ptr) error {
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	var reply reply
	err := m.device.process.call(&reply, fmt.Sprintf("downloading %d bytes from %#x", len(dst), src), commandDownload, uint64(src), uint64(len(dst)))
	if err == nil {
		copy(dst, reply.bytes())
	}
	return err
}

// DownloadAll copies several pieces.
func (m *memory) DownloadAll(ctx context.Context, copies []cuda.Copy) error {
	for _, c := range copies {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := m.Download(c.Dst, c.Src); err != nil {
			return err
		}
	}
	return nil
}

// Fill sets bytes.
func (m *memory) Fill(dst cuda.Ptr, b byte, bytes int64) error {
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	return m.device.process.call(nil, fmt.Sprintf("filling %d bytes at %#x", bytes, dst), commandFill, uint64(dst), uint64(b), uint64(bytes))
}
