package runtime

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// rowStyle is what the dates and intervals in rows are written in.
type rowStyle struct {
	value.Style
	zone *time.Location
}

// appendRow appends a row: the number of its fields, and of each its OID, its length, -1 for
// NULL, and its bytes.
func (st rowStyle) appendRow(dst []byte, row string, t algebra.Type) []byte {
	fields := t.Fields()
	items := value.SplitRow(row)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(fields)))
	for i, f := range fields {
		dst = binary.BigEndian.AppendUint32(dst, f.Type.OID())
		if items[i].Null {
			dst = binary.BigEndian.AppendUint32(dst, math.MaxUint32)
			continue
		}
		at := len(dst)
		dst = st.appendField(append(dst, 0, 0, 0, 0), items[i].Text, f.Type)
		binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	}
	return dst
}

// appendField appends a field that is not NULL.
func (st rowStyle) appendField(dst []byte, text string, t algebra.Type) []byte {
	switch t.Kind {
	case algebra.Record:
		return st.appendRow(dst, text, t)
	case algebra.Array:
		return appendArray(dst, text, t, algebra.ShownElement(t, st.Style, st.zone))
	}
	v, err := algebra.ShownElement(algebra.TArray(t), st.Style, st.zone).Parse(text, false)
	return appendItem(dst, text, t, v, err)
}
