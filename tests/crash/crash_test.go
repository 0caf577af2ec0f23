// Package crash crashes the engine at every call of the file system of every
// statement that writes, in random histories of statements and transactions, and has
// every call fail: what is acknowledged must be there, and nothing half.
//
//	go test ./tests/crash -v -timeout 2h -crashes 1000000 -seed 7
package crash

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

var (
	wanted = flag.Int64("crashes", 5000, "simulated crashes")
	seed   = flag.Uint64("seed", 1, "seed of the first history; the next ones have the numbers after it")
)

func TestCrashes(t *testing.T) {
	var next atomic.Uint64
	next.Store(*seed)
	enough := func() bool { return crashes.Load() >= *wanted || t.Failed() }
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for !enough() {
				if err := run(next.Add(1)-1, enough); err != nil {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	t.Logf("%d crashes and %d failed calls in %d histories from seed %d with %d statements",
		crashes.Load(), failures.Load(), next.Load()-*seed, *seed, commits.Load())
	if crashes.Load() < *wanted {
		t.Error("a history ended early")
	}
}
