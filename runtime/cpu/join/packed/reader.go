package packed

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Reader reads rows for one worker, a batch at a time. Its memory is used again for the next
// batch.
type Reader struct {
	from  *Rows
	bufs  []buffer // by column
	valid []byte   // of the batch
	nulls int
}

// buffer is the memory of a column's values.
type buffer struct {
	u8     []uint8
	u16    []uint16
	u32    []uint32
	i64    []int64
	f64    []float64
	texts  []byte
	starts []uint32
}

// NewReader makes a reader.
func (p *Rows) NewReader() *Reader { return &Reader{from: p, bufs: make([]buffer, len(p.cols))} }

// Begin is called before the columns of a batch are read. Row i of the batch lies at at[i]:
// −1 is that there is none, and that its values are NULL.
func (r *Reader) Begin(b *vector.Batch, at []int32) {
	r.valid, r.nulls = nil, 0
	for _, i := range b.ActiveRows() {
		r.nulls += int(uint32(at[i]) >> 31)
	}
	if r.nulls == 0 {
		return
	}
	r.nulls = b.Rows // of rows that are not active nobody asks
	r.valid = make([]byte, (b.Rows+7)/8)
	for _, i := range b.ActiveRows() {
		if at[i] >= 0 {
			r.valid[i>>3] |= 1 << (i & 7)
			r.nulls--
		}
	}
}

// Column returns a column of the batch that has begun, with its active rows.
func (r *Reader) Column(ordinal int, b *vector.Batch, at []int32) *runtime.Chunk {
	c, buf := &r.from.cols[ordinal], &r.bufs[ordinal]
	out := *c.chunk
	out.Rows, out.Nulls, out.Valid, out.Order = b.Rows, r.nulls, r.valid, runtime.Unordered
	switch rows := b.ActiveRows(); out.Enc {
	case runtime.EncU8:
		out.U8 = readNumbers(r.from, c, &buf.u8, b.Rows, rows, at)
	case runtime.EncU16:
		out.U16 = readNumbers(r.from, c, &buf.u16, b.Rows, rows, at)
	case runtime.EncU32:
		out.U32 = readNumbers(r.from, c, &buf.u32, b.Rows, rows, at)
	case runtime.EncI64:
		out.I64 = readNumbers(r.from, c, &buf.i64, b.Rows, rows, at)
	case runtime.EncF64:
		out.F64 = readNumbers(r.from, c, &buf.f64, b.Rows, rows, at)
	case runtime.EncStr:
		r.readTexts(&out, c, buf, rows, at)
	}
	return &out
}

// readNumbers returns the numbers of the listed rows of a batch of n.
func readNumbers[T number](p *Rows, c *column, memory *[]T, n int, rows, at []int32) []T {
	out := vector.Room(memory, n)
	for _, i := range rows {
		out[i] = *numberAt[T](p, c, max(int(at[i]), 0))
	}
	return out
}

// readTexts sets the texts of the listed rows; those of other rows are empty.
func (r *Reader) readTexts(out *runtime.Chunk, c *column, buf *buffer, rows, at []int32) {
	starts := vector.Room(&buf.starts, out.Rows+1)
	texts := vector.Room(&buf.texts, out.Rows*(c.width-1)+maxText)
	end, next := 0, 0
	for _, i := range rows {
		for ; next <= int(i); next++ {
			starts[next] = uint32(end)
		}
		if at[i] < 0 {
			continue
		}
		cell := r.from.bytes[int(at[i])*r.from.stride+c.at:]
		*(*[maxText]byte)(texts[end:]) = *(*[maxText]byte)(cell[1:])
		end += int(cell[0])
	}
	for ; next < len(starts); next++ {
		starts[next] = uint32(end)
	}
	out.Bytes, out.Offsets = texts[:end], starts
}
