//go:build unix

package fileaccess

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cubeloom/cubeloom/sql/value"
)

func TestFIFOsEndWithTheirContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Machine{}.Open(path)
	wantCode(t, "open", err, value.CodeWrongObjectType)
	writers := map[string]func(){
		"nobody writes":        func() {},
		"somebody has stopped": func() { os.OpenFile(path, os.O_RDWR, 0) },
	}
	for name, prepare := range writers {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		prepare()
		in, err := Machine{}.Stream(ctx, path)
		if err != nil {
			t.Fatal(name, err)
		}
		began := time.Now()
		if _, err = io.ReadAll(in); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > time.Second {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
		in.Close()
		cancel()
	}
}

func TestFIFOsAreReadToTheirEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := Machine{}.Stream(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	go func() {
		time.Sleep(120 * time.Millisecond) // longer than a reader waits at a time
		out, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		for range 3 {
			out.WriteString("line\n")
			time.Sleep(60 * time.Millisecond)
		}
		out.Close()
	}()
	if text, err := io.ReadAll(in); err != nil || string(text) != "line\nline\nline\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestDevicesEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	in, err := Machine{}.Stream(ctx, "/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := io.Copy(io.Discard, in); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	_, err = Machine{}.Open("/dev/zero")
	wantCode(t, "open", err, value.CodeWrongObjectType)
	_, err = Create(Machine{}, "/dev/null")
	wantCode(t, "create", err, value.CodeWrongObjectType)
}

// TestFilesKeepTheirMode replaces files of several modes, and makes a new one.
func TestFilesKeepTheirMode(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []os.FileMode{0o600, 0o640, 0o664} {
		path := filepath.Join(dir, "x")
		write(t, path, "before")
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		p, err := Create(Machine{}, path)
		if err != nil {
			t.Fatal(err)
		}
		p.Write([]byte("after"))
		if text, _ := os.ReadFile(path); string(text) != "before" {
			t.Errorf("the file was %q before it was complete", text)
		}
		if err := p.Commit(); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(path)
		if info, err := os.Stat(path); err != nil || info.Mode() != mode || string(text) != "after" {
			t.Errorf("%v: %q, %v", info.Mode(), text, err)
		}
	}
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	p, err := Create(Machine{}, filepath.Join(dir, "new"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "new")); err != nil || info.Mode() != 0o640 {
		t.Errorf("a new file: %v, %v", info.Mode(), err)
	}
	if p, err = Create(Machine{}, filepath.Join(dir, "aborted")); err != nil {
		t.Fatal(err)
	}
	p.Abort()
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}
