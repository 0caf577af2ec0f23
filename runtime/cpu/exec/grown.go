package exec

import (
	"unsafe"

	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Grown returns s with length n at least, its new elements zero. What it holds
// more is charged first. Growing by steps doubles the capacity.
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
	t := make([]T, n, room)
	long.Copy(t, s)
	mem.Shrink(int64(cap(s)) * size)
	return t, nil
}
