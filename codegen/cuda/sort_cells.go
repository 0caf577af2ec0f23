package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// readsInOrder has the cells of the source be gone over in the order that a sort wants them in, where
// they are dense.
func (r *renderer) readsInOrder(s *kernel.Sort) bool {
	input := r.f.GroupsSource()
	if !s.ByCells || input < 0 || !r.shapes[input].Groups.layout.Dense || r.multiplies() {
		return false
	}
	keys := r.shapes[input].Groups.keys
	o := orderOfCells(r.f, s.Keys, len(keys))
	if len(o.parts) == 0 {
		return false
	}
	for key := range keys {
		if !slices.ContainsFunc(o.parts, func(p cellPart) bool { return p.key == key }) {
			o.parts = append(o.parts, cellPart{kernel.SortKey{Val: kernel.NoValue}, key})
		}
	}
	r.order = &o
	return true
}

// sortCells renders a Sort of groups that come in the order of its last keys.
func (r *renderer) sortCells(s *kernel.Sort) {
	if len(r.order.rest) == 0 {
		r.writeInOrder("materialize", "writes the groups in the order of their keys", func(e *Entry) { e.storeAll(s.Cols) })
		return
	}
	words := r.sortWords(r.order.rest)
	layout := layoutOf(words)
	r.sort = &layout
	r.include("cells.cuh")
	r.writeInOrder("collect", "writes the groups in the order of their keys, and the keys before these", func(e *Entry) {
		e.storeAll(s.Cols)
		e.storeKeys(words)
	})
}
