package driver

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
)

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
