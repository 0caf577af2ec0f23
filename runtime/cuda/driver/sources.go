package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// sourceCache keeps the sources that were compiled, so that their machine code can be built ahead
// for another compiler or architecture.
type sourceCache struct {
	dir string
}

// maxSources is how many sources are kept.
const maxSources = 1 << 12

// sourceEnding is that of the files.
const sourceEnding = ".cu"

// put keeps a source, where the disk lets it and there are not too many.
func (c sourceCache) put(source string) {
	sum := sha256.Sum256([]byte(source))
	path := filepath.Join(c.dir, hex.EncodeToString(sum[:])+sourceEnding)
	if _, err := os.Stat(path); err == nil || len(c.paths()) >= maxSources {
		return
	}
	writeWhole(path, []byte(source))
}

// paths are the files of the sources that are kept.
func (c sourceCache) paths() []string {
	paths, err := filepath.Glob(filepath.Join(c.dir, "*"+sourceEnding))
	if err != nil {
		return nil // the folder's name is no pattern
	}
	return paths
}
