package store

import (
	"cmp"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime"
)

// chunkID is the same for chunks that share their values.
type chunkID struct {
	enc          runtime.Encoding
	rows         int
	base         int64
	min, max     int64
	values, more unsafe.Pointer
}

func idOf(c *runtime.Chunk) chunkID {
	id := chunkID{enc: c.Enc, rows: c.Rows, base: c.Base, min: c.Min, max: c.Max}
	for _, p := range []unsafe.Pointer{dataOf(c.U8), dataOf(c.U16), dataOf(c.U32), dataOf(c.I64), dataOf(c.I128), dataOf(c.F64), dataOf(c.Offsets), dataOf(c.Nums)} {
		if p != nil {
			id.values = p
		}
	}
	id.more = dataOf(c.Bytes)
	return id
}

func dataOf[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// ownBlocks are the blocks of a table that another version does not share in some columns.
func ownBlocks(t, other *Table, ordinals []int) (own []int, rows int) {
	type blockID [3]chunkID
	id := func(b *block) (id blockID) {
		for i, o := range ordinals {
			id[i] = idOf(b.cols[o])
		}
		return id
	}
	shared := make(map[blockID]bool, len(other.blocks))
	for i := range other.blocks {
		shared[id(&other.blocks[i])] = true
	}
	for i := range t.blocks {
		if b := &t.blocks[i]; !shared[id(b)] {
			own = append(own, i)
			rows += b.rows
		}
	}
	return own, rows
}

// fewChanges returns the blocks of two versions of a table that they do not share in some
// columns; ok is false where these have many rows.
func fewChanges(old, new *Table, ordinals []int) (was, is []int, ok bool) {
	was, n := ownBlocks(old, new, ordinals)
	is, m := ownBlocks(new, old, ordinals)
	few := manyRows + int(new.rows)/2
	return was, is, n <= few && m <= few
}

// manyRows is how many rows are looked at for few changes, however few there are in all: a
// change of one row makes another block of those about it.
const manyRows = 1 << 17

// tableDiff is how often each row is in the new version of a table more than in the old one.
type tableDiff[R comparable] struct {
	more map[R]int
	// order is the rows of more in the order of the tables, those of the old one first.
	order []R
}

// differing compares the rows of two versions of a table, as read makes them of blocks.
func differing[R comparable](was, is []R) *tableDiff[R] {
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	d := &tableDiff[R]{more: make(map[R]int, len(was)+len(is))}
	count := func(rows []R, by int) {
		for _, r := range rows {
			if _, met := d.more[r]; !met {
				d.order = append(d.order, r)
			}
			d.more[r] += by
		}
	}
	count(was, -1)
	count(is, 1)
	return d
}

// each goes over the rows that differ, those that are gone first.
func (d *tableDiff[R]) each(do func(r R, more int) bool) bool {
	for _, sign := range []int{-1, 1} {
		for _, r := range d.order {
			if n := d.more[r]; n*sign > 0 && !do(r, n) {
				return false
			}
		}
	}
	return true
}

// edgeColumns are the columns of the table of edges that are read.
func (e *elements[K]) edgeColumns() []int {
	if e.weight < 0 {
		return []int{e.child, e.parent}
	}
	return []int{e.child, e.parent, e.weight}
}

// edgesOf reads edges of blocks of a version of their table.
func edgesOf[K cmp.Ordered, W comparable](e *elements[K], weights *weightKind[W], t *Table, blocks []int) (list []hierarchyEdge[K, W], err error) {
	err = e.rows(t, blocks, e.edgeColumns(), func(cols []*runtime.Chunk, row int) error {
		edge := hierarchyEdge[K, W]{child: e.kind.read(cols[e.child], row), indexEdge: indexEdge[K, W]{e.kind.read(cols[e.parent], row), weights.by.One}}
		if e.weight >= 0 {
			edge.weight = weights.read(cols[e.weight].Value(row, t.def.Columns[e.weight].Type))
		}
		if err := e.meter.Grow(int(unsafe.Sizeof(edge))); err != nil {
			return err
		}
		list = append(list, edge)
		return nil
	})
	return list, err
}

// idsOf reads elements of blocks of a version of the table that has them.
func idsOf[K cmp.Ordered](e *elements[K], t *Table, blocks []int) (list []K, err error) {
	err = e.rows(t, blocks, []int{e.id}, func(cols []*runtime.Chunk, row int) error {
		list = append(list, e.kind.read(cols[e.id], row))
		return e.meter.Grow(elementBytes)
	})
	return list, err
}
