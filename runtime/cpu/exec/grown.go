package exec

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Grown returns s with length n at least, its new elements zero. What it holds
// more is charged first. Growing by steps doubles the capacity. Nobody else refers to s, which is
// used again.
func Grown[T any](mem *Memory, s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n <= cap(s) {
		return s[:n]
	}
	var zero T
	size := int64(unsafe.Sizeof(zero))
	room := n
	if len(s) > 0 {
		room = max(n, 2*cap(s))
	}
	sqlstate.Check(mem.Grow(int64(room) * size))
	t := spare.GrowZeros(mem.Arrays, s, room)
	mem.Shrink(int64(cap(s)) * size)
	return t[:n]
}
