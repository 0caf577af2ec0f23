//go:build unix

package disk

import (
	"os"
	"syscall"
)

// mapFile maps a file for reading.
func mapFile(f *os.File, size int64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
}

// unmapFile ends a mapping.
func unmapFile(data []byte) {
	if data != nil {
		_ = syscall.Munmap(data) // fails only for memory that is not mapped
	}
}

// lockFile takes a lock that ends with the process, or fails at once.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
