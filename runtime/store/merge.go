package store

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// mergeTail keeps small appends from making many small blocks: while the last
// block is not much smaller than the one before it and both fit one block, they
// become one. Sizes of the tail then fall at least by half from block to block,
// and each row is copied O(log BlockRows) times in all.
func (a *Appender) mergeTail() {
	for len(a.blocks) >= 2 {
		n := len(a.blocks) - 2
		prev, last := &a.blocks[n], &a.blocks[n+1]
		if prev.rows > 2*last.rows || prev.rows+last.rows > runtime.BlockRows || !textsFit(prev, last) {
			return
		}
		a.blocks = append(a.blocks[:n], a.mergeBlocks(n))
	}
}

// textsFit reports whether no column's text makes a block of both too large.
func textsFit(x, y *block) bool {
	for i := range x.cols {
		if len(x.cols[i].Bytes)+len(y.cols[i].Bytes) > fullText {
			return false
		}
	}
	return true
}

// mergeBlocks makes one block of blocks n and n+1.
func (a *Appender) mergeBlocks(n int) block {
	prev, last := &a.blocks[n], &a.blocks[n+1]
	out := block{rows: prev.rows + last.rows, cols: make([]*runtime.Chunk, len(a.cols))}
	for i := range a.cols {
		x := sqlstate.Must(prev.column(i))
		y := sqlstate.Must(last.column(i))
		out.cols[i] = a.mergeChunks(i, x, y)
	}
	a.hold(out.cols)
	return out
}

// mergeChunks makes one chunk of two of column i.
func (a *Appender) mergeChunks(i int, x, y *runtime.Chunk) *runtime.Chunk {
	typ := a.cols[i].def.Type
	if a.cols[i].phys == kernel.Code {
		return mergeCodes(x, y)
	}
	buf := newBuffer(typ, false)
	for _, c := range []*runtime.Chunk{x, y} {
		sqlstate.Check(buf.AppendChunk(c, 0, c.Rows))
	}
	return sqlstate.Must(buf.seal()).chunk
}

// mergeCodes merges two chunks of codes of the column's dictionary.
func mergeCodes(x, y *runtime.Chunk) *runtime.Chunk {
	rows := x.Rows + y.Rows
	vals := DecodeInts(make([]int64, 0, rows), x, 0, x.Rows)
	vals = DecodeInts(vals, y, 0, y.Rows)
	nulls := x.Nulls + y.Nulls
	if nulls == 0 {
		return EncodeInts(kernel.Code, vals, nil, 0)
	}
	var valid bitmap
	for _, c := range []*runtime.Chunk{x, y} {
		if c.Valid == nil {
			valid.appendSet(c.Rows)
		} else {
			valid.appendBits(c.Valid, 0, c.Rows)
		}
	}
	return EncodeInts(kernel.Code, vals, valid.bytes, nulls)
}
