package vector

import "sync/atomic"

// identityRows and identityGroups are the list 0, 1, 2, … as far as it was needed.
var (
	identityRows   atomic.Pointer[[]int32]
	identityGroups atomic.Pointer[[]uint32]
)

// Identity is the list 0 … n−1, shared and not to be written.
func Identity(n int) []int32 { return identityOf(&identityRows, n) }

// IdentityGroups is Identity for groups.
func IdentityGroups(n int) []uint32 { return identityOf(&identityGroups, n) }

func identityOf[T int32 | uint32](shared *atomic.Pointer[[]T], n int) []T {
	if p := shared.Load(); p != nil && len(*p) >= n {
		return (*p)[:n]
	}
	list := Upwards(make([]T, max(n, DefaultRows)), 0)
	shared.Store(&list)
	return list[:n]
}

// Upwards fills a list with first, first + 1 and so on, and returns it.
func Upwards[T int32 | uint32](list []T, first T) []T {
	for i := range list {
		list[i] = first + T(i)
	}
	return list
}

// isIdentity reports whether rows is a part of a list that identity gave, so that
// the rows lie together.
func isIdentity(rows []int32) bool {
	p := identityRows.Load()
	return len(rows) > 0 && p != nil && int(rows[0]) < len(*p) && &(*p)[rows[0]] == &rows[0]
}
