package fileaccess

import (
	"context"
	"io"
	"os"
	"path/filepath"
)

// Machine opens all files that the process may open: it is for the user who runs it.
type Machine struct{}

// Open implements Access.
func (Machine) Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, openError(name, "reading", err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular(name, info.Mode())
	}
	f, err := os.OpenFile(name, readFlags, 0)
	if err != nil {
		return nil, openError(name, "reading", err)
	}
	f, _, err = checked(f, name)
	return f, err
}

// Stream implements Access.
func (Machine) Stream(ctx context.Context, name string) (io.ReadCloser, error) {
	f, err := os.OpenFile(name, readFlags, 0)
	if err != nil {
		return nil, openError(name, "reading", err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = openError(name, "reading", err)
	case info.IsDir():
		err = errNotRegular(name, info.Mode())
	default:
		return &stream{ctx: ctx, f: f, regular: info.Mode().IsRegular()}, nil
	}
	f.Close()
	return nil, err
}

// Glob implements Access.
func (Machine) Glob(pattern string) ([]string, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, nil
	}
	return names, nil
}

// Directory implements Access.
func (Machine) Directory(name string) (*os.Root, string, error) {
	real, err := resolve(name)
	if err != nil {
		return nil, "", openError(name, "writing", err)
	}
	dir, err := os.OpenRoot(filepath.Dir(real))
	if err != nil {
		return nil, "", openError(name, "writing", err)
	}
	return dir, filepath.Base(real), nil
}

// resolve follows the links of a path, of which the last part need not exist.
func resolve(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if !os.IsNotExist(err) {
		return real, err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	return filepath.Join(dir, filepath.Base(name)), err
}
