package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// sorting renders a Sort: one entry writes the rows that remain and their keys.
// The host orders the keys and gathers the rows with the entries of OrderModule.
func (r *renderer) sorting(s *kernel.Sort) {
	for _, id := range s.Cols {
		r.output(id)
	}
	if r.readsInOrder(s) {
		r.sortCells(s)
		return
	}
	words, first := r.sortWords(s.Keys), topRows(s)
	var keep *keeping
	if first > 0 {
		keep = r.top(s, words, first)
	}
	r.collect(words, keep, func(e *Entry) {
		e.storeAll(s.Cols)
	})
	r.sort.Top = first
}

// collect renders the entry that writes the rows that remain, but for those that are left
// out, where keep is not nil, as write does to place to, and the words of their keys.
func (r *renderer) collect(words [][]sortField, keep *keeping, write func(e *Entry)) {
	r.include("cells.cuh")
	layout := layoutOf(words)
	r.sort = &layout
	all := func(e *Entry) {
		e.Line("const u64 capacity = %s;", e.capacity())
		e.placeRows(func() {
			write(e)
			if len(words) > 0 {
				e.storeKeys(words)
			}
		})
	}
	pass := Pass{Name: "collect", Comment: "writes the rows that remain and their keys", Open: (*Entry).openRows, Rows: all}
	if keep != nil {
		pass.Open = func(e *Entry) {
			e.few = keep.few
			e.openRows()
			keep.open(e)
		}
		pass.Rows = func(e *Entry) {
			keep.keep(e)
			e.whereActive(func() { all(e) })
		}
		pass.Last, pass.Resident = keep.last, keep.resident
	}
	r.Pass(pass)
}
