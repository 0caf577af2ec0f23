// Package disk keeps a catalog in a directory: segment files with blocks of
// tables, table files, and a manifest that names them. All files but the
// manifest are written once and never changed; the manifest is replaced by a
// rename when everything that it names is durable. A process that is killed at
// any moment leaves the last complete state, and files that the next Open
// removes.
//
// The manifest has the checksum of each table file, which has that of each
// segment, which has those of its columns: what is read is what was written, or an
// error says which file it is not. A file is removed only where the manifest, or
// the identity that was written into the file, proves that it is of this database
// and that its state does not need it.
//
// Data is mapped, not read, when a directory is opened: what is read is the
// manifest, the table files (definitions, dictionaries, sketches) and the ends
// of the segments. The checksum of a column of a block is verified when it is
// first used.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Dir is an open data directory. It implements store.Storage.
type Dir struct {
	*fileSet
	spillBytes int64

	// What follows is used by Open and Save alone, of which one runs at a time.
	tables map[*store.Table]fileEntry // the table file of each table of the last state
	named  map[string]uint32          // checksums of the files that the manifest names
}

// fileSet is the files of a data directory. It knows of no table: mapped segments
// refer to it until they are forgotten.
type fileSet struct {
	dir      vfs.Dir
	database string // identities of the database and of this use of it
	writer   string

	mu       sync.Mutex
	failed   error               // why there are no more commits
	next     int64               // the last number that a file has got
	unneeded map[string]unneeded // files that may be there and that the last state does not need
}

// newDir makes the Dir of a directory that nothing is known of.
func newDir(dir vfs.Dir) *Dir {
	return &Dir{
		fileSet: &fileSet{dir: dir, writer: newIdentity(), unneeded: map[string]unneeded{}},
		tables:  map[*store.Table]fileEntry{}, named: map[string]uint32{},
	}
}

// unneeded is a file of a transaction that has not committed, or one that is to be
// removed.
type unneeded struct {
	sum    uint32 // of its metadata; 0: not known
	remove bool
}

// Make opens a directory of the machine for OpenDir, and makes it where there is
// none.
func Make(path string) (vfs.Dir, error) {
	dir, err := vfs.Open(path, true)
	if err != nil {
		return nil, ioError("could not open directory %q: %v", path, err)
	}
	return dir, nil
}

// DefaultSpillBytes is how much of a table a transaction holds in memory.
const DefaultSpillBytes = 64 << 20

func (d *fileSet) path() string { return d.dir.Path() }

// newFile is a name that no file has had, and says that there may be such a file.
func (d *fileSet) newFile(extension string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.next++
	name := fmt.Sprintf("%08d%s", d.next, extension)
	d.unneeded[name] = unneeded{}
	return name
}

// writeFile is writeFile of a file with this writer's stamp.
func (d *fileSet) writeFile(name string, write func(io.Writer, *stamp) error) error {
	number, _ := numberOf(name)
	err := writeFile(d.dir, name, d.database, func(w io.Writer) error {
		return write(w, &stamp{database: d.database, writer: d.writer, number: number})
	})
	switch {
	case errors.Is(err, errSync):
		return d.fail(err)
	case err != nil:
		d.discard(name) // it may have got its name
	}
	return err
}

// discard removes a file that no state needs. After a failure nobody knows what
// the state on the disk needs: files stay for the next Open.
func (d *fileSet) discard(name string) {
	if d.usable() != nil {
		return
	}
	err := d.dir.Remove(name)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		delete(d.unneeded, name)
	} else {
		d.unneeded[name] = unneeded{remove: true} // the next commit tries again
	}
}

// usable fails where there are no more commits.
func (d *fileSet) usable() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// fail ends all commits because of an error that leaves the disk in a state that
// nobody knows, and returns the error that says so.
func (d *fileSet) fail(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	cause := err.Error()
	if e := (*value.Error)(nil); errors.As(err, &e) {
		cause = e.Message
	}
	failed := value.Errorf(value.CodeIO, "data directory %q takes no more changes: %s", d.path(), cause)
	failed.Hint = "Open it anew when the disk is sound again. What was committed before is there."
	if errors.Is(err, errUnknown) {
		failed.Detail = "Whether the transaction that met the error is committed shows then."
	}
	if d.failed == nil {
		d.failed = failed
	}
	return failed
}

// Close implements store.Storage. Tables that are in use stay readable.
func (d *Dir) Close() error {
	d.mu.Lock()
	d.failed = value.Errorf(value.CodeIO, "data directory %q is closed", d.path())
	d.mu.Unlock()
	return d.dir.Close()
}
