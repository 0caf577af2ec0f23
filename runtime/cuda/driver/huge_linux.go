package driver

import (
	"syscall"
	"unsafe"
)

// mapHuge maps at least so many bytes of memory from the start of a huge page on, in
// huge pages where the system has them.
func mapHuge(bytes int64) (b []byte, mapping hostMapping, err error) {
	size := (int(bytes) + hugePage - 1) / hugePage * hugePage
	mapping, err = syscall.Mmap(-1, 0, size+hugePage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, nil, err
	}
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(mapping)))) & (hugePage - 1)
	b = mapping[skip : skip+size]
	// A system that has no huge pages has small ones.
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE)
	// A process that is forked would take the pages from under the device's copies.
	if err := syscall.Madvise(b, syscall.MADV_DONTFORK); err != nil {
		unmapHuge(mapping)
		return nil, nil, err
	}
	return b, mapping, nil
}

// unmapHuge ends a mapping.
func unmapHuge(mapping hostMapping) {
	_ = syscall.Munmap(mapping) // fails only for memory that is not mapped
}
