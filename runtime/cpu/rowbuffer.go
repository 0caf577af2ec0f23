package cpu

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// rowBuffer collects rows of batches column by column, decoded, and is charged
// for them.
type rowBuffer struct {
	mem   *memory
	ids   []kernel.ValueID
	cols  []Vector
	rows  int
	room  int   // rows that are charged, texts aside
	texts int64 // bytes of texts
	bytes int64 // charged
}

// maxTextBytes ends a block early: a block's texts are there twice while it is made, and
// offsets into them fit 32 bits.
const maxTextBytes = 32 << 20

// newRowBuffer makes a buffer for the values ids of r's kernel.
func newRowBuffer(r *run, ids []kernel.ValueID) *rowBuffer {
	buf := &rowBuffer{mem: &r.mem, ids: ids, cols: make([]Vector, len(ids))}
	for i, t := range valueTypes(r.f, ids) {
		buf.cols[i].Type = t
	}
	return buf
}

// valueTypes returns the types of values.
func valueTypes(f *kernel.Func, ids []kernel.ValueID) []kernel.Type {
	types := make([]kernel.Type, len(ids))
	for i, id := range ids {
		types[i] = f.Values[id].Type
	}
	return types
}

// append adds the listed rows of a batch.
func (buf *rowBuffer) append(b *Batch, rows []int32) error {
	var texts int64
	for i, id := range buf.ids {
		if v := b.value(id); buf.cols[i].Type == kernel.Str {
			texts += textBytes(v, rows)
		}
	}
	if err := buf.charge(len(rows), texts); err != nil {
		return err
	}
	for i, id := range buf.ids {
		buf.cols[i].appendRows(b.Vals[id], rows)
	}
	buf.rows += len(rows)
	return nil
}

// charge charges n more rows with so many bytes of texts, before they are taken: the
// columns grow by doubling.
func (buf *rowBuffer) charge(n int, texts int64) error {
	bytes := texts
	room := buf.room
	if buf.rows+n > room {
		had, width := 0, int64(0)
		for i := range buf.cols {
			had = max(had, buf.cols[i].column().capacity())
			width += valueBytes(buf.cols[i].Type) + 1
		}
		if room = had; buf.rows+n > had {
			room = max(2*had, buf.rows+n)
		}
		bytes += width * int64(room-buf.room)
	}
	if err := buf.mem.grow(bytes); err != nil {
		return err
	}
	buf.room, buf.texts, buf.bytes = room, buf.texts+texts, buf.bytes+bytes
	return nil
}

// textBytes is the length of all texts of the rows.
func textBytes(v *Vector, rows []int32) int64 {
	var n int64
	if v.Const {
		return int64(len(of[string](v)[0])) * int64(len(rows))
	}
	texts := of[string](v)
	for _, i := range rows {
		if v.Null == nil || v.Null[i] == 0 {
			n += int64(len(texts[i]))
		}
	}
	return n
}

// full says that it is time to seal before n more rows are added.
func (buf *rowBuffer) full(n int) bool {
	return buf.rows > 0 && (buf.rows+n > runtime.BlockRows || buf.texts >= maxTextBytes)
}

// seal makes a block of the rows and empties the buffer, whose memory is used
// again where the block does not need it. Instead of the rows the block is
// charged.
func (buf *rowBuffer) seal() (runtime.Block, error) {
	most := buf.texts
	for i := range buf.cols {
		most += (valueBytes(buf.cols[i].Type)+1)*int64(buf.rows) + 64
	}
	if err := buf.mem.grow(most); err != nil {
		return runtime.Block{}, err
	}
	block := runtime.Block{Rows: buf.rows, Cols: make([]*runtime.Chunk, len(buf.cols))}
	for i := range buf.cols {
		block.Cols[i] = encode(&buf.cols[i], buf.rows)
		buf.cols[i].empty(block.Cols[i].Enc)
	}
	buf.mem.shrink(buf.bytes + most - blockBytes(&block))
	buf.rows, buf.room, buf.texts, buf.bytes = 0, 0, 0, 0
	return block, nil
}

// column is the column that holds value id.
func (buf *rowBuffer) column(id kernel.ValueID) *Vector {
	return &buf.cols[slices.Index(buf.ids, id)]
}

// take appends the rows that entries name. Every column of buf is a column of
// all bufs.
func (buf *rowBuffer) take(bufs []*rowBuffer, entries []entry) error {
	cols := make([][]*Vector, len(buf.ids))
	var texts int64
	for i, id := range buf.ids {
		cols[i] = make([]*Vector, len(bufs))
		for j := range bufs {
			cols[i][j] = bufs[j].column(id)
		}
		if buf.cols[i].Type == kernel.Str {
			for _, e := range entries {
				texts += int64(len(of[string](cols[i][e.buf])[e.row]))
			}
		}
	}
	if err := buf.charge(len(entries), texts); err != nil {
		return err
	}
	for i := range buf.ids {
		buf.cols[i].takeRows(cols[i], entries)
	}
	buf.rows += len(entries)
	return nil
}

// release drops the rows and takes back what was charged for them.
func (buf *rowBuffer) release() {
	buf.mem.shrink(buf.bytes)
	*buf = rowBuffer{mem: buf.mem}
}
