package exec

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// RowList collects rows of batches in buffers, each about as large as those before
// it together up to partRows, so that no row moves while the list grows.
type RowList struct {
	Run  *Run
	IDs  []kernel.ValueID
	Bufs []*RowBuffer
	Rows int
	room int // rows that the last buffer still has room for
}

// Append adds the listed rows of a batch.
func (l *RowList) Append(b *vector.Batch, rows []int32) error {
	if len(rows) > l.room {
		l.room = max(min(l.Rows, partRows), len(rows))
		buf := NewRowBuffer(l.Run, l.IDs)
		for i := range buf.Cols {
			buf.Cols[i] = emptyVector(buf.Cols[i].Type, l.room)
		}
		l.Bufs = append(l.Bufs, buf)
	}
	l.Rows += len(rows)
	l.room -= len(rows)
	return l.Bufs[len(l.Bufs)-1].Append(b, rows)
}

// emptyVector is a decoded vector without rows that has room for so many.
func emptyVector(t kernel.Type, rows int) vector.Vector {
	v := vector.New(t, rows)
	v.Vals.Truncate()
	return *v
}

// joinVectors makes one vector of the rows of several of one type, in the order
// that is given (nil: as they come).
func joinVectors(parts []*vector.Vector, rows int, order []int32) *vector.Vector {
	if len(parts) == 1 && order == nil {
		return parts[0]
	}
	all := parts[0]
	if len(parts) > 1 {
		v := emptyVector(all.Type, rows)
		all = &v
		for _, p := range parts {
			all.AppendRows(p, vector.Identity(p.Length()))
		}
	}
	if order == nil {
		return all
	}
	arranged := emptyVector(all.Type, rows)
	arranged.AppendRows(all, order)
	return &arranged
}

// EncodeJoined makes a chunk of the rows of several decoded vectors of one type, in
// the order that is given (nil: as they come). Texts go from where they are straight
// to the chunk.
func EncodeJoined(t kernel.Type, parts []*vector.Vector, rows int, order []int32) (*runtime.Chunk, error) {
	if len(parts) == 0 {
		return vector.Encode(vector.New(t, 0), 0), nil
	}
	if t == kernel.Str {
		if AllTexts(parts) > math.MaxUint32 {
			return nil, value.Errorf(value.CodeProgramLimit, "a text column of the build side of a join has more than %d bytes", int64(math.MaxUint32))
		}
		if order == nil {
			c := &runtime.Chunk{Type: t, Rows: rows}
			vector.EncodeNulls(c, joinNulls(parts, rows), rows)
			vector.EncodeTexts(c, parts)
			return c, nil
		}
	}
	return vector.Encode(joinVectors(parts, rows, order), rows), nil
}

// AllTexts is the length of all texts of several decoded vectors, if they hold texts.
func AllTexts(parts []*vector.Vector) (bytes int64) {
	for _, p := range parts {
		if p.Type == kernel.Str {
			bytes += textBytes(p, vector.Identity(p.Length()))
		}
	}
	return bytes
}

// joinNulls makes one list of the NULL flags of several vectors; nil: no row is
// NULL.
func joinNulls(parts []*vector.Vector, rows int) []uint8 {
	if !slices.ContainsFunc(parts, func(p *vector.Vector) bool { return p.Null != nil }) {
		return nil
	}
	null := make([]uint8, 0, rows)
	for _, p := range parts {
		null = long.Append(null, p.Null...)
		null = null[:len(null)+p.Length()-len(p.Null)]
	}
	return null
}

// partRows is how many rows a part has at most, if a vector is not larger.
const partRows = 1 << 16
