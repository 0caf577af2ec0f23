package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// A Sort of groups in dense cells may go over the cells in the order of the last keys, as far as
// these are keys of the groups. Rows with equal keys stay in their order where they are sorted by
// the keys before these; where there are none before, nothing is left to be sorted.

// cellOrder is the order in which cells are gone over.
type cellOrder struct {
	parts []cellPart       // keys of the groups, the most significant first
	rest  []kernel.SortKey // by which the groups are to be sorted then
}

// cellPart is a key of the groups in such an order: Val of by is its value.
type cellPart struct {
	by  kernel.SortKey
	key int // its number
}

// orderOfCells is the order that the keys of a sort make of cells that so many keys tell; it has
// no parts where the last one is no key of the groups.
func orderOfCells(f *kernel.Func, sorted []kernel.SortKey, keys int) (o cellOrder) {
	o.rest = sorted
	for len(o.rest) > 0 {
		last := o.rest[len(o.rest)-1]
		key := groupKey(f, &last)
		if key < 0 || key >= keys || slices.ContainsFunc(o.parts, func(p cellPart) bool { return p.key == key }) {
			break
		}
		o.parts, o.rest = slices.Insert(o.parts, 0, cellPart{last, key}), o.rest[:len(o.rest)-1]
	}
	return o
}

// groupKey is the column of the source that a key of an order is, or of whose codes it is the
// rank; Val becomes its value. -1 for others.
func groupKey(f *kernel.Func, by *kernel.SortKey) int {
	ranked := false
	for _, in := range f.Body {
		if c, ok := in.(*kernel.Compute); ok && c.Op == kernel.OpRank && c.Dst == by.Val {
			by.Val, ranked = c.Args[0], true
		}
	}
	scan, ok := f.Source.(*kernel.Scan)
	if !ok || ranked != (f.Values[by.Val].Type == kernel.Code) {
		return -1
	}
	i := slices.IndexFunc(scan.Cols, func(c kernel.SourceCol) bool { return c.Dst == by.Val })
	if i < 0 {
		return -1
	}
	return scan.Cols[i].Ordinal
}
