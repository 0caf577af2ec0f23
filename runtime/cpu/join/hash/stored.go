package hash

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// matchStored is match for a single key that lies in a plain array, stored or
// computed, over a dense table: the join costs one look into an array for each row.
// Where keys have several rows it finds whether there is one, which is what a semi or
// anti join asks for.
func (p *hashProber) matchStored(b *vector.Batch) (hits int, ok bool) {
	d := p.t.dense
	if d == nil || len(d.keys) != 1 || p.t.starts != nil && (d.present == nil || p.loads() || p.In.Mark) {
		return 0, false
	}
	v := b.Vals[p.In.Keys[0].Val]
	lo := uint64(d.keys[0].lo)
	if v.Raw == nil {
		if v.Const || v.Null != nil {
			return 0, false
		}
		switch {
		case v.Type == kernel.I32:
			return matchIn(p, b, vector.Of[int32](v)[:b.Rows], -lo), true
		case v.Type == kernel.I64:
			return matchIn(p, b, vector.Of[int64](v)[:b.Rows], -lo), true
		}
		return 0, false
	}
	raw := v.Raw
	if v.At != nil || raw.Nulls != 0 {
		return 0, false
	}
	add := uint64(raw.Base) - lo
	first, end := v.Start, v.Start+b.Rows
	switch raw.Enc {
	case runtime.EncU8:
		hits = matchIn(p, b, raw.U8[first:end], add)
	case runtime.EncU16:
		hits = matchIn(p, b, raw.U16[first:end], add)
	case runtime.EncU32:
		hits = matchIn(p, b, raw.U32[first:end], add)
	case runtime.EncI64:
		hits = matchIn(p, b, raw.I64[first:end], -lo)
	default:
		return 0, false
	}
	v.Read()
	return hits, true
}

// loads reports whether something of the rows that are found is read.
func (p *hashProber) loads() bool {
	return p.Check != nil || p.In.Kind != kernel.ProbeSemi && p.In.Kind != kernel.ProbeAnti
}

// matchIn looks up keys + add.
func matchIn[K vector.Plain](p *hashProber, b *vector.Batch, keys []K, add uint64) int {
	d := p.t.dense
	switch {
	case d.present != nil:
		return matchRows(keys, d.present, add, b, p.At, p.Sel)
	case d.row8 != nil:
		return matchRows(keys, d.row8, add, b, p.At, p.Sel)
	case d.row16 != nil:
		return matchRows(keys, d.row16, add, b, p.At, p.Sel)
	}
	return matchRows(keys, d.row32, add, b, p.At, p.Sel)
}

// matchRows sets at[r] to rows[keys[r]+add]−1 for each active row r, lists in
// hits those for which that is not negative, and returns their number.
func matchRows[K vector.Plain, S vector.GroupInt](keys []K, rows []S, add uint64, b *vector.Batch, at, hits []int32) int {
	n := 0
	if b.Sel == nil {
		at, hits = at[:len(keys)], hits[:len(keys)]
		for r, k := range keys {
			var m int32
			if c := uint64(k) + add; c < uint64(len(rows)) {
				m = int32(rows[c])
			}
			at[r] = m - 1
			hits[n] = int32(r)
			n += int(uint32(-m) >> 31)
		}
		return n
	}
	for _, r := range b.Sel {
		var m int32
		if c := uint64(keys[r]) + add; c < uint64(len(rows)) {
			m = int32(rows[c])
		}
		at[r] = m - 1
		hits[n] = r
		n += int(uint32(-m) >> 31)
	}
	return n
}
