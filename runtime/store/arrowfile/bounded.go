package arrowfile

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Bounded allocates from the Go heap as memory.GoAllocator does, but panics
// when it is asked for more at once than any part of a file of a given size
// could need: the formats' readers believe the sizes that a damaged file states
// them. Whoever uses it recovers.
type Bounded struct {
	memory.GoAllocator
	limit int
}

// NewBounded makes an allocator for reading a file of size bytes.
func NewBounded(size int64) *Bounded {
	const (
		least = 64 << 20
		ratio = 256 // how much smaller compression may have made a buffer
	)
	return &Bounded{limit: least + ratio*int(size)}
}

// Allocate implements memory.Allocator.
func (b *Bounded) Allocate(size int) []byte {
	b.check(size)
	return b.GoAllocator.Allocate(size)
}

// Reallocate implements memory.Allocator.
func (b *Bounded) Reallocate(size int, old []byte) []byte {
	b.check(size)
	return b.GoAllocator.Reallocate(size, old)
}

func (b *Bounded) check(size int) {
	if size < 0 || size > b.limit {
		panic(fmt.Sprintf("a buffer of %d bytes is more than the file can hold", size))
	}
}
