//go:build unix

package fileaccess

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cubeloom/cubeloom/sql/value"
)

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	var e *value.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: got %v, want %s", what, err, code)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

// folder makes a folder with files, links and things that are neither, which
// protects the directory db, the file users and one that does not exist.
func folder(t *testing.T) (*Folder, string) {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "files")
	write(t, filepath.Join(base, "secret"), "secret\n")
	write(t, filepath.Join(base, "users"), "users\n")
	write(t, filepath.Join(dir, "a.csv"), "a\n")
	write(t, filepath.Join(dir, "sub", "b.csv"), "b\n")
	write(t, filepath.Join(dir, "db", "MANIFEST"), "manifest\n")
	write(t, filepath.Join(dir, "db", "deep", "server.key"), "key\n")
	link(t, "../secret", filepath.Join(dir, "out.csv"))
	link(t, filepath.Join(base, "secret"), filepath.Join(dir, "absolute.csv"))
	link(t, "..", filepath.Join(dir, "up"))
	link(t, "sub/b.csv", filepath.Join(dir, "in.csv"))
	link(t, filepath.Join(dir, "sub"), filepath.Join(dir, "absolute"))
	link(t, "db/MANIFEST", filepath.Join(dir, "manifest.csv"))
	link(t, "db", filepath.Join(dir, "data"))
	link(t, "loop.csv", filepath.Join(dir, "loop.csv"))
	link(t, "/dev/zero", filepath.Join(dir, "zero.csv"))
	if err := os.Link(filepath.Join(base, "users"), filepath.Join(dir, "hard.csv")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "fifo.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(dir, filepath.Join(dir, "db"), filepath.Join(base, "users"), filepath.Join(dir, "rules"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, dir
}

func TestFolderReadsBelowOnly(t *testing.T) {
	f, dir := folder(t)
	for name, want := range map[string]string{
		"a.csv": "a\n", "sub/b.csv": "b\n", "in.csv": "b\n", "absolute/b.csv": "b\n", "sub/../a.csv": "a\n",
		filepath.Join(dir, "a.csv"): "a\n", "./a.csv": "a\n",
	} {
		file, err := f.Open(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, _ := io.ReadAll(file); string(text) != want {
			t.Errorf("%s: read %q", name, text)
		}
		file.Close()
	}
	for name, code := range map[string]string{
		"../secret": value.CodeInsufficientPrivilege, "/etc/passwd": value.CodeInsufficientPrivilege,
		"out.csv": value.CodeInsufficientPrivilege, "absolute.csv": value.CodeInsufficientPrivilege,
		"up/secret": value.CodeInsufficientPrivilege, "sub/../../secret": value.CodeInsufficientPrivilege,
		filepath.Join(filepath.Dir(dir), "secret"): value.CodeInsufficientPrivilege,
		dir + "x/a.csv": value.CodeInsufficientPrivilege,
		"db/MANIFEST":   value.CodeInsufficientPrivilege, "manifest.csv": value.CodeInsufficientPrivilege,
		"data/MANIFEST": value.CodeInsufficientPrivilege, "db/deep/server.key": value.CodeInsufficientPrivilege,
		"hard.csv": value.CodeInsufficientPrivilege, "zero.csv": value.CodeInsufficientPrivilege,
		"fifo.csv": value.CodeWrongObjectType, "sub": value.CodeWrongObjectType,
		"none.csv": value.CodeUndefinedFile, "a.csv/b": value.CodeWrongObjectType, "loop.csv": value.CodeIO,
		"": value.CodeWrongObjectType, strings.Repeat("x", 300): value.CodeInvalidParameter,
	} {
		_, err := f.Open(name)
		wantCode(t, "open "+name, err, code)
		_, err = f.Stream(context.Background(), name)
		wantCode(t, "stream "+name, err, code)
	}
}

func TestFolderWritesBelowOnly(t *testing.T) {
	f, dir := folder(t)
	for name, code := range map[string]string{
		"../new.csv": value.CodeInsufficientPrivilege, "/tmp/new.csv": value.CodeInsufficientPrivilege,
		"up/new.csv": value.CodeInsufficientPrivilege, "out.csv": value.CodeInsufficientPrivilege,
		"db/new.csv": value.CodeInsufficientPrivilege, "data/MANIFEST": value.CodeInsufficientPrivilege,
		"db/deep/new.csv": value.CodeInsufficientPrivilege, "hard.csv": value.CodeInsufficientPrivilege,
		"rules": value.CodeInsufficientPrivilege, "fifo.csv": value.CodeWrongObjectType,
		"sub": value.CodeWrongObjectType, "none/new.csv": value.CodeUndefinedFile, "db": value.CodeInsufficientPrivilege,
	} {
		_, err := Create(f, name)
		wantCode(t, name, err, code)
	}
	for name, place := range map[string]string{"new.csv": "new.csv", "in.csv": "sub/b.csv", "absolute/c.csv": "sub/c.csv"} {
		p, err := Create(f, name)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := p.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
		if err := p.Commit(); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, place)); string(text) != name {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "in.csv")); err != nil || info.Mode().IsRegular() {
		t.Error("a link was replaced by a file")
	}
}

func TestPatternsBelowTheFolder(t *testing.T) {
	f, dir := folder(t)
	for pattern, want := range map[string]string{
		"*.parquet": "", "a*.csv": "a.csv absolute.csv", "sub/*": "sub/b.csv", "*/b.csv": "sub/b.csv",
		filepath.Join(dir, "sub", "*.csv"): "sub/b.csv", "up/*": "", "[": "",
	} {
		names, err := f.Glob(pattern)
		if err != nil || strings.Join(names, " ") != want {
			t.Errorf("%s: %v, %v", pattern, names, err)
		}
	}
	for _, pattern := range []string{"../*", "/etc/*"} {
		_, err := f.Glob(pattern)
		wantCode(t, pattern, err, value.CodeInsufficientPrivilege)
	}
}

// TestLinksThatChange swaps a link between a file of the folder and others while it
// is opened.
func TestLinksThatChange(t *testing.T) {
	f, dir := folder(t)
	stop := make(chan struct{})
	var swaps sync.WaitGroup
	swaps.Go(func() {
		targets := []string{"a.csv", "../secret", "db/MANIFEST", "sub/b.csv"}
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			os.Symlink(targets[i%len(targets)], filepath.Join(dir, "next"))
			os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "swapped.csv"))
		}
	})
	for end := time.Now().Add(time.Second); time.Now().Before(end); {
		file, err := f.Open("swapped.csv")
		if err != nil {
			continue
		}
		if text, _ := io.ReadAll(file); string(text) != "a\n" && string(text) != "b\n" {
			t.Fatalf("read %q", text)
		}
		file.Close()
	}
	close(stop)
	swaps.Wait()
}

func TestNoneRefusesAll(t *testing.T) {
	_, err := None{}.Open("a.csv")
	wantCode(t, "open", err, value.CodeInsufficientPrivilege)
	_, err = Create(None{}, "a.csv")
	wantCode(t, "create", err, value.CodeInsufficientPrivilege)
	_, err = None{}.Glob("*")
	wantCode(t, "glob", err, value.CodeInsufficientPrivilege)
}
