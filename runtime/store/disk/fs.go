package disk

import (
	"bufio"
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/cubeloom/cubeloom/planner/value"
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

// writeFile makes a new file with what write writes and makes it durable. A
// file that cannot be written is removed.
func writeFile(path string, write func(w io.Writer) error) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return ioError("could not create file %q: %v", path, err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = ioError("could not close file %q: %v", path, cerr)
		}
		if err != nil {
			os.Remove(path)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		return ioError("could not write file %q: %v", path, err)
	}
	if err := w.Flush(); err != nil {
		return ioError("could not write file %q: %v", path, err)
	}
	if err := f.Sync(); err != nil {
		return ioError("could not fsync file %q: %v", path, err)
	}
	return nil
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return ioError("could not open directory %q: %v", dir, err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return ioError("could not fsync directory %q: %v", dir, err)
	}
	return nil
}
