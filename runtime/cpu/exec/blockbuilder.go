package exec

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// BlockBuilder makes blocks of rows of batches, which are not read before, and is charged
// for them.
type BlockBuilder struct {
	mem   *Memory
	ids   []kernel.ValueID
	cols  []*vector.ChunkBuilder
	Rows  int
	room  int     // rows that are charged, texts aside
	texts int64   // bytes of texts
	bytes int64   // charged
	sizes []int64 // by column: bytes of the texts that are about to be taken
	taken vector.Rows
	limit int // rows of a block
	life  vector.Lifetime
}

// AtMost says how many rows there will be at the most in all.
func (bb *BlockBuilder) AtMost(rows int) { bb.limit = min(rows, runtime.BlockRows) }

// NewBlockBuilder makes a builder of blocks of the values ids of r's kernel.
func NewBlockBuilder(r *Run, ids []kernel.ValueID) *BlockBuilder {
	bb := &BlockBuilder{mem: &r.Mem, ids: ids, sizes: make([]int64, len(ids)), limit: runtime.BlockRows, life: r.Life()}
	for _, t := range ValueTypes(r.Kernel, ids) {
		bb.cols = append(bb.cols, vector.NewChunkBuilder(t, r.Mem.Arrays))
	}
	return bb
}

// Append adds the listed rows of a batch, of which there is one.
func (bb *BlockBuilder) Append(b *vector.Batch, rows []int32) {
	bb.taken.Set(rows)
	for i, id := range bb.ids {
		bb.sizes[i] = bb.cols[i].Size(b, b.Vals[id], &bb.taken)
	}
	bb.charge(len(rows))
	for i, id := range bb.ids {
		bb.cols[i].Append(b.Vals[id], &bb.taken)
	}
	bb.Rows += len(rows)
}

// Take appends the rows that entries name. Every column of the block is a column of all
// bufs.
func (bb *BlockBuilder) Take(bufs []*RowBuffer, entries []vector.Entry) {
	cols := columnsOf(bufs, bb.ids)
	for i := range cols {
		bb.sizes[i] = takenTexts(cols[i], entries)
	}
	bb.charge(len(entries))
	for i := range cols {
		bb.cols[i].Take(cols[i], entries)
	}
	bb.Rows += len(entries)
}

// charge charges n more rows, whose texts have the lengths sizes, before they are taken,
// and makes room for them.
func (bb *BlockBuilder) charge(n int) {
	var bytes, texts int64
	for _, size := range bb.sizes {
		texts += size
	}
	room := bb.room
	if bb.Rows+n > room {
		width := int64(0)
		for _, c := range bb.cols {
			room = max(room, c.Capacity())
			width += c.RowBytes()
		}
		if bb.Rows+n > room { // room for a whole block as soon as there are some rows
			room = max(bb.Rows+n, min(16*room, bb.limit))
		}
		bytes = width * int64(room-bb.room)
	}
	sqlstate.Check(bb.mem.Grow(bytes + texts))
	bb.room, bb.texts, bb.bytes = room, bb.texts+texts, bb.bytes+bytes+texts
	for i, c := range bb.cols {
		if t := c.Texts(); t == nil {
			c.Grow(room)
		} else {
			bb.growTexts(t, bb.Rows+n, int(bb.sizes[i]))
		}
	}
}

// growTexts makes room for the texts of so many rows, with size bytes more than there are,
// and charges for what that is more: room for a whole block, by the rows that there are.
func (bb *BlockBuilder) growTexts(t *vector.Texts, rows, size int) {
	need, had := t.Size()+size, t.Room()
	if need > had {
		expected := float64(need) / float64(rows) * float64(min(16*rows, bb.limit))
		had = max(need, min(int(1.05*expected), maxTextBytes))
		more := int64(had - need)
		sqlstate.Check(bb.mem.Grow(more))
		bb.bytes += more
	}
	t.Grow(bb.room, had)
}

// Full reports whether it is time to seal before n more rows are added.
func (bb *BlockBuilder) Full(n int) bool {
	return bb.Rows > 0 && (bb.Rows+n > runtime.BlockRows || bb.texts >= maxTextBytes)
}

// Seal makes a block of the rows and leaves none. Memory that the block does not need is
// used again. Instead of the rows the block is charged.
func (bb *BlockBuilder) Seal() runtime.Block {
	most := bb.texts
	for _, c := range bb.cols {
		most += c.RowBytes()*int64(bb.Rows) + 64
	}
	sqlstate.Check(bb.mem.Grow(most))
	block := runtime.Block{Rows: bb.Rows, Cols: make([]*runtime.Chunk, len(bb.cols))}
	for i, c := range bb.cols {
		block.Cols[i] = c.Finish(bb.life)
	}
	bb.mem.Shrink(bb.bytes + most - BlockBytes(&block))
	bb.Rows, bb.room, bb.texts, bb.bytes = 0, 0, 0, 0
	return block
}

// Lend is Seal of a block that is gone when the run's arrays are. It keeps the memory that the
// builder has taken for it, so many bytes, which stay charged.
func (bb *BlockBuilder) Lend() (runtime.Block, int64) {
	block := runtime.Block{Rows: bb.Rows, Cols: make([]*runtime.Chunk, len(bb.cols))}
	for i, c := range bb.cols {
		block.Cols[i] = c.Finish(vector.Lent)
	}
	bytes := bb.bytes
	bb.Rows, bb.room, bb.texts, bb.bytes = 0, 0, 0, 0
	return block, bytes
}
