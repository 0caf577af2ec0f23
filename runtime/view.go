package runtime

import (
	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// view is one or more relations one after the other, each seen through columns
// of its own: how the parts of a codegen.Binding come together without being
// copied.
type view struct {
	types  []kernel.Type
	parts  []ViewPart
	blocks []blockRef
	rows   int64
}

// ViewPart is a relation and the columns that it is seen through.
type ViewPart struct {
	Rel  Relation
	Cols []codegen.PartCol // nil: the relation's columns as they are
}

// blockRef is a block of a part.
type blockRef struct{ part, block int }

// NewView makes a relation of parts, of which there is at least one.
func NewView(parts []ViewPart) Relation {
	if len(parts) == 1 && parts[0].Cols == nil {
		return parts[0].Rel
	}
	v := &view{parts: parts, types: parts[0].types()}
	for p, part := range parts {
		for b := range part.Rel.Blocks() {
			v.blocks = append(v.blocks, blockRef{part: p, block: b})
		}
		v.rows += part.Rel.Rows()
	}
	return v
}

// types are the physical types of the part's columns.
func (p *ViewPart) types() []kernel.Type {
	if p.Cols == nil {
		return p.Rel.Types()
	}
	return lists.Map(p.Cols, func(col codegen.PartCol) kernel.Type { return col.Type })
}

// Composed is a Relation of parts one after the other, whose columns a backend
// may read where they lie.
type Composed interface {
	Relation
	// Parts are the parts in order, of which there is at least one.
	Parts() []ViewPart
}

// Parts implements Composed.
func (v *view) Parts() []ViewPart { return v.parts }

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
	if part.Cols == nil {
		return part.Rel.Load(ref.block, ordinals)
	}
	block, err := part.Rel.Load(ref.block, part.sources(ordinals))
	if err != nil {
		return Block{}, err
	}
	seen := Block{Rows: block.Rows, Cols: make([]*Chunk, len(part.Cols))}
	for _, o := range ordinals {
		if col := &part.Cols[o]; col.Ordinal >= 0 {
			seen.Cols[o] = block.Cols[col.Ordinal]
		} else {
			seen.Cols[o] = repeatChunk(col.Type, col.Const, block.Rows)
		}
	}
	return seen, nil
}

// LoadBytes implements Decoded.
func (v *view) LoadBytes(i int, ordinals []int) int64 {
	ref := v.blocks[i]
	part := &v.parts[ref.part]
	return LoadBytes(part.Rel, ref.block, part.sources(ordinals))
}

// columns are the columns of the relation that the part is seen through.
func (p *ViewPart) columns() []int {
	all := lists.Upto[int](len(p.types()))
	return p.sources(all)
}

// sources are the columns of the relation that columns of the part are.
func (p *ViewPart) sources(ordinals []int) []int {
	if p.Cols == nil {
		return ordinals
	}
	var wanted []int
	for _, o := range ordinals {
		if source := p.Cols[o].Ordinal; source >= 0 {
			wanted = append(wanted, source)
		}
	}
	return wanted
}

// Range implements Relation.
func (v *view) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	ref := v.blocks[i]
	part := &v.parts[ref.part]
	if part.Cols == nil {
		return part.Rel.Range(ref.block, ordinal)
	}
	source := part.Cols[ordinal].Ordinal
	if source < 0 {
		return 0, 0, false, false
	}
	return part.Rel.Range(ref.block, source)
}
