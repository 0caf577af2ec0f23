package disk

import (
	"errors"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/store"
)

// SpillBytes implements store.Storage.
func (d *Dir) SpillBytes() int64 { return d.spillBytes }

// Spill implements store.Storage.
func (d *Dir) Spill(blocks []store.StoredBlock) ([]store.StoredBlock, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	name := d.newFile(segmentExtension)
	if err := d.writeSegment(name, blocks); err != nil {
		return nil, err
	}
	s, err := d.openSegment(&expected{fileEntry: fileEntry{File: name}, database: d.database}, false)
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
	if err := d.usable(); err != nil {
		return nil, err
	}
	s := &saving{dir: d, tables: map[*store.Table]fileEntry{}, files: map[string]uint32{}, sequences: map[*store.Sequence]store.Position{}, manifest: manifest{Access: next.Access().Save()}}
	var objects []store.Object
	for _, o := range next.Objects() {
		saved, err := s.object(o)
		if err != nil {
			s.undo()
			return nil, err
		}
		objects = append(objects, saved)
	}
	if err := s.commit(); err != nil {
		return nil, err
	}
	return store.NewState(objects).WithAccess(next.Access()), nil
}

// saving is a state on its way to the disk.
type saving struct {
	dir       *Dir
	manifest  manifest
	tables    map[*store.Table]fileEntry
	files     map[string]uint32
	sequences map[*store.Sequence]store.Position
	written   []*segment // those that no manifest has named
	made      []string   // table files written for it
}

// object writes what is not on disk of an object, and returns the object that reads it from there.
func (s *saving) object(o store.Object) (store.Object, error) {
	switch o := o.(type) {
	case *store.View:
		s.manifest.Views = append(s.manifest.Views, entryOf(o))
	case *store.Sequence:
		at := o.ToSave()
		s.sequences[o] = at
		s.manifest.Sequences = append(s.manifest.Sequences, sequenceEntry{Name: store.KeyOf(o), SequenceDef: o.SequenceDef, Last: at.Last, Called: at.Called})
	case *store.UserType:
		s.manifest.addType(o.Of)
	case *store.Function:
		s.manifest.Functions = append(s.manifest.Functions, functionEntry{o.Key(), o.FunctionDef})
	case *store.Table:
		return s.table(o)
	}
	return o, nil
}

func (s *saving) table(t *store.Table) (*store.Table, error) {
	if v := store.QueryOf(t); v != nil {
		s.manifest.Views = append(s.manifest.Views, entryOf(v))
	}
	stored := t.Stored()
	file, known := s.dir.tables[t]
	if !known {
		if err := s.writeBlocks(&stored); err != nil {
			return nil, err
		}
		file.File = s.dir.newFile(tableExtension)
		s.made = append(s.made, file.File)
		var err error
		if file.Sum, err = s.dir.writeTable(file.File, &stored); err != nil {
			return nil, err
		}
		if t, err = t.Moved(stored.Blocks); err != nil {
			return nil, err
		}
	}
	s.manifest.Tables = append(s.manifest.Tables, tableEntry{store.KeyOf(t), file})
	s.tables[t] = file
	s.files[file.File] = file.Sum
	segments, _ := segmentsOf(&stored)
	for _, seg := range segments {
		s.files[seg.name] = seg.sum
		if !seg.mapping.committed.Load() {
			s.written = append(s.written, seg)
		}
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

// commit replaces the manifest and removes the files that only the state before
// has needed.
func (s *saving) commit() error {
	d := s.dir
	for _, seg := range s.written {
		seg.mapping.committed.Store(true) // as soon as the manifest may name it
	}
	m := &s.manifest
	m.Format, m.Database, m.Writer = formatNumber, d.database, d.writer
	var obsolete map[string]unneeded
	obsolete, m.Next = s.obsolete()
	for _, name := range slices.Sorted(maps.Keys(obsolete)) {
		m.Obsolete = append(m.Obsolete, fileEntry{name, obsolete[name].sum})
	}
	if err := writeManifest(d.dir, m, d.database); err != nil {
		if errors.Is(err, errUnknown) || errors.Is(err, errSync) {
			return d.fail(err)
		}
		s.undo()
		return err
	}
	for q, at := range s.sequences {
		q.Saved(at)
	}
	d.tables, d.named = s.tables, s.files
	d.mu.Lock()
	for name := range s.files {
		delete(d.unneeded, name)
	}
	for name, u := range obsolete {
		if u.remove {
			d.unneeded[name] = u
		}
	}
	d.mu.Unlock()
	for name, u := range obsolete {
		if u.remove {
			d.discard(name)
		}
	}
	return nil
}

// obsolete are the files that may be there and that the state does not need: those
// of the state before, and those of transactions that have not committed.
// Next is the last number that a file has got.
func (s *saving) obsolete() (files map[string]unneeded, next int64) {
	d := s.dir
	d.mu.Lock()
	defer d.mu.Unlock()
	files = maps.Clone(d.unneeded)
	for name, sum := range d.named {
		files[name] = unneeded{sum: sum, remove: true}
	}
	for name := range s.files {
		delete(files, name)
	}
	return files, d.next
}

// undo removes what has been written; segments remove themselves.
func (s *saving) undo() {
	for _, seg := range s.written {
		seg.mapping.committed.Store(false)
	}
	for _, name := range s.made {
		s.dir.discard(name)
	}
}
