package fileaccess

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cubeloom/cubeloom/sql/value"
)

// None refuses every file: a server that was given no folder.
type None struct{}

// errNone refuses a file where no folder was given.
func errNone(name string) error {
	e := value.Errorf(value.CodeInsufficientPrivilege, "the server may not open file %q: it was given no folder of files", name)
	e.Hint = "Start it with --files DIR to have it read and write files below DIR. COPY FROM STDIN and TO STDOUT, and psql's \\copy, work without."
	return e
}

// Open implements Access.
func (None) Open(name string) (*os.File, error) { return nil, errNone(name) }

// Stream implements Access.
func (None) Stream(_ context.Context, name string) (io.ReadCloser, error) { return nil, errNone(name) }

// Glob implements Access.
func (None) Glob(pattern string) ([]string, error) { return nil, errNone(pattern) }

// Directory implements Access.
func (None) Directory(name string) (*os.Root, string, error) { return nil, "", errNone(name) }

// Folder opens the regular files below a directory, wherever links lead, but those
// that are protected. Names are relative to the directory, or absolute and below it.
type Folder struct {
	path      string // absolute, as it was given
	real      string // path without links
	root      *os.Root
	protected []string
}

// OpenFolder opens a folder. Protected files, and all below protected directories,
// are not given, whatever name they have in the folder; they need not exist.
func OpenFolder(dir string, protected ...string) (*Folder, error) {
	f := &Folder{}
	var err error
	if f.path, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if f.real, err = filepath.EvalSymlinks(f.path); err != nil {
		return nil, err
	}
	if f.root, err = os.OpenRoot(f.real); err != nil {
		return nil, err
	}
	for _, p := range protected {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		f.protected = append(f.protected, abs)
	}
	return f, nil
}

// Close ends the use of the folder.
func (f *Folder) Close() error { return f.root.Close() }

// relative returns the place of a name below the folder's path, links not followed.
func (f *Folder) relative(name string) (string, error) {
	rel := filepath.Clean(name)
	if filepath.IsAbs(rel) {
		for _, base := range []string{f.path, f.real} {
			if r, err := filepath.Rel(base, rel); err == nil && filepath.IsLocal(r) {
				return r, nil
			}
		}
	}
	if !filepath.IsLocal(rel) {
		return "", f.errOutside(name)
	}
	return rel, nil
}

// resolve returns the place of a name below the folder once links are followed. The
// root looks again when it opens it: links may change.
func (f *Folder) resolve(name, purpose string) (string, error) {
	rel, err := f.relative(name)
	if err != nil {
		return "", err
	}
	real, err := resolve(filepath.Join(f.real, rel))
	if err != nil {
		return "", openError(name, purpose, err)
	}
	rel, err = filepath.Rel(f.real, real)
	if err != nil || !filepath.IsLocal(rel) {
		return "", f.errOutside(name)
	}
	return rel, nil
}

// errOutside refuses a file that does not lie below the folder.
func (f *Folder) errOutside(name string) error {
	e := value.Errorf(value.CodeInsufficientPrivilege, "file %q is outside of the server's folder of files", name)
	e.Hint = "The server reads and writes files below the folder of its option --files only; names are relative to it. psql's \\copy reads and writes files of the client."
	return e
}

// errProtected refuses a file of the server's own.
func errProtected(name string) error {
	return value.Errorf(value.CodeInsufficientPrivilege, "file %q belongs to the server itself", name)
}

// Open implements Access.
func (f *Folder) Open(name string) (*os.File, error) {
	rel, err := f.resolve(name, "reading")
	if err != nil {
		return nil, err
	}
	// A device may do something when it is opened: so it is looked at first.
	info, err := f.root.Stat(rel)
	if err != nil {
		return nil, f.openError(name, "reading", err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular(name, info.Mode())
	}
	file, err := f.root.OpenFile(rel, readFlags, 0)
	if err != nil {
		return nil, f.openError(name, "reading", err)
	}
	file, info, err = checked(file, name)
	if err != nil {
		return nil, err
	}
	if f.isProtected(info) {
		file.Close()
		return nil, errProtected(name)
	}
	return file, nil
}

// openError is the error of the root, which refuses what lies outside with an error
// that is not the system's.
func (f *Folder) openError(name, purpose string, err error) error {
	if !isSystemError(err) {
		return f.errOutside(name)
	}
	return openError(name, purpose, err)
}

// Stream implements Access.
func (f *Folder) Stream(ctx context.Context, name string) (io.ReadCloser, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	return &stream{ctx: ctx, f: file, regular: true}, nil
}

// Glob implements Access.
func (f *Folder) Glob(pattern string) ([]string, error) {
	rel, err := f.relative(pattern)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(directories{f.root}, filepath.ToSlash(rel))
	if err != nil {
		return nil, nil
	}
	return names, nil
}

// Directory implements Access.
func (f *Folder) Directory(name string) (*os.Root, string, error) {
	rel, err := f.resolve(name, "writing")
	if err != nil {
		return nil, "", err
	}
	dir, err := f.root.OpenRoot(filepath.Dir(rel))
	if err != nil {
		return nil, "", f.openError(name, "writing", err)
	}
	base := filepath.Base(rel)
	if err := f.mayWrite(dir, base); err != nil {
		dir.Close()
		if err == fs.ErrPermission {
			err = errProtected(name)
		}
		return nil, "", err
	}
	return dir, base, nil
}

// directories are those of a root, for matching patterns. Nothing else is opened,
// since opening a FIFO may wait.
type directories struct{ root *os.Root }

// Open implements fs.FS.
func (d directories) Open(name string) (fs.File, error) {
	return d.root.OpenFile(name, directoryFlags, 0)
}

// Stat implements fs.StatFS.
func (d directories) Stat(name string) (fs.FileInfo, error) { return d.root.Stat(name) }

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

// mayWrite returns fs.ErrPermission for a file that is protected, that would be one
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
