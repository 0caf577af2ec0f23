package driver

import (
	goruntime "runtime"
	"sync"
)

// copyPiece is how much one goroutine copies: less is not worth waking one.
const copyPiece = 1 << 20

// copyParallel copies src to the start of dst on several cores: one alone does
// not fill the link to the device.
func copyParallel(dst, src []byte) {
	if len(src) <= copyPiece || goruntime.GOMAXPROCS(0) == 1 {
		copy(dst, src)
		return
	}
	var group sync.WaitGroup
	for at := 0; at < len(src); at += copyPiece {
		group.Go(func() { copy(dst[at:], src[at:min(at+copyPiece, len(src))]) })
	}
	group.Wait()
}
