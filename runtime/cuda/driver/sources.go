package driver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
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

// Prepared says what Prepare did.
type Prepared struct {
	Built int // kernels' sources whose machine code was made
	Kept  int // whose machine code was there
}

// Prepare builds the machine code of all sources that any version of the compiler has compiled for
// any architecture, on all cores, as far as it is not kept for this compiler and arch. It needs no
// GPU. The error holds what the compiler says of each source that it does not take.
func (c *Compiler) Prepare(ctx context.Context, arch string) (Prepared, error) {
	var built, kept atomic.Int64
	paths := c.sources.paths()
	next := make(chan string, len(paths))
	for _, path := range paths {
		next <- path
	}
	close(next)
	errs := make([]error, goruntime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for path := range next {
				source, err := os.ReadFile(path)
				switch {
				case err != nil:
				case c.Keeps(string(source), arch):
					kept.Add(1)
					continue
				default:
					name := strings.TrimSuffix(filepath.Base(path), sourceEnding)
					if _, err = c.Compile(ctx, name, string(source), arch); err == nil {
						built.Add(1)
					}
				}
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	group.Wait()
	return Prepared{Built: int(built.Load()), Kept: int(kept.Load())}, errors.Join(errs...)
}
