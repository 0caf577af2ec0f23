//go:build !unix

package disk

import (
	"io"
	"os"
)

// mapFile reads a file, where it cannot be mapped.
func mapFile(f *os.File, size int64) ([]byte, error) {
	data := make([]byte, size)
	_, err := io.ReadFull(f, data)
	return data, err
}

// unmapFile leaves the memory to the garbage collector.
func unmapFile([]byte) {}

// lockFile takes no lock, where the system has none that ends with the process.
func lockFile(*os.File) error { return nil }
