package driver

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime/cuda"
)

// Alloc asks the driver for memory, within the device's limit.
func (m *memory) Alloc(bytes int64) (cuda.Ptr, error) {
	if bytes < 0 || m.used+bytes > m.limit {
		return 0, fmt.Errorf("%s: %d bytes beside %d of %d: %w", m.device.info.Name, bytes, m.used, m.limit, cuda.ErrOutOfMemory)
	}
	var p cuda.Ptr
	err := m.device.with(func() {
		// The driver refuses an allocation of nothing.
		m.device.check(fmt.Sprintf("cuMemAlloc of %d bytes", bytes), m.device.driver.alloc(&p, uint64(max(bytes, 1))))
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
	_ = m.device.with(func() { m.device.check("cuMemFree", m.device.driver.free(p)) })
}
