package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ioError is an error of the file system; a full disk has its own code.
func ioError(format, path string, err error) error {
	code := value.CodeIO
	if errors.Is(err, syscall.ENOSPC) {
		code = value.CodeDiskFull
	}
	return value.Errorf(code, format, path, err)
}

// corrupted says that a file is not as it was written.
func corrupted(path string, err error) error {
	return value.Errorf(value.CodeDataCorrupted, "file %q is damaged: %v", path, err)
}

// errSync marks a failed sync. The system may have forgotten what it did not
// write, and a sync that succeeds later says nothing about it: whatever relies on
// the files of this run is over.
var errSync = errors.New("what was written may not be durable")

// draftName is what a file is called until it is complete and durable. The
// database's identity in it, as its origin, makes sure that nobody else made it.
func draftName(name, origin string) string { return name + "." + origin + draftExtension }

const draftExtension = ".new"

// writeFile makes a new file with what write writes, complete and durable but for
// its name. A file that cannot be written is removed.
func writeFile(dir vfs.Dir, name, origin string, write func(w io.Writer) error) error {
	draft := draftName(name, origin)
	err := writeDraft(dir, draft, write)
	if err == nil {
		if err = dir.Rename(draft, name); err != nil {
			err = ioError("could not rename file %q: %v", filepath.Join(dir.Path(), draft), err)
		}
	}
	if err != nil {
		_ = dir.Remove(draft) // the next Open removes it where this fails
	}
	return err
}

// writers are the buffers of files that are being written.
var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 1<<20) }}

// writeDraft makes a file and makes its content durable.
func writeDraft(dir vfs.Dir, draft string, write func(w io.Writer) error) error {
	path := filepath.Join(dir.Path(), draft)
	f, err := dir.Create(draft)
	if errors.Is(err, fs.ErrExist) { // it was left, and its name says that it is ours
		_ = dir.Remove(draft) // Create says what is wrong where this fails
		f, err = dir.Create(draft)
	}
	if err != nil {
		return ioError("could not create file %q: %v", path, err)
	}
	w := writers.Get().(*bufio.Writer)
	w.Reset(f)
	defer func() {
		w.Reset(nil)
		writers.Put(w)
	}()
	err = encodeTo(w, write)
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		f.Close()
		var source *value.Error
		if errors.As(err, &source) { // what was to be written cannot be read
			return source
		}
		return ioError("could not write file %q: %v", path, err)
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return fmt.Errorf("%w: %w", errSync, ioError("could not fsync file %q: %v", path, err))
	}
	if err := f.Close(); err != nil {
		return ioError("could not close file %q: %v", path, err)
	}
	return nil
}

// encodeTo calls write, which may read mapped files.
func encodeTo(w io.Writer, write func(io.Writer) error) (err error) {
	defer fault.Guard()(&err)
	return write(w)
}

// syncDir makes the names in a directory durable.
func syncDir(dir vfs.Dir) error {
	if err := dir.Sync(); err != nil {
		return fmt.Errorf("%w: %w", errSync, ioError("could not fsync directory %q: %v", dir.Path(), err))
	}
	return nil
}
