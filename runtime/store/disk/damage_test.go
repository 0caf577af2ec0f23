package disk

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

func TestDamageIsFound(t *testing.T) {
	dir, want := sample(t)
	names := slices.DeleteFunc(files(t, dir), func(s string) bool { return s == "LOCK" })
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, rapid.SampledFrom(names).Draw(t, "file"))
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damaged := slices.Clone(sound)
		if rapid.Bool().Draw(t, "cut") {
			damaged = damaged[:rapid.IntRange(0, len(damaged)-1).Draw(t, "length")]
		} else {
			damaged[rapid.IntRange(0, len(damaged)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
		}
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := reopen(dir)
		var e *value.Error
		switch {
		case errors.As(err, &e) && e.Code == value.CodeDataCorrupted && strings.Contains(e.Message, filepath.Base(path)):
		case err != nil:
			t.Fatalf("not the error that was expected: %v", err)
		case !reflect.DeepEqual(got, want): // padding may be damaged without harm
			t.Fatalf("damage was not found")
		}
		if err := os.WriteFile(path, sound, 0o644); err != nil {
			t.Fatal(err)
		}
	})
}

// reopen reads all of a directory.
func reopen(dir string) (map[string]any, error) {
	c, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return contents(c.State())
}

func TestMissingFileIsAnError(t *testing.T) {
	dir, _ := sample(t)
	for _, name := range files(t, dir) {
		if _, ours := numberOf(name); !ours {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		_, err := reopen(dir)
		var e *value.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, name) {
			t.Errorf("%s is missing: %v", name, err)
		}
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLeftoversAreRemoved(t *testing.T) {
	dir, want := sample(t)
	before := files(t, dir)
	m, err := readManifest(openVFS(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{draftName("00000099.segment", m.Database), draftName(manifestName, m.Database)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half of a file"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	foreign := []string{"00000099.segment", "00000100.table", "00000101.segment." + newIdentity() + ".new", "MANIFEST.new", "notes.txt"}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("keep"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := reopen(dir)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	after := append(before, foreign...)
	slices.Sort(after)
	if got := files(t, dir); !reflect.DeepEqual(got, after) {
		t.Errorf("expected %v, found %v", after, got)
	}
}

func TestFailedCommitChangesNothing(t *testing.T) {
	dir, want := sample(t)
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// A directory in the manifest's way makes its writing fail.
	m, err := readManifest(openVFS(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	blocker := filepath.Join(dir, draftName(manifestName, m.Database))
	if err := os.MkdirAll(filepath.Join(blocker, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	fail := func() error {
		return commit(c, func(tx *store.Tx) error {
			return insert(tx, "t", [][]value.Value{{{Kind: value.Int, I: 1}, {Kind: value.Text, S: "new"}, {}}})
		})
	}
	var e *value.Error
	if err := fail(); !errors.As(err, &e) || e.Code != value.CodeIO {
		t.Errorf("got %v", err)
	}
	if got, err := contents(c.State()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the state has changed: %v", err)
	}
	if err := os.RemoveAll(blocker); err != nil {
		t.Fatal(err)
	}
	if err := fail(); err != nil {
		t.Errorf("the next commit: %v", err)
	}
}
