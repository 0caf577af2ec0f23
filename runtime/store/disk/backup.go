package disk

import (
	"context"
	"io"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/value"
)

// BackupSummary says what a backup holds.
type BackupSummary struct {
	Files int
	Bytes int64
}

// Backup writes the state to a directory of the machine that is empty or not there.
// The data is verified on the way. The manifest comes last, when all else is durable:
// a backup without one is not complete, and does not open. It fails with XX001 where
// a file is damaged.
func (s *Snapshot) Backup(ctx context.Context, path string) (BackupSummary, error) {
	if s.manifest.Format != formatNumber {
		return BackupSummary{}, s.errFormat()
	}
	dir, err := vfs.Open(path, true)
	if err != nil {
		return BackupSummary{}, ioError("could not open directory %q: %v", path, err)
	}
	defer dir.Close()
	return s.backup(ctx, dir)
}

func (s *Snapshot) backup(ctx context.Context, to vfs.Dir) (BackupSummary, error) {
	b := &backup{from: s, to: to}
	if err := b.prepare(); err != nil {
		return b.summary, err
	}
	segments := s.segments()
	for _, name := range slices.Sorted(maps.Keys(segments)) {
		if err := ctx.Err(); err != nil {
			return b.summary, err
		}
		if err := b.segment(segments[name]); err != nil {
			return b.summary, err
		}
	}
	for _, o := range s.State.Objects() {
		if t, ok := o.(*store.Table); ok {
			if err := b.table(t); err != nil {
				return b.summary, err
			}
		}
	}
	b.summary.Files++
	return b.summary, writeManifest(to, &b.manifest, backupDraft)
}

// backup is a backup that is being written.
type backup struct {
	from     *Snapshot
	to       vfs.Dir
	manifest manifest
	summary  BackupSummary
}

// prepare refuses directories that have something in them. The manifest of the backup
// is of a writer of its own, so that nobody takes files of the original for leftovers
// of the backup or the other way round.
func (b *backup) prepare() error {
	if err := b.to.Lock(); err != nil {
		return ioError("could not lock directory %q: %v", b.to.Path(), err)
	}
	names, err := b.to.List()
	if err != nil {
		return ioError("could not read directory %q: %v", b.to.Path(), err)
	}
	for _, name := range names {
		if !mayComeFirst(name) {
			e := value.Errorf(value.CodeNotInState, "directory %q is not empty: it has %q", b.to.Path(), name)
			e.Hint = "A backup is written to a directory that is empty or not there. One without a MANIFEST is of a backup that did not come to its end."
			return e
		}
	}
	if err := vfs.Private(b.to, names); err != nil {
		return ioError("could not make directory %q private to its owner: %v", b.to.Path(), err)
	}
	b.manifest = *b.from.manifest
	b.manifest.Writer, b.manifest.Tables, b.manifest.Obsolete = newIdentity(), nil, nil
	return nil
}

// segment copies a segment, all of which is verified.
func (b *backup) segment(s *segment) (err error) {
	defer fault.Guard()(&err)
	if err := s.verify(); err != nil {
		return err
	}
	return b.write(s.name, s.mapping.Data)
}

// table writes a table file.
func (b *backup) table(t *store.Table) error {
	file := b.from.dir.tables[t].File
	stored := t.Stored()
	origin := stamp{database: b.manifest.Database, writer: b.manifest.Writer}
	origin.number, _ = numberOf(file)
	var e encoder
	origin.encode(&e)
	if err := encodeTable(&e, &stored); err != nil {
		return err
	}
	sealed, sum := seal(e.b, tableKind)
	b.manifest.Tables = append(b.manifest.Tables, tableEntry{store.KeyOf(t), fileEntry{file, sum}})
	return b.write(file, sealed)
}

// write writes a file of the backup.
func (b *backup) write(name string, data []byte) error {
	b.summary.Files++
	b.summary.Bytes += int64(len(data))
	return writeFile(b.to, name, backupDraft, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
