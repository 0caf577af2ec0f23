package cpu

import (
	"cmp"
	"math"
	"math/bits"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// entryBytes is the memory of an entry.
const entryBytes = 16

// sortKeys knows how rows are ordered.
type sortKeys struct {
	run   *run
	parts []keyPart
	rest  []kernel.SortKey // keys that the prefix does not decide
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

// newSortKeys lays out the prefix.
func newSortKeys(r *run, keys []kernel.SortKey) *sortKeys {
	s := &sortKeys{run: r}
	room := 64
	for i, key := range keys {
		if room == 0 {
			s.rest = keys[i:]
			break
		}
		def := &r.f.Values[key.Val]
		p := keyPart{key: key, typ: def.Type, nullable: def.Nullable}
		p.width, p.offset = keyWidth(def)
		room -= int(b2u(p.nullable))
		p.drop = max(p.width-room, 0)
		room -= p.width - p.drop
		s.parts = append(s.parts, p)
		if p.drop > 0 || !exactKey(p.typ) {
			s.rest = keys[i:]
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

// clamped is x as an int64, or the nearest one.
func clamped(x value.Int128) int64 {
	switch {
	case x.IsInt64():
		return int64(x.Lo)
	case x.Hi < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// textPrefix is the first eight bytes of a text.
func textPrefix(s string) uint64 {
	var p uint64
	for i := range min(len(s), 8) {
		p |= uint64(s[i]) << (56 - 8*i)
	}
	return p
}

// prefixes computes the prefix of each row of a batch to the same place of out.
func (s *sortKeys) prefixes(b *Batch, rows []int32, out []uint64) error {
	out = out[:len(rows)]
	clear(out)
	for i := range s.parts {
		p := &s.parts[i]
		norm, err := s.normalizer(p, b.value(p.key.Val))
		if err != nil {
			return err
		}
		p.shiftIn(b.Vals[p.key.Val], norm, rows, out)
	}
	return nil
}

// shiftIn appends one key to the prefixes.
func (p *keyPart) shiftIn(v *Vector, norm func(i int) uint64, rows []int32, out []uint64) {
	var flip uint64
	if p.key.Desc {
		flip = math.MaxUint64 >> (64 - p.width)
	}
	nullBit, valueBit := uint64(1), uint64(0)
	if p.key.NullsFirst {
		nullBit, valueBit = 0, 1
	}
	kept := p.width - p.drop
	m := v.mask()
	for n, r := range rows {
		i := int(r) & m
		if p.nullable {
			if v.isNull(int(r)) {
				out[n] = (out[n]<<1 | nullBit) << kept
				continue
			}
			out[n] = out[n]<<1 | valueBit
		}
		out[n] = out[n]<<kept | (norm(i)-p.offset^flip)>>p.drop
	}
}

// normalizer returns the function that normalizes row i of v.
func (s *sortKeys) normalizer(p *keyPart, v *Vector) (func(i int) uint64, error) {
	switch p.typ {
	case kernel.Bool:
		x := of[uint8](v)
		return func(i int) uint64 { return uint64(x[i]) }, nil
	case kernel.I32:
		x := of[int32](v)
		return func(i int) uint64 { return orderedInt(int64(x[i])) }, nil
	case kernel.I64:
		x := of[int64](v)
		return func(i int) uint64 { return orderedInt(x[i]) }, nil
	case kernel.I128:
		x := of[value.Int128](v)
		return func(i int) uint64 { return orderedInt(clamped(x[i])) }, nil
	case kernel.F64:
		x := of[float64](v)
		return func(i int) uint64 { return orderedFloat(x[i]) }, nil
	case kernel.Num:
		x := of[value.Num](v)
		return func(i int) uint64 { return orderedFloat(x[i].Float64()) }, nil
	case kernel.Interval: // all are left to the comparison
		return func(int) uint64 { return 0 }, nil
	case kernel.Str:
		x := of[string](v)
		return func(i int) uint64 { return textPrefix(x[i]) }, nil
	}
	d, err := s.run.dicts.get(s.run.f.Values[p.key.Val].Dict)
	if err != nil {
		return nil, err
	}
	codes := of[uint32](v)
	return func(i int) uint64 { return uint64(d.rank[codes[i]]) }, nil
}

// comparators make, over the row buffers, the order of rows whose prefixes are
// equal. It is nil where that order is of no account.
func (s *sortKeys) comparator(bufs []*rowBuffer) func(a, b entry) int {
	var keys []func(a, b entry) int
	for _, key := range s.rest {
		keys = append(keys, s.compareBy(key, bufs))
	}
	if len(keys) == 0 {
		return nil
	}
	return func(a, b entry) int {
		for _, compare := range keys {
			if c := compare(a, b); c != 0 {
				return c
			}
		}
		return 0
	}
}

// compareBy compares rows by one key.
func (s *sortKeys) compareBy(key kernel.SortKey, bufs []*rowBuffer) func(a, b entry) int {
	cols := make([]*Vector, len(bufs))
	for i, buf := range bufs {
		cols[i] = buf.column(key.Val)
	}
	values := s.compareValues(s.run.f.Values[key.Val], cols)
	nulls := 1
	if key.NullsFirst {
		nulls = -1
	}
	return func(a, b entry) int {
		an, bn := cols[a.buf].isNull(int(a.row)), cols[b.buf].isNull(int(b.row))
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

// compareValues compares the values of two rows that are not NULL.
func (s *sortKeys) compareValues(def kernel.Value, cols []*Vector) func(a, b entry) int {
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
		return compareWith(cols, func(a, b float64) int { return cmp.Compare(orderedFloat(a), orderedFloat(b)) })
	case kernel.Num:
		return compareWith(cols, value.Num.Cmp)
	case kernel.Interval:
		return compareWith(cols, value.Interval.Cmp)
	case kernel.Str:
		return compareWith(cols, strings.Compare)
	}
	return func(a, b entry) int {
		d, err := s.run.dicts.get(def.Dict)
		if err != nil { // it has been reported when the prefixes were made
			return 0
		}
		return cmp.Compare(d.rank[of[uint32](cols[a.buf])[a.row]], d.rank[of[uint32](cols[b.buf])[b.row]])
	}
}

// compareWith compares the rows of columns of one element type.
func compareWith[T any](cols []*Vector, compare func(a, b T) int) func(a, b entry) int {
	slices := make([][]T, len(cols))
	for i, c := range cols {
		slices[i] = of[T](c)
	}
	return func(a, b entry) int { return compare(slices[a.buf][a.row], slices[b.buf][b.row]) }
}
