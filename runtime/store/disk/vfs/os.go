package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// lockName is the file that versions of before there was a lock on the directory
// lock. It is locked as well, to keep them out.
const lockName = "LOCK"

// The permissions of what the storage makes: its owner's alone.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// osDir is a directory of the machine. All names are looked up in the directory
// that was opened, even when it has been moved since.
type osDir struct {
	path string
	make bool // what is missing may be made
	root *os.Root
	self *os.File // the directory, for its lock and for Sync
	lock *os.File // the file of lockName
}

// Open opens a directory, to be read alone without create. With it, it is made where there is none, readable for
// its owner alone, and durable before Open returns.
func Open(path string, create bool) (Dir, error) {
	if create {
		if err := makeDir(filepath.Clean(path), syncDir); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, err
	}
	return &osDir{path: path, make: create, root: root, self: self}, nil
}

// makeDir makes a directory and those above it, and has sync make each durable in the
// one above.
func makeDir(path string, sync func(path string) error) error {
	if info, err := os.Stat(path); err == nil {
		if !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: path, Err: errors.New("it is not a directory")}
		}
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := makeDir(parent, sync); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return sync(parent)
}

// syncDir makes the entries of a directory durable.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// Path implements Dir.
func (d *osDir) Path() string { return d.path }

// Lock implements Dir. The lock is on the directory itself, so that no file of it
// matters.
func (d *osDir) Lock() error {
	if err := lockFile(d.self); err != nil {
		return err
	}
	flags := os.O_RDONLY
	if d.make {
		flags = os.O_RDWR | os.O_CREATE
	}
	f, err := d.root.OpenFile(lockName, flags, fileMode)
	if errors.Is(err, fs.ErrNotExist) && !d.make {
		return nil
	}
	if err != nil {
		return err
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return err
	}
	d.lock = f
	return nil
}

// List implements Dir.
func (d *osDir) List() ([]string, error) {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	names := lists.Map(entries, func(e fs.DirEntry) string { return e.Name() })
	slices.Sort(names)
	return names, err
}

// Create implements Dir.
func (d *osDir) Create(name string) (File, error) {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Read implements Dir.
func (d *osDir) Read(name string) ([]byte, error) {
	f, info, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

// open opens a regular file for reading. What else might stand there, such as a
// FIFO, is not waited for.
func (d *osDir) open(name string) (*os.File, os.FileInfo, error) {
	f, err := d.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a regular file")}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Map implements Dir.
func (d *osDir) Map(name string) (*Mapping, error) {
	f, info, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := mapFile(f, info.Size(), filepath.Join(d.path, name))
	if err == nil {
		m.whole = func() error { return d.hasSize(name, info.Size()) }
	}
	return m, err
}

// hasSize fails where a file is there and shorter than size.
func (d *osDir) hasSize(name string, size int64) error {
	info, err := d.root.Stat(name)
	if err != nil || info.Size() >= size {
		return nil // it was removed, or the directory is closed
	}
	return fmt.Errorf("it has %d bytes instead of %d", info.Size(), size)
}

// Rename implements Dir.
func (d *osDir) Rename(from, to string) error { return d.root.Rename(from, to) }

// Remove implements Dir.
func (d *osDir) Remove(name string) error { return d.root.Remove(name) }

// Sync implements Dir.
func (d *osDir) Sync() error { return d.self.Sync() }

// Close implements Dir.
func (d *osDir) Close() error {
	var lock error
	if d.lock != nil {
		lock = d.lock.Close()
	}
	return errors.Join(lock, d.self.Close(), d.root.Close())
}

// private does what Private says: PostgreSQL refuses such directories.
func (d *osDir) private(names []string) error {
	info, err := d.self.Stat()
	if err != nil || info.Mode().Perm()&0o027 == 0 {
		return err
	}
	if err := d.self.Chmod(dirMode); err != nil {
		return err
	}
	for _, name := range names {
		if info, err := d.root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := d.root.Chmod(name, fileMode); err != nil {
			return err
		}
	}
	return nil
}

// Private has a directory of the machine, which others than its owner and the owner's
// group may read or its group may change, and the named files in it, become their
// owner's alone.
func Private(dir Dir, names []string) error {
	if d, ok := dir.(*osDir); ok && hasPermissions {
		return d.private(names)
	}
	return nil
}
