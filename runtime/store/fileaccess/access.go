// Package fileaccess says which files of the machine SQL may read and write, and
// opens them. Whatever opens a file that a statement names asks an Access.
package fileaccess

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Access opens the files that SQL names. Errors have SQLSTATEs. It is safe for
// concurrent use.
type Access interface {
	// Open opens a regular file for reading, and no other.
	Open(name string) (*os.File, error)
	// Stream opens a file that is read once, from its start to its end: where the
	// Access allows it a FIFO or a device too, whose reading ends with ctx.
	Stream(ctx context.Context, name string) (io.ReadCloser, error)
	// Glob returns the names of the files that match a pattern of path/filepath, in
	// order; none where it is no valid pattern.
	Glob(pattern string) ([]string, error)
	// Directory opens the directory of a file that is to be written, and returns the
	// file's name in it.
	Directory(name string) (dir *os.Root, base string, err error)
}

// sqlstates are the SQLSTATEs of what goes wrong with a file; other errors have
// that of an I/O error.
var sqlstates = map[syscall.Errno]string{
	syscall.ENOENT:       value.CodeUndefinedFile,
	syscall.EACCES:       value.CodeInsufficientPrivilege,
	syscall.EPERM:        value.CodeInsufficientPrivilege,
	syscall.EROFS:        value.CodeInsufficientPrivilege,
	syscall.EISDIR:       value.CodeWrongObjectType,
	syscall.ENOTDIR:      value.CodeWrongObjectType,
	syscall.ENOSPC:       value.CodeDiskFull,
	syscall.EDQUOT:       value.CodeDiskFull,
	syscall.EMFILE:       value.CodeInsufficientResources,
	syscall.ENFILE:       value.CodeInsufficientResources,
	syscall.ENAMETOOLONG: value.CodeInvalidParameter,
	syscall.ELOOP:        value.CodeInvalidParameter,
}

// openError is PostgreSQL's error for a file that cannot be opened; purpose is
// "reading" or "writing".
func openError(name, purpose string, err error) error {
	return withState(err, "could not open file %q for %s: %s", name, purpose, reason(err))
}

// WriteError is PostgreSQL's error for a file that cannot be written to.
func WriteError(name string, err error) error {
	return withState(err, "could not write to file %q: %s", name, reason(err))
}

// withState makes an error with the SQLSTATE of what the system said.
func withState(err error, format string, args ...any) error {
	code := value.CodeIO
	var errno syscall.Errno
	if errors.As(err, &errno) && sqlstates[errno] != "" {
		code = sqlstates[errno]
	}
	return value.Errorf(code, format, args...)
}

// reason is what the system said, as C's strerror writes it.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	text := err.Error()
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}

// errNotRegular refuses a file that is none.
func errNotRegular(name string, mode fs.FileMode) error {
	if mode.IsDir() {
		return value.Errorf(value.CodeWrongObjectType, "%q is a directory", name)
	}
	return value.Errorf(value.CodeWrongObjectType, "%q is not a regular file", name)
}

// checked returns an open file if it is a regular one, and closes it otherwise.
func checked(f *os.File, name string) (*os.File, fs.FileInfo, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		err = openError(name, "reading", err)
	case !info.Mode().IsRegular():
		err = errNotRegular(name, info.Mode())
	default:
		return f, info, nil
	}
	f.Close()
	return nil, nil, err
}
