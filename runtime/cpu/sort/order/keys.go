package order

import (
	"cmp"
	"math"
	"math/bits"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// EntryBytes is the memory of an entry.
const EntryBytes = 16

// OrderBytes is what it takes to put an entry in order: its place in a range, one to move it
// to, and the number of the range.
const OrderBytes = 2*EntryBytes + 2

// Keys knows how rows are ordered.
type Keys struct {
	run   *exec.Run
	keys  []kernel.SortKey
	parts []keyPart
	Rest  []kernel.SortKey // keys that the prefix does not decide
}

// keyPart is a key's part of the prefix.
type keyPart struct {
	key      kernel.SortKey
	typ      kernel.Type
	nullable bool
	offset   uint64 // subtracted from integers of known range
	width    int    // bits of the value as normalized
	drop     int    // least significant bits of them that have no room
}

// NewKeys lays out the prefix.
func NewKeys(r *exec.Run, keys []kernel.SortKey) *Keys {
	s := &Keys{run: r, keys: keys}
	room := 64
	for i, key := range keys {
		if room == 0 {
			s.Rest = keys[i:]
			break
		}
		def := &r.Kernel.Values[key.Val]
		p := keyPart{key: key, typ: def.Type, nullable: def.Nullable}
		p.width, p.offset = keyWidth(def)
		room -= int(vector.B2u(p.nullable))
		p.drop = max(p.width-room, 0)
		room -= p.width - p.drop
		s.parts = append(s.parts, p)
		if p.drop > 0 || !exactKey(p.typ) {
			s.Rest = keys[i:]
			break
		}
	}
	return s
}

// keyWidth is how many bits hold a normalized value, and what is to be
// subtracted from it.
func keyWidth(def *kernel.Value) (width int, offset uint64) {
	switch def.Type {
	case kernel.Bool:
		return 1, 0
	case kernel.Code:
		return 31, 0
	case kernel.Interval:
		return 0, 0
	case kernel.I32, kernel.I64:
		if def.Range.Known && def.Range.Lo <= def.Range.Hi {
			lo, hi := orderedInt(def.Range.Lo), orderedInt(def.Range.Hi)
			return bits.Len64(hi - lo), lo
		}
		if def.Type == kernel.I32 {
			return 32, orderedInt(math.MinInt32)
		}
	}
	return 64, 0
}

// exactKey reports whether different values of a type are different when
// normalized.
func exactKey(t kernel.Type) bool {
	switch t {
	case kernel.Bool, kernel.Code, kernel.I32, kernel.I64, kernel.F64:
		return true
	}
	return false
}

// orderedInt maps signed order to unsigned order.
func orderedInt(x int64) uint64 { return uint64(x) ^ 1<<63 }

// unorderedInt is the integer that orderedInt maps to x.
func unorderedInt(x uint64) int64 { return int64(x ^ 1<<63) }

// Comparator make, over the row buffers, the order of rows whose prefixes are
// equal. It is nil where that order is of no account.
func (s *Keys) Comparator(bufs []*exec.RowBuffer) func(a, b vector.Entry) int {
	var keys []func(a, b vector.Entry) int
	for _, key := range s.Rest {
		keys = append(keys, s.CompareBy(key, bufs))
	}
	if len(keys) == 0 {
		return nil
	}
	return func(a, b vector.Entry) int {
		for _, compare := range keys {
			if c := compare(a, b); c != 0 {
				return c
			}
		}
		return 0
	}
}

// CompareBy compares rows by one key.
func (s *Keys) CompareBy(key kernel.SortKey, bufs []*exec.RowBuffer) func(a, b vector.Entry) int {
	cols := make([]*vector.Vector, len(bufs))
	for i, buf := range bufs {
		cols[i] = buf.Column(key.Val)
	}
	values := s.CompareValues(s.run.Kernel.Values[key.Val], cols)
	nulls := 1
	if key.NullsFirst {
		nulls = -1
	}
	return func(a, b vector.Entry) int {
		an, bn := cols[a.Buf].IsNull(int(a.Row)), cols[b.Buf].IsNull(int(b.Row))
		switch {
		case an && bn:
			return 0
		case an:
			return nulls
		case bn:
			return -nulls
		case key.Desc:
			return values(b, a)
		}
		return values(a, b)
	}
}

// CompareValues compares the values of two rows that are not NULL.
func (s *Keys) CompareValues(def kernel.Value, cols []*vector.Vector) func(a, b vector.Entry) int {
	switch def.Type {
	case kernel.Bool:
		return compareWith(cols, cmp.Compare[uint8])
	case kernel.I32:
		return compareWith(cols, cmp.Compare[int32])
	case kernel.I64:
		return compareWith(cols, cmp.Compare[int64])
	case kernel.I128:
		return compareWith(cols, value.Int128.Cmp)
	case kernel.F64:
		return compareWith(cols, func(a, b float64) int { return cmp.Compare(vector.OrderedFloat(a), vector.OrderedFloat(b)) })
	case kernel.Num:
		return compareWith(cols, value.Num.Cmp)
	case kernel.Interval:
		return compareWith(cols, value.Interval.Cmp)
	case kernel.Str:
		return compareWith(cols, strings.Compare)
	}
	return func(a, b vector.Entry) int {
		d := s.run.Dicts.Get(def.Dict)
		return cmp.Compare(d.Rank[vector.Of[uint32](cols[a.Buf])[a.Row]], d.Rank[vector.Of[uint32](cols[b.Buf])[b.Row]])
	}
}

// compareWith compares the rows of columns of one element type.
func compareWith[T any](cols []*vector.Vector, compare func(a, b T) int) func(a, b vector.Entry) int {
	slices := make([][]T, len(cols))
	for i, c := range cols {
		slices[i] = vector.Of[T](c)
	}
	return func(a, b vector.Entry) int { return compare(slices[a.Buf][a.Row], slices[b.Buf][b.Row]) }
}
