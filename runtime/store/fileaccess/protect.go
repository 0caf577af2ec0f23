package fileaccess

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// isSystemError reports whether an error comes from the system.
func isSystemError(err error) bool {
	var errno syscall.Errno
	return errors.As(err, &errno)
}

// isProtected reports whether a file is a protected one, or one below a protected
// directory. Files are compared by identity, so that no other name, no link and no
// mount leads to them.
func (f *Folder) isProtected(file fs.FileInfo) bool {
	found := false
	for _, p := range f.protected {
		filepath.WalkDir(p, func(_ string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil // it does not exist, or not any more
			}
			if info, err := e.Info(); err == nil && os.SameFile(info, file) {
				found = true
				return fs.SkipAll
			}
			return nil
		})
	}
	return found
}

// mayWrite gives fs.ErrPermission for a file that is protected, that would be one
// if it existed, or that would lie below a protected directory.
func (f *Folder) mayWrite(dir *os.Root, base string) error {
	place, err := dir.Stat(".")
	if err != nil {
		return err
	}
	if f.isProtected(place) {
		return fs.ErrPermission
	}
	if info, err := dir.Stat(base); err == nil && f.isProtected(info) {
		return fs.ErrPermission
	}
	for _, p := range f.protected {
		parent, err := os.Stat(filepath.Dir(p))
		if err == nil && os.SameFile(parent, place) && strings.EqualFold(filepath.Base(p), base) {
			return fs.ErrPermission
		}
	}
	return nil
}
