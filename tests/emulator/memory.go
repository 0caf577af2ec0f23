package emulator

import (
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

// Free frees memory, when all that was started has ended. What was not allocated, or is free, takes the device
// out of service: the next call gives the error.
func (m *memory) Free(p cuda.Ptr) {
	m.device.mu.Lock()
	defer m.device.mu.Unlock()
	_ = m.device.drain() // an error stays with the process
	m.used -= m.sizes[p]
	delete(m.sizes, p)
	// An error stays with the process.
	_ = m.device.process.call(nil, fmt.Sprintf("freeing %#x", p), commandFree, uint64(p))
}
