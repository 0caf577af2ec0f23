// Package vfs is all that the storage asks of a file system: one directory with
// files that are written once, made durable, and given their names. Open gives a
// directory of the machine; a Sim is one in memory that crashes and fails as it
// is told to.
package vfs

import (
	"errors"
	"io"
)

// Dir is a directory. Names are without separators. It is safe for concurrent
// use; a file is written by one goroutine. Errors are those of package os.
type Dir interface {
	// Path names the directory in messages.
	Path() string
	// Lock keeps others that lock the directory out until Close. It fails with
	// ErrLocked where another has it.
	Lock() error
	// List returns the names in the directory, in order.
	List() ([]string, error)
	// Create makes a file, which must not be there yet.
	Create(name string) (File, error)
	// Read returns the content of a file.
	Read(name string) ([]byte, error)
	// Map returns the content of a file, which stays readable when the file is
	// removed. Package fault makes errors of what cannot be read.
	Map(name string) (*Mapping, error)
	// Rename renames a file, and replaces a file that has the new name. What
	// has either name after a crash is one of the two files, whole.
	Rename(from, to string) error
	Remove(name string) error
	// Sync makes durable which names there are and what they stand for.
	Sync() error
	// Close releases the lock. Mappings stay valid.
	Close() error
}

// File is a file that is being written. What was written is durable when Sync
// has succeeded, and its name when the directory's Sync has.
type File interface {
	io.Writer
	Sync() error
	Close() error
}

// Mapping is the content of a file.
type Mapping struct {
	Data    []byte // not to be changed
	whole   func() error
	release func()
}

// Whole fails where the file has become shorter than it was when it was mapped. What
// is read there is a fault, but zeros up to the end of the page. A file that was
// removed is whole.
func (m *Mapping) Whole() error {
	if m.whole == nil {
		return nil
	}
	return m.whole()
}

// Release ends the mapping: nobody may read Data any more.
func (m *Mapping) Release() {
	if m.release != nil {
		m.release()
	}
}

// ErrLocked is the error of Lock where another has the lock.
var ErrLocked = errors.New("another process has it open")
