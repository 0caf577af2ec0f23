package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// newManifest is that of a directory without one, which must be empty but for what
// may come before it.
func newManifest(path string, names []string) (*manifest, error) {
	m := &manifest{Format: formatNumber, Database: newIdentity()}
	for _, name := range names {
		_, data := numberOf(name)
		switch {
		case draftOf(name) != "" && draftOf(name) != backupDraft && strings.HasPrefix(name, manifestName):
			m.Database = draftOf(name) // of an Open that did not come to its end
		case data || draftOf(name) != "" || strings.HasPrefix(name, manifestName):
			e := value.Errorf(value.CodeDataCorrupted, "data directory %q has no file %q but has %q", path, manifestName, name)
			e.Detail = "Without it nothing says which files are the database. Nothing has been changed."
			e.Hint = "Complete the copy or restore that made the directory: all files and the " + manifestName +
				" are of one backup. Or restore a backup to an empty directory."
			return nil, e
		case !mayComeFirst(name):
			e := value.Errorf(value.CodeNotInState, "directory %q is no data directory: it has no file %q but has %q", path, manifestName, name)
			e.Hint = "A database is made in a directory that is empty or not there."
			return nil, e
		}
	}
	return m, nil
}

// mayComeFirst reports whether a file may be in a directory before its manifest is:
// what locks it, what a file system or a server has in it, and hidden files.
func mayComeFirst(name string) bool {
	return slices.Contains([]string{"LOCK", "lost+found", "server.crt", "server.key"}, name) || strings.HasPrefix(name, ".")
}

// opened are files that have been opened: they stay what they are while others come
// and go.
type opened struct {
	segments map[string]*segment
	tables   map[string]openedTable
	enums    map[string]*algebra.EnumType // by their keys
	// Tolerant has tables that cannot be opened be left out, and their errors in damage.
	tolerant bool
	damage   []error
}

// openedTable is a table whose file has been read.
type openedTable struct {
	table *store.Table
	sum   uint32
}

func newOpened() *opened {
	return &opened{segments: map[string]*segment{}, tables: map[string]openedTable{}, enums: map[string]*algebra.EnumType{}}
}

// load reads the state that a manifest names, but for files that have been opened.
func (d *Dir) load(m *manifest, o *opened) (*store.State, error) {
	var objects []store.Object
	materialized := map[string]*store.View{}
	for _, e := range m.Views {
		if v := e.view(); v.Materialized {
			materialized[e.Name] = v
		} else {
			objects = append(objects, v)
		}
	}
	for _, q := range m.Sequences {
		objects = append(objects, store.RestoreSequence(q.Name, q.SequenceDef, store.Position{Last: q.Last, Called: q.Called}))
	}
	for _, e := range m.Enums {
		objects = append(objects, o.enum(algebra.EnumType{TypeID: algebra.TypeID{Schema: e.Schema, Name: e.Name, OID: e.OID}, Labels: e.Labels}))
	}
	domains, err := decodeDomains(m.Domains)
	if err != nil {
		return nil, err
	}
	objects = append(objects, domains...)
	for _, f := range m.Functions {
		objects = append(objects, store.NewFunction(f.Name, f.FunctionDef))
	}
	upgrade := m.Format < formatNumber
	clear(d.tables)
	clear(d.named)
	for _, entry := range m.Tables {
		t, err := d.entry(m, &entry, o)
		if err != nil && !o.tolerant {
			return nil, err
		}
		if err != nil {
			o.damage = append(o.damage, err)
			d.named[entry.File] = entry.Sum
			continue
		}
		if v := materialized[entry.Name]; v != nil {
			t.table = t.table.Requeried(v)
		}
		if !upgrade { // otherwise the next Save writes it in the new format
			d.tables[t.table] = entry.fileEntry
		}
		d.named[entry.File] = t.sum
		stored := t.table.Stored()
		segments, _ := segmentsOf(&stored)
		for _, s := range segments {
			d.named[s.name] = s.sum
		}
		objects = append(objects, t.table)
	}
	return store.NewState(objects).WithAccess(access.Restore(m.Access)), nil
}

// enum is a type, the same as before where it has not changed: tables that are open have columns of it.
func (o *opened) enum(e algebra.EnumType) *store.UserType {
	key := store.UserTypeKey(&e)
	if was := o.enums[key]; was == nil || was.OID != e.OID || !slices.Equal(was.Labels, e.Labels) {
		o.enums[key] = &e
	}
	return &store.UserType{Of: o.enums[key]}
}

// entry opens a table that a manifest names.
func (d *Dir) entry(m *manifest, entry *tableEntry, o *opened) (t openedTable, err error) {
	t, known := o.tables[entry.File]
	if !known {
		want := &expected{fileEntry: entry.fileEntry, known: m.Format > 1, database: m.Database}
		if t, err = d.openTable(want, o); err != nil {
			return t, err
		}
		o.tables[entry.File] = t
	}
	if m.Format > 1 && store.KeyOf(t.table) != entry.Name {
		return t, corrupted(filepath.Join(d.path(), entry.File), fmt.Errorf("it is of table %q instead of %q", store.KeyOf(t.table), entry.Name))
	}
	return t, nil
}

// openTable opens a table and those of its segments that are not open yet.
func (d *Dir) openTable(want *expected, o *opened) (t openedTable, err error) {
	path := filepath.Join(d.path(), want.File)
	file, err := d.readTable(want, o.enums)
	if err != nil {
		return t, err
	}
	parts := make([]*segment, len(file.segments))
	for i := range file.segments {
		s := &file.segments[i]
		if parts[i] = o.segments[s.File]; parts[i] != nil {
			continue
		}
		if parts[i], err = d.openSegment(s, true); err != nil {
			return t, err
		}
		o.segments[s.File] = parts[i]
	}
	for _, b := range file.blocks {
		if b[0] < 0 || b[0] >= len(parts) || b[1] < 0 || b[1] >= len(parts[b[0]].blocks) {
			return t, corrupted(path, fmt.Errorf("it names block %d of segment %d, which there is not", b[1], b[0]))
		}
		file.stored.Blocks = append(file.stored.Blocks, parts[b[0]].blocks[b[1]])
	}
	t.sum = file.sum
	if t.table, err = store.Restore(file.stored); err != nil {
		return t, corrupted(path, err)
	}
	return t, nil
}

// findLeftovers finds the first free number, and the files that are provably of
// this database and not part of its state: those that the manifest says are not
// needed any more, those that its writer made after it, and drafts.
func (d *Dir) findLeftovers(m *manifest, names []string) {
	d.next = m.Next
	listed := map[string]uint32{}
	for _, f := range m.Obsolete {
		listed[f.File] = f.Sum
	}
	for _, name := range names {
		number, ours := numberOf(name)
		d.next = max(d.next, number)
		if _, needed := d.named[name]; needed {
			continue
		}
		if m.Database != "" && draftOf(name) == m.Database {
			d.unneeded[name] = unneeded{remove: true}
			continue
		}
		if !ours {
			continue
		}
		sum, isListed := listed[name]
		if sum, ok := d.proveLeftover(m, name, sum, isListed); ok {
			d.unneeded[name] = unneeded{sum: sum, remove: true}
		}
	}
}

// proveLeftover reports whether a file that the state does not need is one that
// the program wrote for this database, and returns its checksum. Sum is the one that
// the manifest has of it, 0 where it does not know it.
func (d *Dir) proveLeftover(m *manifest, name string, sum uint32, listed bool) (found uint32, proven bool) {
	file, err := d.dir.Map(name)
	if err != nil {
		return 0, false
	}
	defer file.Release()
	defer fault.Guard()(&err) // what cannot be read is no proof
	kind := segmentKind
	if strings.HasSuffix(name, tableExtension) {
		kind = tableKind
	}
	meta, err := unseal(file.Data, kind)
	if err != nil {
		return 0, false
	}
	if meta.format == 1 {
		return meta.sum, listed && sum == meta.sum
	}
	if meta.stamp.check(name, m.Database) != nil {
		return 0, false
	}
	if listed {
		return meta.sum, sum == 0 || sum == meta.sum
	}
	return meta.sum, meta.stamp.writer == m.Writer && meta.stamp.number > m.Next
}

// open reads the last complete state and makes it durable under this writer's name,
// in the newest format.
func (d *Dir) open() (*store.State, error) {
	if err := d.dir.Lock(); errors.Is(err, vfs.ErrLocked) {
		return nil, value.Errorf(value.CodeObjectInUse, "data directory %q is in use by another process", d.path())
	} else if err != nil {
		return nil, ioError("could not lock directory %q: %v", d.path(), err)
	}
	names, err := d.dir.List()
	if err != nil {
		return nil, ioError("could not read directory %q: %v", d.path(), err)
	}
	m, err := readManifest(d.dir)
	if err == nil && m == nil {
		m, err = newManifest(d.path(), names)
	}
	if err != nil {
		return nil, err
	}
	if err := vfs.Private(d.dir, names); err != nil {
		return nil, ioError("could not make directory %q private to its owner: %v", d.path(), err)
	}
	d.database = m.Database
	state, err := d.load(m, newOpened())
	if err != nil {
		return nil, err
	}
	d.findLeftovers(m, names)
	return d.Save(state)
}

// OpenDir is Open of a directory, which it closes where it fails. What a transaction
// appends to a table goes to the directory when it has spillBytes; 0:
// DefaultSpillBytes.
func OpenDir(dir vfs.Dir, spillBytes int64) (*store.Catalog, error) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, errors.Join(
			value.Errorf(value.CodeFeatureNotSupported, "data directories on big-endian machines are not supported"), dir.Close())
	}
	d := newDir(dir)
	if d.spillBytes = spillBytes; spillBytes == 0 {
		d.spillBytes = DefaultSpillBytes
	}
	state, err := d.open()
	if err != nil {
		_ = dir.Close() // the first error says more
		return nil, err
	}
	return store.NewCatalog(state, d), nil
}
