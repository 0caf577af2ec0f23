package fileaccess

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cubeloom/cubeloom/sql/value"
)

// NewDirectory is a directory that is being filled with files.
type NewDirectory struct {
	name   string // as SQL wrote it
	parent *os.Root
	base   string
	made   bool // it was not there before
	root   *os.Root
}

// MakeDirectory makes a directory, its owner's alone, or takes an empty one. It fails
// with 58P02 where there is one that is not empty. Close or Discard ends it.
func MakeDirectory(a Access, name string) (*NewDirectory, error) {
	parent, base, err := a.Directory(filepath.Clean(name))
	if err != nil {
		return nil, err
	}
	d := &NewDirectory{name: name, parent: parent, base: base}
	if err := d.open(); err != nil {
		if d.made {
			parent.Remove(base)
		}
		parent.Close()
		return nil, err
	}
	return d, nil
}

func (d *NewDirectory) open() error {
	err := d.parent.Mkdir(d.base, 0o700)
	d.made = err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return withState(err, "could not create directory %q: %s", d.name, reason(err))
	}
	info, err := d.parent.Stat(d.base)
	if err == nil && !info.IsDir() {
		return value.Errorf(value.CodeWrongObjectType, "%q is not a directory", d.name)
	}
	if err == nil {
		d.root, err = d.parent.OpenRoot(d.base)
	}
	if err != nil {
		return withState(err, "could not open directory %q: %s", d.name, reason(err))
	}
	if err := d.mustBeEmpty(); err != nil {
		return errors.Join(err, d.root.Close())
	}
	return nil
}

func (d *NewDirectory) mustBeEmpty() error {
	f, err := d.root.Open(".")
	if err != nil {
		return withState(err, "could not open directory %q: %s", d.name, reason(err))
	}
	defer f.Close()
	switch _, err := f.Readdirnames(1); err {
	case io.EOF:
		return nil
	case nil:
		return value.Errorf(value.CodeDuplicateFile, "directory %q is not empty", d.name)
	default:
		return withState(err, "could not read directory %q: %s", d.name, reason(err))
	}
}

// Sync makes the names of the directory's files, and its own, durable.
func (d *NewDirectory) Sync() error {
	for _, root := range []*os.Root{d.root, d.parent} {
		f, err := root.Open(".")
		if err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
		if err != nil {
			return withState(err, "could not sync directory %q: %v", d.name, err)
		}
	}
	return nil
}

// Close ends the use of the directory, which stays.
func (d *NewDirectory) Close() {
	d.root.Close()
	d.parent.Close()
}

// Discard removes files that were made in the directory, and the directory where
// MakeDirectory made it and nobody has put another file there.
func (d *NewDirectory) Discard(files []string) {
	for _, name := range files {
		d.root.Remove(name)
	}
	if d.made {
		d.parent.Remove(d.base)
	}
	d.Close()
}
