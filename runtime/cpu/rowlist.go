package cpu

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// rowList collects rows of batches in buffers, each about as large as those before
// it together up to partRows, so that no row moves while the list grows.
type rowList struct {
	run  *run
	ids  []kernel.ValueID
	bufs []*rowBuffer
	rows int
	room int // rows that the last buffer still has room for
}

// append adds the listed rows of a batch.
func (l *rowList) append(b *Batch, rows []int32) error {
	if len(rows) > l.room {
		l.room = max(min(l.rows, partRows), len(rows))
		buf := newRowBuffer(l.run, l.ids)
		for i := range buf.cols {
			buf.cols[i] = emptyVector(buf.cols[i].Type, l.room)
		}
		l.bufs = append(l.bufs, buf)
	}
	l.rows += len(rows)
	l.room -= len(rows)
	return l.bufs[len(l.bufs)-1].append(b, rows)
}

// emptyVector is a decoded vector without rows that has room for so many.
func emptyVector(t kernel.Type, rows int) Vector {
	v := newVector(t, rows)
	v.vals.truncate()
	return *v
}

// joinVectors makes one vector of the rows of several of one type, in the order
// that is given (nil: as they come).
func joinVectors(parts []*Vector, rows int, order []int32) *Vector {
	if len(parts) == 1 && order == nil {
		return parts[0]
	}
	all := parts[0]
	if len(parts) > 1 {
		v := emptyVector(all.Type, rows)
		all = &v
		for _, p := range parts {
			all.appendRows(p, identity(p.length()))
		}
	}
	if order == nil {
		return all
	}
	arranged := emptyVector(all.Type, rows)
	arranged.appendRows(all, order)
	return &arranged
}

// encodeJoined makes a chunk of the rows of several decoded vectors of one type, in
// the order that is given (nil: as they come). Texts go from where they are straight
// to the chunk.
func encodeJoined(t kernel.Type, parts []*Vector, rows int, order []int32) (*runtime.Chunk, error) {
	if len(parts) == 0 {
		return encode(newVector(t, 0), 0), nil
	}
	if t == kernel.Str {
		if allTexts(parts) > math.MaxUint32 {
			return nil, value.Errorf(value.CodeProgramLimit, "a text column of the build side of a join has more than %d bytes", int64(math.MaxUint32))
		}
		if order == nil {
			c := &runtime.Chunk{Type: t, Rows: rows}
			encodeNulls(c, joinNulls(parts, rows), rows)
			encodeTexts(c, parts)
			return c, nil
		}
	}
	return encode(joinVectors(parts, rows, order), rows), nil
}

// allTexts is the length of all texts of several decoded vectors, if they hold texts.
func allTexts(parts []*Vector) (bytes int64) {
	for _, p := range parts {
		if p.Type == kernel.Str {
			bytes += textBytes(p, identity(p.length()))
		}
	}
	return bytes
}

// joinNulls makes one list of the NULL flags of several vectors; nil: no row is
// NULL.
func joinNulls(parts []*Vector, rows int) []uint8 {
	if !slices.ContainsFunc(parts, func(p *Vector) bool { return p.Null != nil }) {
		return nil
	}
	null := make([]uint8, 0, rows)
	for _, p := range parts {
		null = long.Append(null, p.Null...)
		null = null[:len(null)+p.length()-len(p.Null)]
	}
	return null
}

// partRows is how many rows a part has at most, if a vector is not larger.
const partRows = 1 << 16
