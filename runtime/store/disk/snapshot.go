package disk

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Snapshot is the last complete state of a directory, which another process may
// have open and change. All its files are open, so that it stays readable. It
// implements store.Storage for those who only read.
type Snapshot struct {
	State *store.State
	// Running reports whether another process had the directory open.
	Running bool
	// Damage are the errors of the tables that are not in State, where OpenSnapshot was
	// to leave those out that cannot be opened.
	Damage []error

	dir      *Dir
	manifest *manifest
	names    []string // of all files of the directory
}

// OpenSnapshot reads the state of a data directory of the machine. Where no process
// has it open, none can open it until Close. It fails with XX001 when a file is
// damaged; with tolerant tables of damaged files are left out.
func OpenSnapshot(path string, tolerant bool) (*Snapshot, error) {
	dir, err := vfs.Open(path, false)
	if err != nil {
		return nil, ioError("could not open directory %q: %v", path, err)
	}
	s, err := readSnapshot(dir, tolerant)
	if err != nil {
		_ = dir.Close() // the first error says more
		return nil, err
	}
	return s, nil
}

// snapshotTries is how often a state is looked for that nobody changes meanwhile. What
// has been opened of one is not opened again, so that each takes less time.
const snapshotTries = 1000

func readSnapshot(dir vfs.Dir, tolerant bool) (*Snapshot, error) {
	s := &Snapshot{}
	// Where it cannot be locked, on a medium for reading only, nobody can change it.
	s.Running = errors.Is(dir.Lock(), vfs.ErrLocked)
	o := newOpened()
	o.tolerant = tolerant
	for range snapshotTries {
		o.damage = nil
		err := s.read(dir, o)
		if err == nil && o.damage == nil {
			return s, nil
		}
		// Files of the state may have been removed because there is a newer one.
		now, again := readManifest(dir)
		if again != nil || now == nil || s.manifest == nil || reflect.DeepEqual(now, s.manifest) {
			s.Damage = o.damage
			return s, err
		}
	}
	return nil, value.Errorf(value.CodeObjectInUse, "data directory %q changes faster than it can be read", dir.Path())
}

// read reads the state of the manifest as it is.
func (s *Snapshot) read(dir vfs.Dir, o *opened) (err error) {
	if s.names, err = dir.List(); err != nil {
		return ioError("could not read directory %q: %v", dir.Path(), err)
	}
	if s.manifest, err = readManifest(dir); err != nil {
		return err
	}
	if s.manifest == nil {
		if _, err := newManifest(dir.Path(), s.names); err != nil {
			return err
		}
		return value.Errorf(value.CodeNotInState, "directory %q is no data directory: it is empty", dir.Path())
	}
	s.dir = newDir(dir)
	s.dir.database = s.manifest.Database
	s.State, err = s.dir.load(s.manifest, o)
	return err
}

// Files is the number of files of the state.
func (s *Snapshot) Files() int { return len(s.dir.named) + 1 }

// Unneeded returns the files of the directory that the state does not need: what
// others put there, and what a process that was killed has left. While another
// process runs they may be that one's. The snapshot must be without damage.
func (s *Snapshot) Unneeded() []string {
	return slices.DeleteFunc(slices.Clone(s.names), func(name string) bool {
		_, needed := s.dir.named[name]
		return needed || name == manifestName || mayComeFirst(name)
	})
}

// Save implements store.Storage: it fails.
func (s *Snapshot) Save(*store.State) (*store.State, error) { return nil, s.errReadOnly() }

// Spill implements store.Storage: it fails.
func (s *Snapshot) Spill([]store.StoredBlock) ([]store.StoredBlock, error) {
	return nil, s.errReadOnly()
}

// SpillBytes implements store.Storage.
func (s *Snapshot) SpillBytes() int64 { return DefaultSpillBytes }

// Close implements store.Storage.
func (s *Snapshot) Close() error { return s.dir.dir.Close() }

func (s *Snapshot) errReadOnly() error {
	return value.Errorf(value.CodeReadOnly, "data directory %q is open for reading only", s.dir.path())
}

// segments are the segments of the state, by name.
func (s *Snapshot) segments() map[string]*segment {
	out := map[string]*segment{}
	for t := range s.dir.tables {
		stored := t.Stored()
		all, _ := segmentsOf(&stored)
		for _, seg := range all {
			out[seg.name] = seg
		}
	}
	return out
}

// verify checks all data of a segment.
func (s *segment) verify() error {
	for block := range s.blocks {
		for column := range s.columns {
			if err := s.Verify(block, column); err != nil {
				return err
			}
		}
	}
	return nil
}

// errFormat refuses a directory of an older format.
func (s *Snapshot) errFormat() error {
	e := value.Errorf(value.CodeFeatureNotSupported, "data directory %q has format %d", s.dir.path(), s.manifest.Format)
	e.Hint = fmt.Sprintf("Open it once with this version, which makes it format %d, or copy it while no process has it open.", formatNumber)
	return e
}
