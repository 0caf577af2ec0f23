//go:build unix

package vfs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql/value"
)

// opened makes a directory with a file of a number of bytes, all of them 7.
func opened(t *testing.T, bytes int) (dir Dir, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "db")
	dir, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	f, err := dir.Create("file")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(strings.Repeat("\x07", bytes))); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Sync(), f.Close(), dir.Sync()); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

// total keeps the compiler from leaving sums out.
var total int

func sum(b []byte) (n int) {
	for _, x := range b {
		n += int(x)
	}
	return n
}

func TestFaultIsAnError(t *testing.T) {
	dir, path := opened(t, 100_000)
	m, err := dir.Map("file")
	if err != nil {
		t.Fatal(err)
	}
	if err := fault.Call(func() { total = sum(m.Data) }); err != nil || m.Whole() != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(path, "file"), 5000); err != nil {
		t.Fatal(err)
	}
	err = fault.Call(func() { total = sum(m.Data) })
	var e *value.Error
	if !errors.As(err, &e) || e.Code != value.CodeDataCorrupted || !strings.Contains(e.Message, filepath.Join(path, "file")) || !strings.Contains(e.Message, "byte 8192") {
		t.Errorf("got %v", err)
	}
	if m.Whole() == nil {
		t.Error("a file that was cut off is whole")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("another panic became an error")
			}
		}()
		_ = fault.Call(func() { panic("a defect") })
	}()
	m.Release()
}

// TestNewDirectoriesAreSynced has the directory above each new one synced once that
// exists, and a sync that fails be the error of all.
func TestNewDirectoriesAreSynced(t *testing.T) {
	top := t.TempDir()
	above := filepath.Join(top, "above")
	path := filepath.Join(above, "db")
	var synced []string
	record := func(dir string) error {
		made := map[string]string{top: above, above: path}[dir]
		if _, err := os.Stat(made); err != nil {
			t.Error(err)
		}
		synced = append(synced, dir)
		return syncDir(dir)
	}
	for range 2 { // the second finds them made
		if err := makeDir(path, record); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(synced, []string{top, above}) {
		t.Errorf("synced %v", synced)
	}
	failed := errors.New("no sync")
	if err := makeDir(filepath.Join(path, "x"), func(string) error { return failed }); err != failed {
		t.Errorf("got %v", err)
	}
}

func TestRemovedFileStaysMapped(t *testing.T) {
	dir, _ := opened(t, 9000)
	m, err := dir.Map("file")
	if err == nil {
		err = dir.Remove("file")
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := sum(m.Data); n != 7*9000 || m.Whole() != nil {
		t.Errorf("the sum is %d, %v", n, m.Whole())
	}
	m.Release()
}

// What is moved away while it is open stays what is used.
func TestDirectoryThatMoves(t *testing.T) {
	dir, path := opened(t, 10)
	if err := os.Rename(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	if err := dir.Rename("file", "other"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(path+"2", "other")); err != nil {
		t.Error(err)
	}
}

func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir, path := opened(t, 10)
	if err := syscall.Mkfifo(filepath.Join(path, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(path, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fifo", "link", "."} {
		if _, err := dir.Map(name); err == nil {
			t.Errorf("%s was mapped", name)
		}
		if _, err := dir.Read(name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	if _, err := dir.Create("file"); !errors.Is(err, os.ErrExist) {
		t.Errorf("a file that is there was made: %v", err)
	}
}

// A directory can be read where nothing can be written, and that makes no file.
func TestLockForReading(t *testing.T) {
	dir, path := opened(t, 10)
	reader, err := Open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := reader.Lock(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(path, lockName)); err == nil {
		t.Error("a file was made")
	}
	if err := dir.Lock(); !errors.Is(err, ErrLocked) {
		t.Errorf("locked twice: %v", err)
	}
}
