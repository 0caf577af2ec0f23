// Package disk keeps a catalog in a directory: segment files with blocks of
// tables, table files, and a manifest that names them. All files but the
// manifest are written once and never changed; the manifest is replaced by a
// rename when everything that it names is durable. A process that is killed at
// any moment leaves the last complete state, and files that the next Open
// removes.
//
// Data is mapped, not read, when a directory is opened: what is read is the
// manifest, the table files (definitions, dictionaries, sketches) and the ends
// of the segments, all with their checksums. The checksum of a column of a
// block is verified when it is first used.
package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/access"
)

const (
	lockName         = "LOCK"
	segmentExtension = ".segment"
	tableExtension   = ".table"
)

// Dir is an open data directory. It implements store.Storage.
type Dir struct {
	path   string
	lock   *os.File
	nextID atomic.Int64

	// What follows is used by Open and Save alone, of which one runs at a time.
	tables map[*store.Table]string // the table file of each table of the last state
	files  map[string]bool         // the files that the manifest names
	failed error                   // a commit of unknown outcome: no more are possible
}

// Open opens a data directory, which it makes where there is none, and gives
// its catalog. It fails with 55006 when another process has it open, and with
// XX001 when a file is damaged.
func Open(path string) (*store.Catalog, error) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, value.Errorf(value.CodeFeatureNotSupported, "data directories on big-endian machines are not supported")
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, ioError("could not create directory %q: %v", path, err)
	}
	d := &Dir{path: path, tables: map[*store.Table]string{}, files: map[string]bool{}}
	if err := d.takeLock(); err != nil {
		return nil, err
	}
	state, err := d.load()
	if err != nil {
		d.lock.Close()
		return nil, err
	}
	return store.NewCatalog(state, d), nil
}

// takeLock keeps other processes, and other Dirs of this one, out.
func (d *Dir) takeLock() error {
	name := filepath.Join(d.path, lockName)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return ioError("could not open file %q: %v", name, err)
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return value.Errorf(value.CodeObjectInUse, "data directory %q is in use by another process", d.path)
	}
	d.lock = f
	return nil
}

// load reads the last complete state and removes what is left of incomplete
// ones.
func (d *Dir) load() (*store.State, error) {
	m, err := readManifest(d.path)
	if err != nil {
		return nil, err
	}
	var objects []store.Object
	for _, v := range m.Views {
		objects = append(objects, store.NewView(v.Name, v.Text, v.Columns, v.Depends))
	}
	segments := map[string]*segment{}
	for _, name := range m.Tables {
		t, err := d.openTable(name, segments)
		if err != nil {
			return nil, err
		}
		d.tables[t] = name
		d.files[name] = true
		objects = append(objects, t)
	}
	for name := range segments {
		d.files[name] = true
	}
	return store.NewState(objects).WithAccess(access.Restore(m.Access)), d.sweep()
}

// openTable opens a table and those of its segments that are not open yet.
func (d *Dir) openTable(name string, segments map[string]*segment) (*store.Table, error) {
	path := filepath.Join(d.path, name)
	file, err := readTable(path)
	if err != nil {
		return nil, err
	}
	for _, s := range file.segments {
		if segments[s] != nil {
			continue
		}
		if segments[s], err = openSegment(filepath.Join(d.path, filepath.Base(s)), true); err != nil {
			return nil, err
		}
	}
	for _, b := range file.blocks {
		if b[0] >= len(file.segments) || b[1] >= len(segments[file.segments[b[0]]].blocks) {
			return nil, corrupted(path, fmt.Errorf("it names block %d of segment %d, which there is not", b[1], b[0]))
		}
		file.stored.Blocks = append(file.stored.Blocks, segments[file.segments[b[0]]].blocks[b[1]])
	}
	t, err := store.Restore(file.stored)
	if err != nil {
		return nil, corrupted(path, err)
	}
	return t, nil
}

// sweep removes files that the manifest does not name, and finds the first free
// number.
func (d *Dir) sweep() error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return ioError("could not read directory %q: %v", d.path, err)
	}
	for _, e := range entries {
		name := e.Name()
		id, ours := numberOf(name)
		d.nextID.Store(max(d.nextID.Load(), id))
		if (ours || name == manifestNew) && !d.files[name] {
			if err := os.Remove(filepath.Join(d.path, name)); err != nil {
				return ioError("could not remove file %q: %v", name, err)
			}
		}
	}
	return nil
}

// numberOf is the number of a segment or table file.
func numberOf(name string) (id int64, ours bool) {
	ext := filepath.Ext(name)
	if ext != segmentExtension && ext != tableExtension {
		return 0, false
	}
	id, err := strconv.ParseInt(strings.TrimSuffix(name, ext), 10, 64)
	return id, err == nil
}

// newFile is a name that no file has had.
func (d *Dir) newFile(extension string) string {
	return fmt.Sprintf("%08d%s", d.nextID.Add(1), extension)
}

// Close implements store.Storage. Tables that are in use stay readable.
func (d *Dir) Close() error {
	d.failed = value.Errorf(value.CodeIO, "data directory %q is closed", d.path)
	return d.lock.Close()
}

// Spill implements store.Storage.
func (d *Dir) Spill(blocks []store.StoredBlock) ([]store.StoredBlock, error) {
	path := filepath.Join(d.path, d.newFile(segmentExtension))
	if err := writeSegment(path, blocks); err != nil {
		return nil, err
	}
	s, err := openSegment(path, false)
	if err != nil {
		return nil, err
	}
	for i := range s.sound {
		s.sound[i].Store(true) // it has just been written
	}
	return s.blocks, nil
}

// Save implements store.Storage.
func (d *Dir) Save(next *store.State) (*store.State, error) {
	if d.failed != nil {
		return nil, d.failed
	}
	s := &saving{dir: d, tables: map[*store.Table]string{}, files: map[string]bool{}, manifest: manifest{Format: formatNumber, Access: next.Access().Save()}}
	var objects []store.Object
	for _, o := range next.Objects() {
		saved, err := s.object(o)
		if err != nil {
			s.undo()
			return nil, err
		}
		objects = append(objects, saved)
	}
	if err := writeManifest(d.path, &s.manifest); err != nil {
		if errors.Is(err, errUnknown) {
			d.failed = value.Errorf(value.CodeIO, "%v: no more commits until the data directory is opened anew", err)
			return nil, d.failed
		}
		s.undo()
		return nil, err
	}
	for _, seg := range s.segments {
		seg.mapping.committed.Store(true)
	}
	for name := range d.files {
		if !s.files[name] {
			// A file that cannot be removed now is removed by the next Open.
			_ = os.Remove(filepath.Join(d.path, name))
		}
	}
	d.tables, d.files = s.tables, s.files
	return store.NewState(objects).WithAccess(next.Access()), nil
}

// saving is a state on its way to the disk.
type saving struct {
	dir      *Dir
	manifest manifest
	tables   map[*store.Table]string
	files    map[string]bool
	segments []*segment // of its tables
	made     []string   // table files written for it
}

// object writes what is not on disk of a table or view, and gives the object
// that reads it from there.
func (s *saving) object(o store.Object) (store.Object, error) {
	switch o := o.(type) {
	case *store.View:
		s.manifest.Views = append(s.manifest.Views, viewEntry{o.Name(), o.Text, o.Columns, o.Depends})
	case *store.Table:
		return s.table(o)
	}
	return o, nil
}

func (s *saving) table(t *store.Table) (*store.Table, error) {
	stored := t.Stored()
	name, known := s.dir.tables[t]
	if !known {
		if err := s.writeBlocks(&stored); err != nil {
			return nil, err
		}
		name = s.dir.newFile(tableExtension)
		if err := writeTable(filepath.Join(s.dir.path, name), &stored); err != nil {
			return nil, err
		}
		s.made = append(s.made, name)
		var err error
		if t, err = t.Moved(stored.Blocks); err != nil {
			return nil, err
		}
	}
	s.manifest.Tables = append(s.manifest.Tables, name)
	s.tables[t] = name
	s.files[name] = true
	names, numbers := segmentsOf(&stored)
	for _, n := range names {
		s.files[n] = true
	}
	for seg := range maps.Keys(numbers) {
		s.segments = append(s.segments, seg.(*segment))
	}
	return t, nil
}

// writeBlocks moves the blocks that are in memory to a new segment.
func (s *saving) writeBlocks(t *store.Stored) error {
	var blocks []store.StoredBlock
	var at []int
	for i, b := range t.Blocks {
		if b.File == nil {
			blocks = append(blocks, b)
			at = append(at, i)
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	t.Blocks = slices.Clone(t.Blocks)
	moved, err := s.dir.Spill(blocks)
	for i, b := range moved {
		t.Blocks[at[i]] = b
	}
	return err
}

// undo removes the table files; segments remove themselves.
func (s *saving) undo() {
	for _, name := range s.made {
		os.Remove(filepath.Join(s.dir.path, name))
	}
}
