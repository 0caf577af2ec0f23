package disk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime/store/access"
)

// The manifest names the files of the last complete state. It is replaced as a
// whole by a rename, which is what makes a commit atomic.
const (
	manifestName = "MANIFEST"
	manifestNew  = "MANIFEST.new"
	formatNumber = 2 // 1 has no roles: the bootstrap superuser owns everything
)

// manifest is the content of the manifest: a line of JSON, and a line with its
// checksum.
type manifest struct {
	Format int
	Tables []string // table files
	Views  []viewEntry
	Access *access.Saved `json:",omitempty"` // nil: as in a new database
}

// viewEntry is a view.
type viewEntry struct {
	Name    string
	Text    string
	Columns []string `json:",omitempty"`
	Depends []string `json:",omitempty"`
}

// readManifest reads the manifest of a directory; a new one has none.
func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestName)
	file, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &manifest{Format: formatNumber}, nil
	case err != nil:
		return nil, ioError("could not read file %q: %v", path, err)
	}
	line, sum, _ := bytes.Cut(file, []byte{'\n'})
	if string(sum) != checksumLine(line) {
		return nil, corrupted(path, errors.New("its checksum is wrong"))
	}
	m := new(manifest)
	if err := json.Unmarshal(line, m); err != nil {
		return nil, corrupted(path, err)
	}
	if m.Format < 1 || m.Format > formatNumber {
		return nil, value.Errorf(value.CodeFeatureNotSupported, "data directory %q has format %d, which is not supported", dir, m.Format)
	}
	return m, nil
}

func checksumLine(b []byte) string { return fmt.Sprintf("%08x\n", crc32.Checksum(b, castagnoli)) }

// errUnknown marks a commit of which nobody can say whether it will be there
// after a crash.
var errUnknown = errors.New("the manifest was replaced but may not be durable")

// writeManifest replaces the manifest.
func writeManifest(dir string, m *manifest) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	next := filepath.Join(dir, manifestNew)
	err = writeFile(next, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%s", line, checksumLine(line))
		return err
	})
	if err != nil {
		return err
	}
	// The files that the manifest names must be in the directory before it is.
	if err := syncDir(dir); err != nil {
		return err
	}
	if err := os.Rename(next, filepath.Join(dir, manifestName)); err != nil {
		return ioError("could not rename file %q: %v", next, err)
	}
	if err := syncDir(dir); err != nil {
		return errors.Join(errUnknown, err)
	}
	return nil
}
