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

// cacheDir is a folder in the user's cache folder, or in the temporary one where there is
// none.
func cacheDir(name string) string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "cubeloom", name)
}

// cubinKey names the machine code of a source, as a build of the compiler makes it for an
// architecture.
func cubinKey(source, arch, build string, options []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s", arch, build, strings.Join(options, " "), source)
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

// has reports whether machine code is kept.
func (c cubinCache) has(key string) bool {
	_, err := os.Stat(c.path(key))
	return err == nil
}

// put keeps machine code, where the disk lets it: without, it is compiled again
// next time.
func (c cubinCache) put(key string, cubin []byte) { writeWhole(c.path(key), cubin) }

// writeWhole writes a file, of which readers see all or nothing, where the disk lets it.
func writeWhole(path string, content []byte) {
	dir := filepath.Dir(path)
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(content)
	if closeErr := f.Close(); err != nil || closeErr != nil || os.Rename(f.Name(), path) != nil {
		os.Remove(f.Name())
	}
}
