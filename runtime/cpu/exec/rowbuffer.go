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

	// block is not nil where the rows are made into blocks, and not read before: the texts
	// by column, nil for other types.
	block []*vector.Texts
	sizes []int64 // by column: bytes of the texts that are about to be taken
}

// maxTextBytes ends a block early: a block's texts are there twice while it is made, and
// offsets into them fit 32 bits.
const maxTextBytes = 32 << 20

// NewRowBuffer makes a buffer for the values ids of r's kernel.
func NewRowBuffer(r *Run, ids []kernel.ValueID) *RowBuffer {
	buf := &RowBuffer{Mem: &r.Mem, ids: ids, Cols: make([]vector.Vector, len(ids)), sizes: make([]int64, len(ids))}
	for i, t := range ValueTypes(r.Kernel, ids) {
		buf.Cols[i].Type = t
	}
	return buf
}

// NewBlockBuffer makes a buffer of rows that are not read until they are a block: the
// columns are kept as a block has them.
func NewBlockBuffer(r *Run, ids []kernel.ValueID) *RowBuffer {
	buf := NewRowBuffer(r, ids)
	buf.block = make([]*vector.Texts, len(ids))
	for i := range buf.Cols {
		if buf.Cols[i].Type == kernel.Str {
			buf.block[i] = &vector.Texts{}
		}
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
	for i, id := range buf.ids {
		switch {
		case buf.textsOf(i) != nil:
			buf.sizes[i] = vector.TextSize(b, b.Vals[id], rows)
		case buf.Cols[i].Type == kernel.Str:
			buf.sizes[i] = textBytes(b.Value(id), rows)
		default:
			b.Value(id)
		}
	}
	if err := buf.charge(len(rows)); err != nil {
		return err
	}
	for i, id := range buf.ids {
		if t := buf.textsOf(i); t != nil {
			buf.Cols[i].AppendTexts(t, b.Vals[id], rows)
		} else {
			buf.Cols[i].AppendRows(b.Vals[id], rows)
		}
	}
	buf.Rows += len(rows)
	return nil
}

// textsOf is where the texts of a column are that is kept as a block has it; nil for other
// columns.
func (buf *RowBuffer) textsOf(i int) *vector.Texts {
	if buf.block == nil {
		return nil
	}
	return buf.block[i]
}

// charge charges n more rows, whose texts have the lengths sizes, before they are taken,
// and makes room for them where they become a block.
func (buf *RowBuffer) charge(n int) error {
	var bytes, texts int64
	for _, size := range buf.sizes {
		texts += size
	}
	room := buf.room
	if buf.Rows+n > room {
		had, width := room, int64(0)
		for i := range buf.Cols {
			if buf.textsOf(i) != nil {
				width += vector.TextEnd + 1
				continue
			}
			had = max(had, buf.Cols[i].Column().Capacity())
			width += vector.ValueBytes(buf.Cols[i].Type) + 1
		}
		if room = had; buf.Rows+n > had {
			room = buf.nextRoom(had, buf.Rows+n)
		}
		bytes = width * int64(room-buf.room)
	}
	if err := buf.Mem.Grow(bytes + texts); err != nil {
		return err
	}
	buf.room, buf.texts, buf.bytes = room, buf.texts+texts, buf.bytes+bytes+texts
	if buf.block == nil {
		return nil
	}
	for i := range buf.Cols {
		if t := buf.block[i]; t != nil {
			if err := buf.growTexts(t, buf.Rows+n, int(buf.sizes[i])); err != nil {
				return err
			}
		} else {
			buf.Cols[i].Column().Grow(room)
		}
	}
	return nil
}

// nextRoom is for how many rows there shall be room, of which need are there soon. What
// becomes a block has room for a whole one as soon as it has some rows.
func (buf *RowBuffer) nextRoom(had, need int) int {
	if buf.block == nil {
		return max(2*had, need)
	}
	return max(need, min(16*had, runtime.BlockRows))
}

// growTexts makes room for the texts of so many rows, with size bytes more than there are,
// and charges for what that is more: room for a whole block, by the rows that there are.
func (buf *RowBuffer) growTexts(t *vector.Texts, rows, size int) error {
	need, had := t.Size()+size, t.Room()
	if need > had {
		expected := float64(need) / float64(rows) * float64(min(16*rows, runtime.BlockRows))
		had = max(need, min(int(1.05*expected), maxTextBytes))
		more := int64(had - need)
		if err := buf.Mem.Grow(more); err != nil {
			return err
		}
		buf.bytes += more
	}
	t.Grow(buf.room, had)
	return nil
}

// textBytes is the length of all texts of the rows.
func textBytes(v *vector.Vector, rows []int32) int64 {
	return vector.TextSize(nil, v, rows)
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
		block.Cols[i] = vector.EncodeBlock(&buf.Cols[i], buf.block[i], buf.Rows)
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
	for i, id := range buf.ids {
		cols[i] = make([]*vector.Vector, len(bufs))
		for j := range bufs {
			cols[i][j] = bufs[j].Column(id)
		}
		if buf.sizes[i] = 0; buf.Cols[i].Type == kernel.Str {
			for _, e := range entries {
				buf.sizes[i] += int64(len(vector.Of[string](cols[i][e.Buf])[e.Row]))
			}
		}
	}
	if err := buf.charge(len(entries)); err != nil {
		return err
	}
	for i := range buf.ids {
		if t := buf.textsOf(i); t != nil {
			buf.Cols[i].TakeTexts(t, cols[i], entries)
		} else {
			buf.Cols[i].TakeRows(cols[i], entries)
		}
	}
	buf.Rows += len(entries)
	return nil
}

// Release drops the rows and takes back what was charged for them.
func (buf *RowBuffer) Release() {
	buf.Mem.Shrink(buf.bytes)
	*buf = RowBuffer{Mem: buf.Mem}
}
