package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// cubinCache keeps machine code on disk between runs, by what it was made from.
type cubinCache struct {
	dir string
}

// newCubinCache uses the user's cache folder, or a temporary one where there is
// none.
func newCubinCache() cubinCache {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return cubinCache{filepath.Join(base, "cubeloom", "cubins")}
}

// cubinKey names the machine code of a source.
func cubinKey(source, arch, version string, options []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s", arch, version, strings.Join(options, " "), source)
	return hex.EncodeToString(h.Sum(nil))
}

func (c cubinCache) path(key string) string { return filepath.Join(c.dir, key+".cubin") }

// get returns the machine code, or nil where it is not kept.
func (c cubinCache) get(key string) []byte {
	cubin, err := os.ReadFile(c.path(key))
	if err != nil {
		return nil
	}
	return cubin
}

// put keeps machine code, where the disk lets it: without, it is compiled again
// next time. Readers see all of it or nothing.
func (c cubinCache) put(key string, cubin []byte) {
	if os.MkdirAll(c.dir, 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(cubin)
	if closeErr := f.Close(); err != nil || closeErr != nil || os.Rename(f.Name(), c.path(key)) != nil {
		os.Remove(f.Name())
	}
}
