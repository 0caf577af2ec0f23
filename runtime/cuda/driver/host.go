package driver

import (
	"fmt"
	"unsafe"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// minMapped is from how many bytes on page-locked memory is mapped in huge pages,
// the last of which may be used in part.
const minMapped = 4 * hugePage

// Alloc implements cuda.HostMemory.
func (h *hostMemory) Alloc(bytes int64) ([]byte, error) {
	b, mapping := h.register(bytes)
	if mapping == nil {
		var err error
		if b, err = h.alloc(bytes); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.given[unsafe.SliceData(b)] = mapping
	return b, nil
}

// alloc leaves it to the driver to make memory.
func (h *hostMemory) alloc(bytes int64) ([]byte, error) {
	var p unsafe.Pointer
	err := h.device.with(func() {
		// The driver refuses an allocation of nothing.
		h.device.check(fmt.Sprintf("cuMemHostAlloc of %d bytes", bytes), h.device.driver.hostAlloc(&p, uint64(max(bytes, 1)), 0))
	})
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

// register maps memory in huge pages and has the driver lock them, which takes an
// eighth of the time that the driver takes to make and to lock small ones. Without a
// mapping, the driver is to make the memory: it is little, or the system or the driver
// does not do that.
func (h *hostMemory) register(bytes int64) ([]byte, hostMapping) {
	if bytes < minMapped {
		return nil, nil
	}
	b, mapping, err := mapHuge(bytes)
	if err != nil {
		return nil, nil
	}
	touch(b)
	err = h.device.with(func() {
		h.device.check(fmt.Sprintf("cuMemHostRegister of %d bytes", len(b)),
			h.device.driver.hostRegister(unsafe.Pointer(unsafe.SliceData(b)), uint64(len(b)), 0))
	})
	if err != nil {
		unmapHuge(mapping)
		return nil, nil
	}
	return b[:bytes:bytes], mapping
}

// Free implements cuda.HostMemory. What is not given out any more, as after close,
// is left alone. An error of the driver stays with the device where it is one that
// the device does not recover from.
func (h *hostMemory) Free(b []byte) {
	p := unsafe.SliceData(b)
	h.mu.Lock()
	defer h.mu.Unlock()
	mapping, given := h.given[p]
	if !given {
		return
	}
	delete(h.given, p)
	_ = h.device.with(func() { h.release(p, mapping) })
}

// release frees memory. What the driver still has registered stays mapped.
func (h *hostMemory) release(p *byte, mapping hostMapping) {
	if mapping == nil {
		h.device.check("cuMemFreeHost", h.device.driver.hostFree(unsafe.Pointer(p)))
		return
	}
	h.device.check("cuMemHostUnregister", h.device.driver.hostUnregister(unsafe.Pointer(p)))
	unmapHuge(mapping)
}

// close takes back all that is given out.
func (h *hostMemory) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p, mapping := range h.given {
		_ = sqlstate.Run(func() { h.release(p, mapping) }) // the device is on its way out of service
	}
	clear(h.given)
}
