//go:build unix

package vfs

import (
	"errors"
	"os"
	"syscall"

	"github.com/cubeloom/cubeloom/runtime/fault"
)

// hasPermissions says that files have permissions for their owner and others.
const hasPermissions = true

// nonBlocking has opening a FIFO not wait for its other end.
const nonBlocking = syscall.O_NONBLOCK

// mapFile maps a file for reading.
func mapFile(f *os.File, size int64, path string) (*Mapping, error) {
	if size == 0 {
		return &Mapping{}, nil
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	forget := fault.Watch(data, path)
	return &Mapping{Data: data, release: func() {
		forget()
		_ = syscall.Munmap(data) // fails only for memory that is not mapped
	}}, nil
}

// lockFile takes a lock that ends with the process, or fails at once.
func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}
