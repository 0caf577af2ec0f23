package runtime

import (
	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// view is one or more relations one after the other, each seen through columns
// of its own: how the parts of a codegen.Binding come together without being
// copied.
type view struct {
	types  []kernel.Type
	parts  []viewPart
	blocks []blockRef
	rows   int64
}

// viewPart is a relation and the columns that it is seen through.
type viewPart struct {
	rel  Relation
	cols []codegen.PartCol // nil: the relation's columns as they are
}

// blockRef is a block of a part.
type blockRef struct{ part, block int }

// newView makes a relation of parts, of which there is at least one.
func newView(parts []viewPart) Relation {
	if len(parts) == 1 && parts[0].cols == nil {
		return parts[0].rel
	}
	v := &view{parts: parts, types: parts[0].types()}
	for p, part := range parts {
		for b := range part.rel.Blocks() {
			v.blocks = append(v.blocks, blockRef{part: p, block: b})
		}
		v.rows += part.rel.Rows()
	}
	return v
}

// types are the physical types of the part's columns.
func (p *viewPart) types() []kernel.Type {
	if p.cols == nil {
		return p.rel.Types()
	}
	types := make([]kernel.Type, len(p.cols))
	for i, col := range p.cols {
		types[i] = col.Type
	}
	return types
}

// Types implements Relation.
func (v *view) Types() []kernel.Type { return v.types }

// Blocks implements Relation.
func (v *view) Blocks() int { return len(v.blocks) }

// Rows implements Relation.
func (v *view) Rows() int64 { return v.rows }

// Load implements Relation.
func (v *view) Load(i int, ordinals []int) (Block, error) {
	ref := v.blocks[i]
	part := &v.parts[ref.part]
	if part.cols == nil {
		return part.rel.Load(ref.block, ordinals)
	}
	var wanted []int
	for _, o := range ordinals {
		if source := part.cols[o].Ordinal; source >= 0 {
			wanted = append(wanted, source)
		}
	}
	block, err := part.rel.Load(ref.block, wanted)
	if err != nil {
		return Block{}, err
	}
	seen := Block{Rows: block.Rows, Cols: make([]*Chunk, len(part.cols))}
	for _, o := range ordinals {
		if col := &part.cols[o]; col.Ordinal >= 0 {
			seen.Cols[o] = block.Cols[col.Ordinal]
		} else {
			seen.Cols[o] = repeatChunk(col.Type, col.Const, block.Rows)
		}
	}
	return seen, nil
}

// Range implements Relation.
func (v *view) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	ref := v.blocks[i]
	part := &v.parts[ref.part]
	if part.cols == nil {
		return part.rel.Range(ref.block, ordinal)
	}
	source := part.cols[ordinal].Ordinal
	if source < 0 {
		return 0, 0, false, false
	}
	return part.rel.Range(ref.block, source)
}
