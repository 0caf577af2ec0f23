package runtime

import "slices"

// RowRange is rows from, from+1, …, to-1 of a relation, which is not copied but
// for bits. Starts[i] is the first row of block i; BlockStarts returns it.
func RowRange(rel Relation, starts []int64, from, to int64) Relation {
	r := &rowRange{Relation: rel, rows: max(to-from, 0)}
	for i, start := range starts[:len(starts)-1] {
		if end := starts[i+1]; start < to && end > from {
			r.parts = append(r.parts, blockPart{i, int(max(from-start, 0)), int(min(to, end) - start), int(end - start)})
		}
	}
	return r
}

// RowsBackward is rows to-1, to-2, …, from of a relation, each in a block of its
// own. In all else it is as RowRange.
func RowsBackward(rel Relation, starts []int64, from, to int64) Relation {
	r := &rowRange{Relation: rel, rows: max(to-from, 0)}
	for row := to - 1; row >= from; row-- {
		i, found := slices.BinarySearch(starts, row)
		for found && starts[i+1] == row { // blocks without rows
			i++
		}
		if !found {
			i--
		}
		start := starts[i]
		r.parts = append(r.parts, blockPart{i, int(row - start), int(row - start + 1), int(starts[i+1] - start)})
	}
	return r
}

// BlockStarts returns the first row of each block, and the number of rows behind
// them.
func BlockStarts(rel Relation) ([]int64, error) {
	starts := make([]int64, 1, rel.Blocks()+1)
	for i := range rel.Blocks() {
		b, err := rel.Load(i, nil)
		if err != nil {
			return nil, err
		}
		starts = append(starts, starts[i]+int64(b.Rows))
	}
	return starts, nil
}

// rowRange is a part of a relation. Types are the relation's.
type rowRange struct {
	Relation
	parts []blockPart
	rows  int64
}

// blockPart is rows from to to-1 of a block of rows rows.
type blockPart struct{ block, from, to, rows int }

// Blocks implements Relation.
func (r *rowRange) Blocks() int { return len(r.parts) }

// Rows implements Relation.
func (r *rowRange) Rows() int64 { return r.rows }

// Range implements Relation: the bounds of the whole block hold for its part.
func (r *rowRange) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	return r.Relation.Range(r.parts[i].block, ordinal)
}

// Load implements Relation.
func (r *rowRange) Load(i int, ordinals []int) (Block, error) {
	p := r.parts[i]
	b, err := r.Relation.Load(p.block, ordinals)
	if err != nil || p.from == 0 && p.to == p.rows {
		return b, err
	}
	cut := Block{Rows: p.to - p.from, Cols: make([]*Chunk, len(b.Cols))}
	for _, o := range ordinals {
		cut.Cols[o] = b.Cols[o].Slice(p.from, p.to)
	}
	return cut, nil
}
