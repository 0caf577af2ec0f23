package store

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// follower makes the rows of a hierarchy of those of the version before it, where few
// edges have changed: only elements below those have other rows.
type follower[K cmp.Ordered, W comparable] struct {
	*elements[K]
	weights *weightKind[W]
	was     [2]*Table // the tables that the old rows were made of
	index   *hierarchyIndex[K, W]
	touched map[K]bool // elements whose edges upwards have changed, or that are new or gone
}

// keyedRow is a row of a base.
type keyedRow[K cmp.Ordered, W comparable] struct {
	element  K
	weight   W
	distance int32
}

// rowsAt are the rows of a base in the old version.
type rowsAt struct {
	block, row int
	found      bool
}

// base is the base of a row of the old version.
func (f *follower[K, W]) base(block, row int) K {
	return f.kind.read(f.old.relation.blocks[block].cols[0], row)
}

// rowsOf finds the first row of a base, or of the next greater one.
func (f *follower[K, W]) rowsOf(k K) rowsAt {
	blocks := f.old.relation.blocks
	at := rowsAt{block: sort.Search(len(blocks), func(i int) bool { return f.base(i, blocks[i].rows-1) >= k })}
	if at.block < len(blocks) {
		at.row = f.firstIn(at.block, 0, k)
		at.found = f.base(at.block, at.row) == k
	}
	return at
}

// firstIn is the first row of a block, from one on, whose base is not less.
func (f *follower[K, W]) firstIn(block, from int, k K) int {
	n := f.old.relation.blocks[block].rows - from
	return from + sort.Search(n, func(i int) bool { return f.base(block, from+i) >= k })
}

// read reads the rows of a base.
func (f *follower[K, W]) read(k K) []keyedRow[K, W] {
	t := f.old.relation
	list := []keyedRow[K, W]{}
	for at := f.rowsOf(k); at.found && at.block < len(t.blocks); at.block, at.row = at.block+1, 0 {
		b := &t.blocks[at.block]
		for ; at.row < b.rows; at.row++ {
			if f.base(at.block, at.row) != k {
				return list
			}
			sqlstate.Check(f.meter.Grow(elementBytes))
			list = append(list, keyedRow[K, W]{
				element: f.kind.read(b.cols[1], at.row), weight: f.weights.read(b.cols[2].Value(at.row, f.weighs)), distance: int32(b.cols[3].Int(at.row)),
			})
		}
	}
	return list
}

// rewriting is the next version of the rows while it is made.
type rewriting[K any] struct {
	*rewriter
	out     *tableWriter
	removed int64
	written int64
}

// rewrite makes the next version: blocks without rows that change are shared.
func (f *follower[K, W]) rewrite(rows map[K][]keyedRow[K, W]) (_ *Table, err error) {
	defer sqlstate.Catch(&err)
	t := f.old.relation
	w := &rewriting[K]{rewriter: &rewriter{app: t.Append()}}
	w.app.memory, w.app.blocks, w.app.sampler = f.account, nil, newSampler(nil, 0)
	w.out = &tableWriter{Batch: w.app.NewBatch(), meter: f.meter}
	changed := slices.Sorted(maps.Keys(rows))
	next := 0
	for i := range t.blocks {
		b := &t.blocks[i]
		end := next + sort.Search(len(changed)-next, func(n int) bool {
			k := changed[next+n]
			return k > f.base(i, b.rows-1) && (i == len(t.blocks)-1 || k >= f.base(i+1, 0))
		})
		if i == len(t.blocks)-1 {
			end = len(changed)
		}
		if next == end {
			sqlstate.Check(w.take(rewritten{old: b}))
			continue
		}
		f.rewriteBlock(w, i, changed[next:end], rows)
		// A base whose rows go on in the next block is looked for there again.
		if next = end; i < len(t.blocks)-1 && changed[end-1] == f.base(i+1, 0) {
			next--
		}
	}
	if len(t.blocks) == 0 {
		for _, k := range changed {
			f.write(w, k, rows)
		}
	}
	w.flush()
	w.app.rows = t.rows - w.removed + w.written
	return w.app.Finish()
}

// rewriteBlock writes a block again, with other rows of some bases.
func (f *follower[K, W]) rewriteBlock(w *rewriting[K], block int, changed []K, rows map[K][]keyedRow[K, W]) {
	b := &f.old.relation.blocks[block]
	from := 0
	for _, k := range changed {
		at := f.firstIn(block, from, k)
		w.copyRows(b, from, at)
		for from = at; from < b.rows && f.base(block, from) == k; from++ {
			w.removed++
		}
		f.write(w, k, rows)
	}
	w.copyRows(b, from, b.rows)
	w.flush()
}

// write writes the rows of a base, once.
func (f *follower[K, W]) write(w *rewriting[K], k K, rows map[K][]keyedRow[K, W]) {
	for _, r := range rows[k] {
		f.kind.put(w.out.Col(0), k)
		f.kind.put(w.out.Col(1), r.element)
		f.weights.put(w.out.Col(2), r.weight)
		w.out.Col(3).Int(int64(r.distance))
		w.written++
		sqlstate.Check(f.meter.Check(64))
		if w.out.Full() {
			w.flush()
		}
	}
	delete(rows, k)
}

// copyRows copies rows of a block.
func (w *rewriting[K]) copyRows(b *block, from, to int) {
	for from < to {
		n := min(to-from, runtime.BlockRows-w.out.Rows())
		for i, c := range b.cols {
			sqlstate.Check(w.out.Col(i).AppendChunk(c, from, from+n))
		}
		if from += n; w.out.Full() {
			w.flush()
		}
	}
	sqlstate.Check(w.out.meter.Check(16 * (to - from)))
}

// flush ends a block.
func (w *rewriting[K]) flush() {
	part := sqlstate.Must(w.out.Seal())
	sqlstate.Check(w.take(rewritten{part: part}))
}
