package exec

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// RowBuffer collects rows of batches column by column, decoded, and is charged
// for them.
type RowBuffer struct {
	Mem   *Memory
	ids   []kernel.ValueID
	Cols  []vector.Vector
	Rows  int
	room  int     // rows that are charged, texts aside
	texts int64   // bytes of texts
	bytes int64   // charged
	sizes []int64 // by column: bytes of the texts that are about to be taken
	most  int     // rows, 0: not known
}

// AtMost says how many rows there will be at the most: few steps then make room for them.
func (buf *RowBuffer) AtMost(rows int) { buf.most = rows }

// knownGrowth is how many times as long what holds rows becomes at once where it is known how
// many there will be at the most.
const knownGrowth = 16

// maxTextBytes ends a buffer or a block early: offsets into its texts fit 32 bits.
const maxTextBytes = 32 << 20

// NewRowBuffer makes a buffer for the values ids of r's kernel.
func NewRowBuffer(r *Run, ids []kernel.ValueID) *RowBuffer {
	buf := &RowBuffer{Mem: &r.Mem, ids: ids, Cols: make([]vector.Vector, len(ids)), sizes: make([]int64, len(ids))}
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
func (buf *RowBuffer) Append(b *vector.Batch, rows []int32) {
	for i, id := range buf.ids {
		if v := b.Value(id); v.Type == kernel.Str {
			buf.sizes[i] = vector.TextSize(b, v, rows)
		}
	}
	buf.charge(len(rows))
	for i, id := range buf.ids {
		buf.Cols[i].AppendRows(b.Vals[id], rows)
	}
	buf.Rows += len(rows)
}

// Put sets rows at of the buffer to the listed rows of a batch, one after the other.
func (buf *RowBuffer) Put(b *vector.Batch, rows []int32, at []uint32) {
	var more int64
	for i, id := range buf.ids {
		if v := b.Value(id); v.Type == kernel.Str {
			more += vector.TextSize(b, v, rows)
			for _, row := range at {
				more -= int64(len(vector.Of[string](&buf.Cols[i])[row]))
			}
		}
	}
	if more > 0 {
		sqlstate.Check(buf.Mem.Grow(more))
		buf.texts, buf.bytes = buf.texts+more, buf.bytes+more
	}
	for i, id := range buf.ids {
		buf.Cols[i].PutRows(b.Vals[id], rows, at)
	}
}

// charge charges n more rows, whose texts have the lengths sizes, before they are taken.
func (buf *RowBuffer) charge(n int) {
	var bytes, texts int64
	for _, size := range buf.sizes {
		texts += size
	}
	room := buf.room
	if buf.Rows+n > room {
		had, width := room, int64(0)
		for i := range buf.Cols {
			had = max(had, buf.Cols[i].Column().Capacity())
			width += vector.ValueBytes(buf.Cols[i].Type) + 1
		}
		if room = had; buf.Rows+n > had {
			room = max(2*had, buf.Rows+n)
			if most := min(buf.most, runtime.BlockRows); most > had {
				room = max(min(knownGrowth*had, most), buf.Rows+n)
			}
		}
		bytes = width * int64(room-buf.room)
	}
	sqlstate.Check(buf.Mem.Grow(bytes + texts))
	for i := range buf.Cols {
		buf.Cols[i].Column().Grow(room, buf.Mem.Arrays)
	}
	buf.room, buf.texts, buf.bytes = room, buf.texts+texts, buf.bytes+bytes+texts
}

// Full reports whether n more rows belong into another buffer.
func (buf *RowBuffer) Full(n int) bool {
	return buf.Rows > 0 && (buf.Rows+n > runtime.BlockRows || buf.texts >= maxTextBytes)
}

// Column is the column that holds value id.
func (buf *RowBuffer) Column(id kernel.ValueID) *vector.Vector {
	return &buf.Cols[slices.Index(buf.ids, id)]
}

// columnsOf returns, for each value, its columns in some buffers.
func columnsOf(bufs []*RowBuffer, ids []kernel.ValueID) [][]*vector.Vector {
	cols := make([][]*vector.Vector, len(ids))
	for i, id := range ids {
		cols[i] = make([]*vector.Vector, len(bufs))
		for j := range bufs {
			cols[i][j] = bufs[j].Column(id)
		}
	}
	return cols
}

// takenTexts is the length of the texts that entries name of columns of one value, 0 where
// they have no texts.
func takenTexts(cols []*vector.Vector, entries []vector.Entry) (bytes int64) {
	if len(cols) == 0 || cols[0].Type != kernel.Str {
		return 0
	}
	for _, e := range entries {
		bytes += int64(len(vector.Of[string](cols[e.Buf])[e.Row]))
	}
	return bytes
}

// Take appends the rows that entries name. Every column of buf is a column of
// all bufs.
func (buf *RowBuffer) Take(bufs []*RowBuffer, entries []vector.Entry) {
	cols := columnsOf(bufs, buf.ids)
	for i := range cols {
		buf.sizes[i] = takenTexts(cols[i], entries)
	}
	buf.charge(len(entries))
	for i := range cols {
		buf.Cols[i].TakeRows(cols[i], entries)
	}
	buf.Rows += len(entries)
}

// Release drops the rows and takes back what was charged for them.
func (buf *RowBuffer) Release() {
	buf.Mem.Shrink(buf.bytes)
	*buf = RowBuffer{Mem: buf.Mem}
}
