package driver

import (
	"fmt"
	"sync"
	"unsafe"
)

// hostMemory is page-locked memory of the host. Safe for concurrent use.
type hostMemory struct {
	device *Device
	mu     sync.Mutex
	given  map[*byte]struct{} // by its first byte
}

// Alloc implements cuda.HostMemory.
func (h *hostMemory) Alloc(bytes int64) ([]byte, error) {
	var p unsafe.Pointer
	err := h.device.with(func() error {
		// The driver refuses an allocation of nothing.
		return h.device.check(fmt.Sprintf("cuMemHostAlloc of %d bytes", bytes), h.device.driver.hostAlloc(&p, uint64(max(bytes, 1)), 0))
	})
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.given[(*byte)(p)] = struct{}{}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// Free implements cuda.HostMemory. What is not given out any more, as after close,
// is left alone. An error of the driver stays with the device where it is one that
// the device does not recover from.
func (h *hostMemory) Free(b []byte) {
	p := unsafe.SliceData(b)
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, given := h.given[p]; !given {
		return
	}
	delete(h.given, p)
	_ = h.device.with(func() error {
		return h.device.check("cuMemFreeHost", h.device.driver.hostFree(unsafe.Pointer(p)))
	})
}

// close takes back all that is given out.
func (h *hostMemory) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.given {
		h.device.driver.hostFree(unsafe.Pointer(p))
	}
	clear(h.given)
}
