package driver

import (
	"errors"
	goruntime "runtime"
	"sync"

	"github.com/cubeloom/cubeloom/runtime/fault"
)

// copyBlock is how much one goroutine copies: less is not worth waking one.
const copyBlock = 1 << 20

// copyParallel copies src to the start of dst on several cores: one alone does
// not fill the link to the device. It fails where src is of a mapped file that cannot
// be read.
func copyParallel(dst, src []byte) error {
	if len(src) <= copyBlock || goruntime.GOMAXPROCS(0) == 1 {
		return fault.Call(func() { copy(dst, src) })
	}
	errs := make([]error, (len(src)+copyBlock-1)/copyBlock)
	var group sync.WaitGroup
	for i := range errs {
		at := i * copyBlock
		group.Go(func() {
			errs[i] = fault.Call(func() { copy(dst[at:], src[at:min(at+copyBlock, len(src))]) })
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
