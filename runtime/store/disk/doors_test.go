package disk

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// refused checks that a directory does not open, with a code and a word of the
// message, and that nothing in it has changed.
func refused(t *testing.T, dir, code, word string) {
	t.Helper()
	before := contentsOf(t, dir)
	_, err := reopen(dir)
	var e *value.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, word) {
		t.Errorf("want %s about %q, got %v", code, word, err)
	} else if code != value.CodeDataCorrupted && e.Hint == "" {
		t.Errorf("%v does not say what to do", err)
	}
	if after := contentsOf(t, dir); !reflect.DeepEqual(after, before) {
		t.Errorf("before %d files, after %d, or their contents differ", len(before), len(after))
	}
}

// contentsOf reads all files of a directory but its lock.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range files(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if name != "LOCK" {
			out[name] = string(b)
		}
	}
	return out
}

func TestDirectoryWithoutManifestIsRefused(t *testing.T) {
	dir, want := sample(t)
	manifest := filepath.Join(dir, manifestName)
	if err := os.Rename(manifest, manifest+".away"); err != nil {
		t.Fatal(err)
	}
	refused(t, dir, value.CodeDataCorrupted, "MANIFEST")
	if err := os.Rename(manifest+".away", manifest); err != nil {
		t.Fatal(err)
	}
	if got, err := reopen(dir); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("with the manifest again: %v", err)
	}
}

func TestIncompleteRestoreIsRefused(t *testing.T) {
	source, _ := sample(t)
	for _, name := range files(t, source) {
		if _, ours := numberOf(name); !ours {
			continue
		}
		dir := t.TempDir()
		copyFile(t, filepath.Join(source, name), filepath.Join(dir, name))
		refused(t, dir, value.CodeDataCorrupted, "MANIFEST")
	}
}

func TestForeignDirectoryIsRefused(t *testing.T) {
	for _, name := range []string{"notes.txt", "00000001.txt", "server.log"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("keep"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		refused(t, dir, value.CodeNotInState, name)
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("the permissions of %s changed", dir)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "1.segment"), []byte("a word of somebody else"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, dir, value.CodeDataCorrupted, "1.segment")
}

func TestFilesOfAnotherDatabaseStay(t *testing.T) {
	dir, want := sample(t)
	other, _ := sample(t)
	for _, name := range files(t, other) {
		if number, ours := numberOf(name); ours && number > 0 {
			copyFile(t, filepath.Join(other, name), filepath.Join(dir, "000001"+name[6:]))
		}
	}
	before := contentsOf(t, dir)
	if got, err := reopen(dir); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v", err)
	}
	after := contentsOf(t, dir)
	for name, content := range before {
		if name != manifestName && after[name] != content {
			t.Errorf("%s is gone or has changed", name)
		}
	}
}

// A directory that holds an old state gets the files of a newer backup, but not yet
// its manifest.
func TestRestoreOverAnOlderStateLosesNothing(t *testing.T) {
	dir, _ := sample(t)
	older := t.TempDir()
	for _, name := range files(t, dir) {
		copyFile(t, filepath.Join(dir, name), filepath.Join(older, name))
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = commit(c, func(tx *store.Tx) error {
		return insert(tx, "t", [][]value.Value{{{Kind: value.Int, I: 7}, {Kind: value.Text, S: "newer"}, {}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := contents(c.State())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, dir) {
		if name != manifestName {
			copyFile(t, filepath.Join(dir, name), filepath.Join(older, name))
		}
	}
	if _, err := reopen(older); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(dir, manifestName), filepath.Join(older, manifestName))
	if got, err := reopen(older); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("with the backup's manifest: %v", err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestExchangedFilesAreFound(t *testing.T) {
	dir := t.TempDir()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		err := commit(c, func(tx *store.Tx) error { return createWith(tx, name, name) })
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for _, extension := range []string{tableExtension, segmentExtension} {
		paths, err := filepath.Glob(filepath.Join(dir, "*"+extension))
		if err != nil || len(paths) != 2 {
			t.Fatalf("%v, %v", paths, err)
		}
		exchange(t, paths[0], paths[1])
		refused(t, dir, value.CodeDataCorrupted, filepath.Base(paths[0]))
		exchange(t, paths[0], paths[1])
	}
	if _, err := reopen(dir); err != nil {
		t.Error(err)
	}
}

// createWith makes a table of two columns with one row.
func createWith(tx *store.Tx, name, text string) error {
	table, err := newTable(name, []algebra.Type{algebra.TInt32, algebra.TText})
	if err != nil {
		return err
	}
	if err := tx.Create(ctx, table, false); err != nil {
		return err
	}
	return insert(tx, name, [][]value.Value{{{Kind: value.Int, I: 1}, {Kind: value.Text, S: text}}})
}

func exchange(t *testing.T, a, b string) {
	t.Helper()
	for _, move := range [][2]string{{a, a + ".away"}, {b, a}, {a + ".away", b}} {
		if err := os.Rename(move[0], move[1]); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLockFileIsNotTheLock(t *testing.T) {
	dir, _ := sample(t)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := os.Remove(filepath.Join(dir, "LOCK")); err != nil {
		t.Fatal(err)
	}
	var e *value.Error
	if _, err := Open(dir); !errors.As(err, &e) || e.Code != value.CodeObjectInUse {
		t.Errorf("without LOCK: %v", err)
	}
}

func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "above", "db")
	open := func() {
		c, err := Open(dir)
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	mode := func(path string, want os.FileMode) {
		t.Helper()
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v instead of %v", path, err, info.Mode().Perm(), want)
		}
	}
	open()
	mode(dir, 0o700)
	for _, name := range files(t, dir) {
		mode(filepath.Join(dir, name), 0o600)
	}
	for _, was := range []os.FileMode{0o755, 0o750} {
		for _, path := range []string{dir, filepath.Join(dir, "LOCK")} {
			if err := os.Chmod(path, was); err != nil {
				t.Fatal(err)
			}
		}
		open()
		if was == 0o755 {
			mode(filepath.Join(dir, "LOCK"), 0o600)
			was = 0o700
		}
		mode(dir, was)
	}
}
