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
	texts int64 // bytes of texts
	bytes int64 // charged
}

// maxTextBytes ends a block early, so that offsets into its texts fit 32 bits.
const maxTextBytes = 1 << 30

// newRowBuffer makes a buffer for the values ids of r's kernel.
func newRowBuffer(r *run, ids []kernel.ValueID) *rowBuffer {
	buf := &rowBuffer{mem: &r.mem, ids: ids, cols: make([]Vector, len(ids))}
	for i, t := range valueTypes(r.f, ids) {
		buf.cols[i].Type = t
	}
	return buf
}

// valueTypes gives the types of values.
func valueTypes(f *kernel.Func, ids []kernel.ValueID) []kernel.Type {
	types := make([]kernel.Type, len(ids))
	for i, id := range ids {
		types[i] = f.Values[id].Type
	}
	return types
}

// append adds the listed rows of a batch.
func (buf *rowBuffer) append(b *Batch, rows []int32) error {
	var bytes int64
	for i, id := range buf.ids {
		v := b.value(id)
		col := &buf.cols[i]
		col.appendRows(v, rows)
		bytes += valueBytes(col.Type) * int64(len(rows))
		if col.Type == kernel.Str {
			n := textBytes(v, rows)
			buf.texts += n
			bytes += n
		}
		if col.Null != nil {
			bytes += int64(len(rows))
		}
	}
	buf.rows += len(rows)
	buf.bytes += bytes
	return buf.mem.grow(bytes)
}

// textBytes is the length of all texts of the rows.
func textBytes(v *Vector, rows []int32) int64 {
	var n int64
	if v.Const {
		return int64(len(v.Str[0])) * int64(len(rows))
	}
	for _, i := range rows {
		if v.Null == nil || v.Null[i] == 0 {
			n += int64(len(v.Str[i]))
		}
	}
	return n
}

// full tells that it is time to seal before n more rows are added.
func (buf *rowBuffer) full(n int) bool {
	return buf.rows > 0 && (buf.rows+n > runtime.BlockRows || buf.texts >= maxTextBytes)
}

// seal makes a block of the rows and empties the buffer, whose memory is used
// again where the block does not need it. Instead of the rows the block is
// charged.
func (buf *rowBuffer) seal() (runtime.Block, error) {
	block := runtime.Block{Rows: buf.rows, Cols: make([]*runtime.Chunk, len(buf.cols))}
	for i := range buf.cols {
		block.Cols[i] = encode(&buf.cols[i], buf.rows)
		buf.cols[i].empty(block.Cols[i].Enc)
	}
	buf.mem.shrink(buf.bytes)
	buf.rows, buf.texts, buf.bytes = 0, 0, 0
	return block, buf.mem.grow(blockBytes(&block))
}

// empty makes a vector that grows by appendRows one without rows. It keeps its
// memory unless a chunk of encoding enc, made of it, does.
func (v *Vector) empty(enc runtime.Encoding) {
	switch enc {
	case runtime.EncI64, runtime.EncI128, runtime.EncF64, runtime.EncNum, runtime.EncSpans:
		*v = Vector{Type: v.Type}
		return
	}
	clear(v.Str) // the texts' memory is not ours to hold
	*v = Vector{Type: v.Type, Bool: v.Bool[:0], I32: v.I32[:0], I64: v.I64[:0], I128: v.I128[:0], Str: v.Str[:0], Code: v.Code[:0]}
}

// column is the column that holds value id.
func (buf *rowBuffer) column(id kernel.ValueID) *Vector {
	return &buf.cols[slices.Index(buf.ids, id)]
}

// take appends the rows that entries name. Every column of buf is a column of
// all bufs.
func (buf *rowBuffer) take(bufs []*rowBuffer, entries []entry) error {
	var bytes int64
	for i, id := range buf.ids {
		col := &buf.cols[i]
		src := make([]*Vector, len(bufs))
		for j := range bufs {
			src[j] = bufs[j].column(id)
		}
		texts := col.takeRows(src, entries)
		buf.texts += texts
		bytes += texts + (valueBytes(col.Type)+1)*int64(len(entries))
	}
	buf.rows += len(entries)
	buf.bytes += bytes
	return buf.mem.grow(bytes)
}

// release gives the memory of the rows back.
func (buf *rowBuffer) release() {
	buf.mem.shrink(buf.bytes)
	*buf = rowBuffer{mem: buf.mem}
}

// takeRows appends the rows that entries name and gives the bytes of their
// texts.
func (v *Vector) takeRows(src []*Vector, entries []entry) (textBytes int64) {
	had := v.length()
	switch v.Type {
	case kernel.Bool:
		v.Bool = takeRowsOf(v.Bool, src, bools, entries)
	case kernel.I32:
		v.I32 = takeRowsOf(v.I32, src, int32s, entries)
	case kernel.I64:
		v.I64 = takeRowsOf(v.I64, src, int64s, entries)
	case kernel.I128:
		v.I128 = takeRowsOf(v.I128, src, int128s, entries)
	case kernel.F64:
		v.F64 = takeRowsOf(v.F64, src, floats, entries)
	case kernel.Num:
		v.Num = takeRowsOf(v.Num, src, nums, entries)
	case kernel.Interval:
		v.Spans = takeRowsOf(v.Spans, src, spans, entries)
	case kernel.Str:
		v.Str = takeRowsOf(v.Str, src, texts, entries)
		for _, s := range v.Str[had:] {
			textBytes += int64(len(s))
		}
	case kernel.Code:
		v.Code = takeRowsOf(v.Code, src, codes, entries)
		for _, s := range src {
			v.Dict = longer(v.Dict, s.Dict)
		}
	}
	v.takeNulls(src, entries, had)
	return textBytes
}

func takeRowsOf[T any](dst []T, src []*Vector, get access[T], entries []entry) []T {
	slices := make([][]T, len(src))
	for i, s := range src {
		slices[i] = get(s)
	}
	for _, e := range entries {
		dst = append(dst, slices[e.buf][e.row])
	}
	return dst
}

// takeNulls appends the NULL flags of the rows to a vector that had so many.
func (v *Vector) takeNulls(src []*Vector, entries []entry, had int) {
	any := v.Null != nil
	for _, s := range src {
		any = any || s.Null != nil
	}
	if !any {
		return
	}
	if v.Null == nil {
		v.Null = make([]uint8, had)
	}
	for _, e := range entries {
		v.Null = append(v.Null, b2u(src[e.buf].isNull(int(e.row))))
	}
}
