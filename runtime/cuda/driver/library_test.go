package driver

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

func TestFilesInPrefersTheNewest(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "lib64"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"libx.so", "libx.so.9", "libx.so.12.4", "libx.so.12", "libx-more.so.13", "lib64/libx.so.13"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, path := range filesIn("libx.so", "", filepath.Join(dir, "missing"), dir) {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name)
	}
	want := []string{"libx.so.12.4", "libx.so.12", "libx.so.9", "libx.so", "lib64/libx.so.13"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A library that is no library, and one that is not there, are errors that say
// what was tried.
func TestLibraryThatIsMissing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(PathVariable, dir)
	bad := filepath.Join(dir, "libcubeloom-missing.so.2")
	if err := os.WriteFile(bad, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := sqlstate.Try(func() library { return openLibrary("libcubeloom-missing.so", "", ".1") })
	if err == nil || !strings.Contains(err.Error(), bad) || !strings.Contains(err.Error(), "libcubeloom-missing.so.1") {
		t.Errorf("got %v", err)
	}
}

func TestErrorKinds(t *testing.T) {
	for code, want := range map[int]error{2: cuda.ErrOutOfMemory, 700: cuda.ErrLost, 719: cuda.ErrLost, 1: nil} {
		err := error(&Error{Call: "cuLaunchKernel", Code: code, Name: "CUDA_ERROR", Text: "text"})
		for _, kind := range []error{cuda.ErrOutOfMemory, cuda.ErrLost} {
			if errors.Is(err, kind) != (kind == want) {
				t.Errorf("%v: is %v: %t", err, kind, kind != want)
			}
		}
	}
}

func TestCopyParallel(t *testing.T) {
	src := make([]byte, 3*copyBlock+17)
	for i := range src {
		src[i] = byte(i * 7 >> 3)
	}
	dst := make([]byte, len(src)+1)
	if err := copyParallel(dst, src); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(dst[:len(src)], src) || dst[len(src)] != 0 {
		t.Error("the copy differs")
	}
}
