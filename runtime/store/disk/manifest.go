package disk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/disk/vfs"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The manifest names the files of the last complete state. It is replaced as a
// whole by a rename, which is what makes a commit atomic.
const (
	manifestName = "MANIFEST"
	formatNumber = 3
)

// manifest is the content of the manifest: a line of JSON, and a line with its
// checksum. Fields that a version does not know keep it from reading the manifest,
// since its next commit would lose them.
type manifest struct {
	Format    int
	Database  string // identity of the database, the same for ever, in copies too
	Writer    string // identity of the run of the program that wrote the manifest
	Next      int64  // files of greater numbers were made after it
	Tables    []tableEntry
	Obsolete  []fileEntry // files of this database that may be there and that the state does not need
	Views     []viewEntry
	Sequences []sequenceEntry `json:",omitempty"`
	Enums     []enumEntry     `json:",omitempty"`
	Domains   []domainEntry   `json:",omitempty"`
	Functions []functionEntry `json:",omitempty"`
	Access    *access.Saved   `json:",omitempty"` // nil: as in a new database
}

// fileEntry names a file and the checksum of its metadata, by which it is known.
type fileEntry struct {
	File string
	Sum  uint32
}

// tableEntry is a table and its table file, which names the segments.
type tableEntry struct {
	Name string
	fileEntry
}

// viewEntry is a view. Names of objects are their keys.
type viewEntry struct {
	Name    string
	Text    string
	Columns []string `json:",omitempty"`
	Depends []string `json:",omitempty"`
	Path    []string `json:",omitempty"`
	// Hierarchy is what a hierarchy is made of; nil of a plain view.
	Hierarchy *store.HierarchyDef `json:",omitempty"`
	// Materialized says that the table of the name holds its rows, once it was populated.
	Materialized bool `json:",omitempty"`
	Unpopulated  bool `json:",omitempty"`
}

// sequenceEntry is a sequence and where it stands.
type sequenceEntry struct {
	Name string
	store.SequenceDef
	Last   int64
	Called bool
}

// enumEntry is a type that is an enum.
type enumEntry struct {
	Schema, Name string
	OID          uint32
	Labels       []string
}

// domainEntry is a type that is a domain. Base is as encodeTypeKind writes it, and Over the OID of the domain
// that it is of.
type domainEntry struct {
	Schema, Name string
	OID          uint32
	Base         []byte
	Over         uint32                `json:",omitempty"`
	NotNull      bool                  `json:",omitempty"`
	Default      string                `json:",omitempty"`
	Checks       []algebra.DomainCheck `json:",omitempty"`
}

// functionEntry is a function by its key.
type functionEntry struct {
	Name string
	store.FunctionDef
}

// manifest1 is the manifest of format 1: its files have no stamps, and there are no
// roles.
type manifest1 struct {
	Format int
	Tables []string
	Views  []viewEntry
}

// readManifest reads the manifest of a directory, nil where there is none. Tables
// of format 1 have no names and checksums in it.
func readManifest(dir vfs.Dir) (*manifest, error) {
	path := filepath.Join(dir.Path(), manifestName)
	file, err := dir.Read(manifestName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, ioError("could not read file %q: %v", path, err)
	}
	line, sum, _ := bytes.Cut(file, []byte{'\n'})
	if string(sum) != checksumLine(line) {
		return nil, corrupted(path, errors.New("its checksum is wrong"))
	}
	var format struct{ Format int }
	if err := json.Unmarshal(line, &format); err != nil {
		return nil, corrupted(path, err)
	}
	m := new(manifest)
	switch format.Format {
	case 1:
		err = m.readFormat1(line)
	case 2, formatNumber:
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		err = d.Decode(m)
	default:
		e := value.Errorf(value.CodeFeatureNotSupported, "data directory %q has format %d, which is not supported", dir.Path(), format.Format)
		e.Hint = fmt.Sprintf("This version reads formats up to %d; a newer one made the directory.", formatNumber)
		return nil, e
	}
	if err != nil {
		return nil, corrupted(path, err)
	}
	return m, nil
}

func (m *manifest) readFormat1(line []byte) error {
	var old manifest1
	if err := json.Unmarshal(line, &old); err != nil {
		return err
	}
	m.Format, m.Views = old.Format, old.Views
	for _, name := range old.Tables {
		m.Tables = append(m.Tables, tableEntry{fileEntry: fileEntry{File: name}})
	}
	return nil
}

func checksumLine(b []byte) string { return fmt.Sprintf("%08x\n", crc32.Checksum(b, castagnoli)) }

// errUnknown marks a commit of which nobody can say whether it will be there
// after a crash.
var errUnknown = errors.New("the manifest was replaced but may not be durable")

// writeManifest replaces the manifest; origin stands in the name of its draft.
func writeManifest(dir vfs.Dir, m *manifest, origin string) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	draft := draftName(manifestName, origin)
	err = writeDraft(dir, draft, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%s", line, checksumLine(line))
		return err
	})
	if err == nil {
		// The files that the manifest names must be in the directory before it is.
		err = syncDir(dir)
	}
	if err != nil {
		_ = dir.Remove(draft) // the next Open removes it where this fails
		return err
	}
	if err := dir.Rename(draft, manifestName); err != nil {
		return fmt.Errorf("%w: %w", errUnknown, ioError("could not rename file %q: %v", filepath.Join(dir.Path(), draft), err))
	}
	if err := syncDir(dir); err != nil {
		return fmt.Errorf("%w: %w", errUnknown, err)
	}
	return nil
}

// backupDraft stands in the names of a backup's drafts in the place of the database's
// identity, so that what is not complete is not taken for a new database.
const backupDraft = "backup"

// castagnoli is the polynomial of all checksums.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)
