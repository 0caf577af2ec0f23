package exec

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
)

// Grown returns s with length n at least, its new elements zero. What it holds
// more is charged first. Growing by steps doubles the capacity. Nobody else refers to s, which is
// used again.
func Grown[T any](mem *Memory, s []T, n int) ([]T, error) {
	if n <= len(s) {
		return s, nil
	}
	if n <= cap(s) {
		return s[:n], nil
	}
	var zero T
	size := int64(unsafe.Sizeof(zero))
	room := n
	if len(s) > 0 {
		room = max(n, 2*cap(s))
	}
	if err := mem.Grow(int64(room) * size); err != nil {
		return s, err
	}
	t := spare.GrowZeros(mem.Arrays, s, room)
	mem.Shrink(int64(cap(s)) * size)
	return t[:n], nil
}
