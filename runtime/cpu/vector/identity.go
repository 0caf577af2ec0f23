package vector

import "sync/atomic"

// identityRows is the list 0, 1, 2, … as far as it was needed.
var identityRows atomic.Pointer[[]int32]

// Identity is the list 0 … n−1, shared and not to be written.
func Identity(n int) []int32 {
	if p := identityRows.Load(); p != nil && len(*p) >= n {
		return (*p)[:n]
	}
	list := make([]int32, max(n, DefaultRows))
	for i := range list {
		list[i] = int32(i)
	}
	identityRows.Store(&list)
	return list[:n]
}

// isIdentity reports whether rows is a part of a list that identity gave, so that
// the rows lie together.
func isIdentity(rows []int32) bool {
	p := identityRows.Load()
	return len(rows) > 0 && p != nil && int(rows[0]) < len(*p) && &(*p)[rows[0]] == &rows[0]
}
