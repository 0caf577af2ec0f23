//go:build !unix

package vfs

import (
	"io"
	"os"
)

// hasPermissions says that files have permissions for their owner and others.
const hasPermissions = false

// nonBlocking is of systems where opening a file may wait.
const nonBlocking = 0

// mapFile reads a file, where it cannot be mapped.
func mapFile(f *os.File, size int64, path string) (*Mapping, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(f, data)
	return &Mapping{Data: data}, err
}

// lockFile takes no lock, where the system has none that ends with the process.
func lockFile(*os.File) error { return nil }
