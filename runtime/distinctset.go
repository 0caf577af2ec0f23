package runtime

import (
	"encoding/binary"
	"math"

	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// distinctSet is the different rows that there have been. Their memory is charged
// to an account.
type distinctSet struct {
	rows    map[string]struct{}
	key     []byte
	account *Account
	charged int64
}

// add notes a row, in the form of kernel.Param.Val, and reports whether there has
// not been one equal to it.
func (s *distinctSet) add(row []value.Value) (isNew bool, err error) {
	s.key = s.key[:0]
	for i := range row {
		s.key = appendKey(s.key, &row[i])
	}
	if _, seen := s.rows[string(s.key)]; seen {
		return false, nil
	}
	const entry = 48 // of a map: a string's header and its share of the buckets
	n := int64(len(s.key)) + entry
	if err := s.account.Grow(n); err != nil {
		return false, err
	}
	s.charged += n
	s.rows[string(s.key)] = struct{}{}
	return true, nil
}

// release forgets the rows.
func (s *distinctSet) release() { s.account.Shrink(s.charged) }

// appendKey appends bytes that are the same for equal values and differ for
// others of the same type.
func appendKey(dst []byte, v *value.Value) []byte {
	dst = append(dst, byte(v.Kind))
	switch v.Kind {
	case value.Bool:
		if v.B {
			return append(dst, 1)
		}
		return append(dst, 0)
	case value.Int:
		return binary.LittleEndian.AppendUint64(dst, uint64(v.I))
	case value.Float:
		f := v.F
		switch {
		case f == 0:
			f = 0 // and not -0
		case math.IsNaN(f):
			f = math.NaN()
		}
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
	case value.Decimal:
		n := v.Num.Normalize()
		dst = binary.LittleEndian.AppendUint64(dst, n.Coef.Lo)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n.Coef.Hi))
		return append(dst, n.Scale)
	case value.Intervals:
		n := v.Interval.Normalize()
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n.Micros))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n.Days))
		return binary.LittleEndian.AppendUint32(dst, uint32(n.Months))
	case value.Text:
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(v.S)))
		return long.AppendText(dst, v.S)
	}
	return dst
}
