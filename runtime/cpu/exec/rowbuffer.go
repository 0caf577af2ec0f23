package exec

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// RowBuffer collects rows of batches column by column, decoded, and is charged
// for them.
type RowBuffer struct {
	Mem   *Memory
	ids   []kernel.ValueID
	Cols  []vector.Vector
	Rows  int
	room  int   // rows that are charged, texts aside
	texts int64 // bytes of texts
	bytes int64 // charged
}

// maxTextBytes ends a block early: a block's texts are there twice while it is made, and
// offsets into them fit 32 bits.
const maxTextBytes = 32 << 20

// NewRowBuffer makes a buffer for the values ids of r's kernel.
func NewRowBuffer(r *Run, ids []kernel.ValueID) *RowBuffer {
	buf := &RowBuffer{Mem: &r.Mem, ids: ids, Cols: make([]vector.Vector, len(ids))}
	for i, t := range ValueTypes(r.Kernel, ids) {
		buf.Cols[i].Type = t
	}
	return buf
}

// ValueTypes returns the types of values.
func ValueTypes(f *kernel.Func, ids []kernel.ValueID) []kernel.Type {
	types := make([]kernel.Type, len(ids))
	for i, id := range ids {
		types[i] = f.Values[id].Type
	}
	return types
}

// Append adds the listed rows of a batch.
func (buf *RowBuffer) Append(b *vector.Batch, rows []int32) error {
	var texts int64
	for i, id := range buf.ids {
		if v := b.Value(id); buf.Cols[i].Type == kernel.Str {
			texts += textBytes(v, rows)
		}
	}
	if err := buf.charge(len(rows), texts); err != nil {
		return err
	}
	for i, id := range buf.ids {
		buf.Cols[i].AppendRows(b.Vals[id], rows)
	}
	buf.Rows += len(rows)
	return nil
}

// charge charges n more rows with so many bytes of texts, before they are taken: the
// columns grow by doubling.
func (buf *RowBuffer) charge(n int, texts int64) error {
	bytes := texts
	room := buf.room
	if buf.Rows+n > room {
		had, width := 0, int64(0)
		for i := range buf.Cols {
			had = max(had, buf.Cols[i].Column().Capacity())
			width += vector.ValueBytes(buf.Cols[i].Type) + 1
		}
		if room = had; buf.Rows+n > had {
			room = max(2*had, buf.Rows+n)
		}
		bytes += width * int64(room-buf.room)
	}
	if err := buf.Mem.Grow(bytes); err != nil {
		return err
	}
	buf.room, buf.texts, buf.bytes = room, buf.texts+texts, buf.bytes+bytes
	return nil
}

// textBytes is the length of all texts of the rows.
func textBytes(v *vector.Vector, rows []int32) int64 {
	var n int64
	if v.Const {
		return int64(len(vector.Of[string](v)[0])) * int64(len(rows))
	}
	texts := vector.Of[string](v)
	for _, i := range rows {
		if v.Null == nil || v.Null[i] == 0 {
			n += int64(len(texts[i]))
		}
	}
	return n
}

// Full says that it is time to seal before n more rows are added.
func (buf *RowBuffer) Full(n int) bool {
	return buf.Rows > 0 && (buf.Rows+n > runtime.BlockRows || buf.texts >= maxTextBytes)
}

// Seal makes a block of the rows and empties the buffer, whose memory is used
// again where the block does not need it. Instead of the rows the block is
// charged.
func (buf *RowBuffer) Seal() (runtime.Block, error) {
	most := buf.texts
	for i := range buf.Cols {
		most += (vector.ValueBytes(buf.Cols[i].Type)+1)*int64(buf.Rows) + 64
	}
	if err := buf.Mem.Grow(most); err != nil {
		return runtime.Block{}, err
	}
	block := runtime.Block{Rows: buf.Rows, Cols: make([]*runtime.Chunk, len(buf.Cols))}
	for i := range buf.Cols {
		block.Cols[i] = vector.Encode(&buf.Cols[i], buf.Rows)
		buf.Cols[i].Empty(block.Cols[i].Enc)
	}
	buf.Mem.Shrink(buf.bytes + most - BlockBytes(&block))
	buf.Rows, buf.room, buf.texts, buf.bytes = 0, 0, 0, 0
	return block, nil
}

// Column is the column that holds value id.
func (buf *RowBuffer) Column(id kernel.ValueID) *vector.Vector {
	return &buf.Cols[slices.Index(buf.ids, id)]
}

// Take appends the rows that entries name. Every column of buf is a column of
// all bufs.
func (buf *RowBuffer) Take(bufs []*RowBuffer, entries []vector.Entry) error {
	cols := make([][]*vector.Vector, len(buf.ids))
	var texts int64
	for i, id := range buf.ids {
		cols[i] = make([]*vector.Vector, len(bufs))
		for j := range bufs {
			cols[i][j] = bufs[j].Column(id)
		}
		if buf.Cols[i].Type == kernel.Str {
			for _, e := range entries {
				texts += int64(len(vector.Of[string](cols[i][e.Buf])[e.Row]))
			}
		}
	}
	if err := buf.charge(len(entries), texts); err != nil {
		return err
	}
	for i := range buf.ids {
		buf.Cols[i].TakeRows(cols[i], entries)
	}
	buf.Rows += len(entries)
	return nil
}

// Release drops the rows and takes back what was charged for them.
func (buf *RowBuffer) Release() {
	buf.Mem.Shrink(buf.bytes)
	*buf = RowBuffer{Mem: buf.Mem}
}
