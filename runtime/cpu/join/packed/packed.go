// Package packed has the payload of a join's table row by row, side by side, where it is so
// long that every column of a row would be a line of memory of its own to wait for.
package packed

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// Rows are rows of columns without NULLs. They do not change.
type Rows struct {
	bytes  []byte
	stride int
	cols   []column
	rows   int
}

// column is where a column lies in a row.
type column struct {
	chunk *runtime.Chunk // until it is packed; then without its values
	at    int            // in a row
	width int            // of a text: one for its length, and those of the longest
}

// maxText is how long a text is at the most that lies in the row. It is copied with one load.
const maxText = 16

// Pack returns the rows of the columns of a table, and charges them; nil where it would not
// pay, or where a column has NULLs, long texts or what else is not packed.
func Pack(r *exec.Run, chunks []*runtime.Chunk, rows int) *Rows {
	p := &Rows{rows: rows, cols: make([]column, len(chunks))}
	size, random := int64(0), 0
	for i, c := range chunks {
		p.cols[i] = column{chunk: c, width: widthOf(c)}
		if p.cols[i].width < 0 {
			return nil
		}
		if p.cols[i].width > 0 {
			random++
		}
		size += vector.StoredBytes(c, rows)
	}
	if rows == 0 || random < 2 || size < int64(exec.Caches().PayloadBytes) {
		return nil
	}
	p.place()
	sqlstate.Check(r.Mem.Grow(p.Bytes()))
	p.bytes = long.Uncleared[byte](rows*p.stride + maxText)
	parts := (rows + packedRows - 1) / packedRows
	r.Each(parts, func(i int) {
		for c := range p.cols {
			p.cols[c].pack(p, i*packedRows, min((i+1)*packedRows, rows))
		}
	})
	for i := range p.cols {
		p.cols[i].chunk = header(p.cols[i].chunk)
	}
	return p
}

// packedRows are packed at once, column by column, so that they lie in a core's cache.
const packedRows = 1 << 13

// widthOf is how many bytes of a row a column takes, −1 where it is not packed.
func widthOf(c *runtime.Chunk) int {
	switch {
	case c.Nulls > 0:
		return -1
	case c.Enc == runtime.EncConst:
		return 0
	case c.Enc == runtime.EncU8:
		return 1
	case c.Enc == runtime.EncU16:
		return 2
	case c.Enc == runtime.EncU32:
		return 4
	case c.Enc == runtime.EncI64, c.Enc == runtime.EncF64:
		return 8
	case c.Enc == runtime.EncStr:
		longest := uint32(0)
		for i, end := range c.Offsets[1:] {
			longest = max(longest, end-c.Offsets[i])
		}
		if longest <= maxText {
			return 1 + int(longest)
		}
	}
	return -1
}

// place decides where columns lie: numbers by their width, so that they are aligned, and then
// texts.
func (p *Rows) place() {
	order := make([]*column, len(p.cols))
	for i := range p.cols {
		order[i] = &p.cols[i]
	}
	text := func(c *column) int { return int(vector.B2u(c.chunk.Enc == runtime.EncStr)) }
	slices.SortStableFunc(order, func(a, b *column) int {
		return cmp.Or(cmp.Compare(text(a), text(b)), cmp.Compare(b.width, a.width))
	})
	at := 0
	for _, c := range order {
		c.at = at
		at += c.width
	}
	p.stride = (at + 7) &^ 7
}

// header is a chunk without its values.
func header(c *runtime.Chunk) *runtime.Chunk {
	h := *c
	h.U8, h.U16, h.U32, h.I64, h.F64, h.Bytes, h.Offsets = nil, nil, nil, nil, nil, nil, nil
	return &h
}

// Headers are the columns without their values.
func (p *Rows) Headers() []*runtime.Chunk {
	headers := make([]*runtime.Chunk, len(p.cols))
	for i := range p.cols {
		headers[i] = p.cols[i].chunk
	}
	return headers
}

// Bytes is the memory of the rows.
func (p *Rows) Bytes() int64 { return int64(p.rows)*int64(p.stride) + maxText }

// pack packs a column of rows lo … hi−1.
func (c *column) pack(p *Rows, lo, hi int) {
	switch raw := c.chunk; raw.Enc {
	case runtime.EncU8:
		packNumbers(p, c, raw.U8[lo:hi], lo)
	case runtime.EncU16:
		packNumbers(p, c, raw.U16[lo:hi], lo)
	case runtime.EncU32:
		packNumbers(p, c, raw.U32[lo:hi], lo)
	case runtime.EncI64:
		packNumbers(p, c, raw.I64[lo:hi], lo)
	case runtime.EncF64:
		packNumbers(p, c, raw.F64[lo:hi], lo)
	case runtime.EncStr:
		for row := lo; row < hi; row++ {
			text := raw.Bytes[raw.Offsets[row]:raw.Offsets[row+1]]
			cell := p.bytes[row*p.stride+c.at:]
			cell[0] = byte(len(text))
			copy(cell[1:], text)
		}
	}
}

// number is what numbers are stored as.
type number interface {
	uint8 | uint16 | uint32 | int64 | float64
}

func packNumbers[T number](p *Rows, c *column, from []T, row int) {
	for i, x := range from {
		*numberAt[T](p, c, row+i) = x
	}
}

// numberAt is the number of a row.
func numberAt[T number](p *Rows, c *column, row int) *T {
	return (*T)(unsafe.Pointer(&p.bytes[row*p.stride+c.at]))
}
