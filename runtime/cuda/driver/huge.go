package driver

import (
	"os"
	goruntime "runtime"
	"sync"
)

// hugePage is the size of a huge page.
const hugePage = 2 << 20

// touch has every page of b come into being, on all cores: the system fills each
// with zeros.
func touch(b []byte) {
	page := os.Getpagesize()
	part := (len(b)/goruntime.GOMAXPROCS(0)/hugePage + 1) * hugePage
	var group sync.WaitGroup
	for from := 0; from < len(b); from += part {
		group.Go(func() {
			for at := from; at < min(from+part, len(b)); at += page {
				b[at] = 0
			}
		})
	}
	group.Wait()
}

// hostMapping is where page-locked memory lies; nil: the driver has allocated it.
type hostMapping []byte
