package order

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// A Prefixer computes prefixes for one worker.
type Prefixer struct {
	keys *Keys
	next []uint64 // by row: its part of the key at hand
}

// Prefixer makes a worker's, for batches of up to so many rows.
func (s *Keys) Prefixer(rows int) *Prefixer {
	f := &Prefixer{keys: s}
	if len(s.parts) > 1 {
		f.next = make([]uint64, rows)
	}
	return f
}

// Prefixes computes the prefix of each row of a batch to the same place of out.
func (f *Prefixer) Prefixes(b *vector.Batch, rows []int32, out []uint64) {
	out = out[:len(rows)]
	if len(f.keys.parts) == 0 {
		clear(out)
	}
	for i := range f.keys.parts {
		p, part := &f.keys.parts[i], out
		if i > 0 {
			part = f.next[:len(rows)]
		}
		f.keys.normalize(p, b, rows, part)
		p.place(b.Vals[p.key.Val], rows, part)
		if i > 0 {
			for n, x := range part {
				out[n] = out[n]<<p.bits() | x
			}
		}
	}
}

// Reach returns the values of the first key, of integers, that rows may have which come no later than one with
// the prefix. Not ok: that one has NULL.
func (s *Keys) Reach(prefix uint64) (lo, hi int64, ok bool) {
	behind := 0
	for i := range s.parts[1:] {
		behind += s.parts[1+i].bits()
	}
	p := &s.parts[0]
	part, kept := prefix>>behind, p.width-p.drop
	if p.nullable {
		if (part>>kept != 0) != p.key.NullsFirst {
			return 0, 0, false
		}
		part &= 1<<kept - 1
	}
	last, most := part<<p.drop|(1<<p.drop-1), uint64(math.MaxUint64)>>(64-p.width)
	if last = min(last, most); p.key.Desc {
		return unorderedInt(p.offset + most - last), math.MaxInt64, true
	}
	return math.MinInt64, unorderedInt(p.offset + last), true
}

// Leading returns which bits of two prefixes differ where the first n keys do, and those of the keys
// that may differ elsewhere.
func (s *Keys) Leading(n int) (decided uint64, rest []kernel.SortKey) {
	others := 0
	for _, p := range s.parts[min(n, len(s.parts)):] {
		others += p.bits()
	}
	return ^uint64(0) << others, s.keys[min(len(s.keys)-len(s.Rest), n):n]
}

// bits is the width of a key in the prefix.
func (p *keyPart) bits() int { return p.width - p.drop + int(vector.B2u(p.nullable)) }

// place makes parts of the prefix of normalized values.
func (p *keyPart) place(v *vector.Vector, rows []int32, out []uint64) {
	var flip uint64
	if p.key.Desc {
		flip = math.MaxUint64 >> (64 - p.width)
	}
	kept := p.width - p.drop
	null, some := uint64(0), uint64(0)
	switch {
	case p.nullable && p.key.NullsFirst:
		some = 1 << kept
	case p.nullable:
		null = 1 << kept
	}
	for n, x := range out {
		out[n] = some | (x-p.offset^flip)>>p.drop
	}
	if v.Raw != nil || v.Null == nil { // stored texts have none
		return
	}
	for n, r := range rows {
		if v.IsNull(int(r)) {
			out[n] = null
		}
	}
}

// normalize maps the values of the rows of a batch to numbers in their order; those that are NULL
// are left out.
func (s *Keys) normalize(p *keyPart, b *vector.Batch, rows []int32, out []uint64) {
	if bytes, ends, ok := b.Vals[p.key.Val].StoredTexts(); ok {
		storedPrefixes(bytes, ends, rows, out)
		return
	}
	v := b.Value(p.key.Val)
	switch m := v.Mask(); {
	case v.Null == nil && p.typ == kernel.I32:
		orderedInts(vector.Of[int32](v), m, rows, out)
	case v.Null == nil && p.typ == kernel.I64:
		orderedInts(vector.Of[int64](v), m, rows, out)
	case v.Null == nil && p.typ == kernel.F64:
		x := vector.Of[float64](v)
		for n, r := range rows {
			out[n] = vector.OrderedFloat(x[int(r)&m])
		}
	default:
		norm := s.normalizer(p, v)
		for n, r := range rows {
			if !v.IsNull(int(r)) {
				out[n] = norm(int(r) & m)
			}
		}
	}
}

// orderedInts maps signed integers to unsigned ones.
func orderedInts[T int32 | int64](x []T, mask int, rows []int32, out []uint64) {
	for n, r := range rows {
		out[n] = orderedInt(int64(x[int(r)&mask]))
	}
}

// normalizer returns the function that normalizes row i of v.
func (s *Keys) normalizer(p *keyPart, v *vector.Vector) func(i int) uint64 {
	switch p.typ {
	case kernel.Bool:
		x := vector.Of[uint8](v)
		return func(i int) uint64 { return uint64(x[i]) }
	case kernel.I32:
		x := vector.Of[int32](v)
		return func(i int) uint64 { return orderedInt(int64(x[i])) }
	case kernel.I64:
		x := vector.Of[int64](v)
		return func(i int) uint64 { return orderedInt(x[i]) }
	case kernel.I128:
		x := vector.Of[value.Int128](v)
		return func(i int) uint64 { return orderedInt(clamped(x[i])) }
	case kernel.F64:
		x := vector.Of[float64](v)
		return func(i int) uint64 { return vector.OrderedFloat(x[i]) }
	case kernel.Num:
		x := vector.Of[value.Num](v)
		return func(i int) uint64 { return vector.OrderedFloat(x[i].Float64()) }
	case kernel.Interval: // all are left to the comparison
		return func(int) uint64 { return 0 }
	case kernel.Str:
		x := vector.Of[string](v)
		return func(i int) uint64 { return textPrefix(x[i]) }
	}
	d := s.run.Dicts.Get(s.run.Kernel.Values[p.key.Val].Dict)
	codes := vector.Of[uint32](v)
	return func(i int) uint64 { return uint64(d.Rank[codes[i]]) }
}

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

// storedPrefixes are the textPrefix of texts between ends, most of them in one load.
func storedPrefixes(bytes []byte, ends []uint32, rows []int32, out []uint64) {
	for n, r := range rows {
		lo, hi := int(ends[r]), int(ends[r+1])
		if lo+8 > len(bytes) {
			out[n] = textPrefix(string(bytes[lo:hi]))
			continue
		}
		out[n] = binary.BigEndian.Uint64(bytes[lo:]) & (math.MaxUint64 << (64 - 8*min(hi-lo, 8)))
	}
}

// textPrefix is the first eight bytes of a text.
func textPrefix(s string) uint64 {
	if len(s) >= 8 { // in one load
		return binary.BigEndian.Uint64(unsafe.Slice(unsafe.StringData(s), 8))
	}
	var p uint64
	for i := range len(s) {
		p |= uint64(s[i]) << (56 - 8*i)
	}
	return p
}
