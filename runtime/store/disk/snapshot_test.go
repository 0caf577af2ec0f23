package disk

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/sim"
)

var backups = flag.Int("backups", 10, "backups of a directory that another process changes, all restored")

// TestBackupUnderLoad takes backups while another process commits without a pause:
// each opens and holds a state that was committed, and not an older one than the last
// that had been when the backup began.
func TestBackupUnderLoad(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "db")
	told := startCopying(t, dir)
	for n := range *backups {
		acknowledged := told()
		to := filepath.Join(base, fmt.Sprint("backup", n))
		s, err := OpenSnapshot(dir, false)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Running {
			t.Error("the directory is not in use")
		}
		if _, err := s.Backup(ctx, to); err != nil {
			t.Fatal(err)
		}
		latest := told()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		c, err := Open(to)
		if err != nil {
			t.Fatalf("backup %d: %v", n, err)
		}
		checkBackup(t, c.State(), acknowledged, latest)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
}

// checkBackup checks that a state is one that copyForever committed between two.
func checkBackup(t *testing.T, s *store.State, acknowledged, latest int64) {
	t.Helper()
	if acknowledged == 0 && s.Lookup("t") == nil {
		return
	}
	rows := s.Lookup("t").(*store.Table).Rows()
	if rows > latest+copyRows {
		t.Errorf("%d rows, but only %d were acknowledged", rows, latest)
	}
	checkCopied(t, s, max(acknowledged, rows-copyRows))
	if rows < acknowledged {
		t.Errorf("%d rows, of which %d were acknowledged before", rows, acknowledged)
	}
}

// A backup that ends early does not open, whatever of it is on the disk, and a complete
// one holds what it should.
func TestIncompleteBackupIsRefused(t *testing.T) {
	source, want := sample(t)
	s, err := OpenSnapshot(source, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	random := rand.New(rand.NewPCG(1, 2))
	complete := 0
	for at := 0; ; at++ {
		for range 20 {
			dir := sim.New(random)
			n := 0
			dir.Before = func(sim.Call) error {
				if n++; n > at {
					return syscall.EIO
				}
				return nil
			}
			_, err := s.backup(ctx, dir)
			dir.Before = nil
			crashed := dir.Crash(random)
			names, listErr := crashed.List()
			if listErr != nil {
				t.Fatal(listErr)
			}
			c, openErr := OpenDir(crashed, 0)
			if openErr == nil && len(names) > 0 {
				complete++
				if got, err := contents(c.State()); err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("with %d calls the backup holds %v, %v", at, got, err)
				}
			}
			if err == nil {
				if openErr != nil {
					t.Fatal(openErr)
				}
				if complete == 0 {
					t.Error("no backup was complete")
				}
				return
			}
		}
	}
}

func TestBackupNeedsAnEmptyDirectory(t *testing.T) {
	source, _ := sample(t)
	other, _ := sample(t)
	s, err := OpenSnapshot(source, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := contentsOf(t, other)
	var e *value.Error
	if _, err := s.Backup(ctx, other); !errors.As(err, &e) || e.Code != value.CodeNotInState {
		t.Errorf("got %v", err)
	}
	if after := contentsOf(t, other); !reflect.DeepEqual(before, after) {
		t.Error("the directory has changed")
	}
}

// problems checks a directory.
func problems(t *testing.T, dir string) []string {
	t.Helper()
	s, err := OpenSnapshot(dir, false)
	if err != nil {
		return []string{err.Error()}
	}
	defer s.Close()
	var found []string
	if err := s.Check(ctx, func(problem error) { found = append(found, problem.Error()) }); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestCheckFindsDamage(t *testing.T) {
	dir, _ := sample(t)
	if found := problems(t, dir); found != nil {
		t.Fatalf("a sound directory: %v", found)
	}
	for name, sound := range contentsOf(t, dir) {
		path := filepath.Join(dir, name)
		step := max(len(sound)/40, 1)
		for at := 0; at < len(sound); at += step {
			damaged := []byte(sound)
			damaged[at] ^= 0x40
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if found := problems(t, dir); (len(found) == 0 || !strings.Contains(strings.Join(found, "\n"), name)) && !isPadding(sound, at) {
				t.Errorf("byte %d of %s: %v", at, name, found)
			}
		}
		if err := os.WriteFile(path, []byte(sound), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// isPadding reports whether a byte of a file stands between buffers, where nobody
// reads it: it is a zero among zeros, or of the magic at the beginning.
func isPadding(file string, at int) bool {
	return strings.HasPrefix(file, segmentKind) && (at < 64 || file[at] == 0)
}

func TestCheckFindsWrongStatistics(t *testing.T) {
	sound := runtime.Chunk{Enc: runtime.EncI64, Rows: 3, I64: []int64{1, 2, 5}, HasRange: true, Min: 1, Max: 5, Order: runtime.Strict}
	if err := checkChunk(&sound); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(c *runtime.Chunk){
		"least":    func(c *runtime.Chunk) { c.Min = 2 },
		"greatest": func(c *runtime.Chunk) { c.Max = 4 },
		"order":    func(c *runtime.Chunk) { c.I64 = []int64{1, 5, 2} },
		"unique":   func(c *runtime.Chunk) { c.I64 = []int64{1, 5, 5} },
		"NULLs":    func(c *runtime.Chunk) { c.Nulls = 1 },
		"validity": func(c *runtime.Chunk) { c.Valid = []byte{5} },
	} {
		c := sound
		c.I64 = slices.Clone(sound.I64)
		change(&c)
		if checkChunk(&c) == nil {
			t.Errorf("wrong %s was not found", name)
		}
	}
	text := runtime.Chunk{Enc: runtime.EncStr, Rows: 2, Bytes: []byte("ab\xff"), Offsets: []uint32{0, 1, 3}}
	if checkChunk(&text) == nil {
		t.Error("a text that is no UTF-8 was not found")
	}
}

// A file system where renaming over a table's file makes it another's is noticed by
// the name in the manifest.
func TestTableOfAnotherNameIsFound(t *testing.T) {
	dir := t.TempDir()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := commit(c, func(tx *store.Tx) error { return createWith(tx, "a", "x") }); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	v := openVFS(t, dir)
	m, err := readManifest(v)
	if err != nil {
		t.Fatal(err)
	}
	m.Tables[0].Name = "b"
	if err := writeManifest(v, m, m.Database); err != nil {
		t.Fatal(err)
	}
	refused(t, dir, value.CodeDataCorrupted, m.Tables[0].File)
}
