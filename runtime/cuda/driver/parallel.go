package driver

import (
	"errors"
	goruntime "runtime"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/fault"
)

// copyPiece is how much one goroutine copies: less is not worth waking one.
const copyPiece = 1 << 20

// copyParallel copies src to the start of dst on several cores: one alone does
// not fill the link to the device. It fails where src is of a mapped file that cannot
// be read.
func copyParallel(dst, src []byte) error {
	if len(src) <= copyPiece || goruntime.GOMAXPROCS(0) == 1 {
		return fault.Call(func() { copy(dst, src) })
	}
	errs := make([]error, (len(src)+copyPiece-1)/copyPiece)
	var group sync.WaitGroup
	for i := range errs {
		at := i * copyPiece
		group.Go(func() {
			errs[i] = fault.Call(func() { copy(dst[at:], src[at:min(at+copyPiece, len(src))]) })
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
