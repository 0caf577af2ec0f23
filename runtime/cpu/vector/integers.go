package vector

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
)

// integers are the integers or codes of a ChunkBuilder: offsets from base, as narrow as
// the bounds of what has come allow.
type integers struct {
	typ     kernel.Type
	offsets offsetValues // nil before there is one
	base    int64
	lo, hi  int64 // bound what has come; lo > hi before
	room    int
	dict    *runtime.Dictionary // for codes
	arrays  *spare.Arrays
}

func newIntegers(t kernel.Type, arrays *spare.Arrays) *integers {
	return &integers{typ: t, lo: math.MaxInt64, hi: math.MinInt64, arrays: arrays}
}

func (t *integers) grow(rows int) {
	t.room = rows
	if t.offsets != nil {
		t.offsets.Grow(rows)
	}
}

func (t *integers) capacity() int {
	if t.offsets == nil {
		return 0
	}
	return t.offsets.Capacity()
}

func (t *integers) size(b *Batch, v *Vector, _ *Rows) int64 {
	if v.Raw != nil && !storesIntegers(v.Raw) {
		v.Decode(b.Rows, b.Sel)
	}
	return 0
}

// storesIntegers reports whether a chunk stores integers of 64 bits at most that it has
// bounds of.
func storesIntegers(c *runtime.Chunk) bool {
	return c.Enc <= runtime.EncI64 && c.Nulls < c.Rows && (c.HasRange || c.Enc == runtime.EncConst)
}

func (t *integers) append(v *Vector, rows *Rows) {
	if t.typ == kernel.Code {
		t.dict = Longer(t.dict, v.Dict)
	}
	p := rows.of(v)
	if raw := v.Raw; raw != nil {
		lo, hi := raw.Min, raw.Max
		if raw.Enc == runtime.EncConst {
			lo, hi = raw.Base, raw.Base
		}
		t.fit(lo, hi)
		t.offsets.appendStored(raw, raw.Base-t.base, p)
		return
	}
	t.fit(boundsOf(v, rows))
	t.offsets.appendDecoded(v, -t.base, p)
}

func (t *integers) take(src []*Vector, entries []Entry) {
	taken := Vector{Type: t.typ}
	taken.Column().Grow(len(entries), t.arrays)
	taken.TakeRows(src, entries)
	var all Rows
	all.Set(Identity(len(entries)))
	t.append(&taken, &all)
	taken.Column().Free(t.arrays)
}

// expect prepares for the integers of chunks.
func (t *integers) expect(parts []*runtime.Chunk) {
	for _, c := range parts {
		if c.HasRange {
			t.lo, t.hi = min(t.lo, c.Min), max(t.hi, c.Max)
		}
	}
	if lo, hi := t.lo, t.hi; lo <= hi {
		t.place(lo, hi, false)
	}
}

// fit makes the offsets as wide as integers from lo to hi need; lo > hi is that there are
// none.
func (t *integers) fit(lo, hi int64) {
	if t.offsets != nil && (lo > hi || t.lo <= lo && hi <= t.hi) {
		return
	}
	t.lo, t.hi = min(t.lo, lo), max(t.hi, hi)
	if t.lo > t.hi {
		t.place(0, 0, false)
		return
	}
	if t.offsets == nil || t.offsets.length() == 0 {
		t.place(t.lo, t.hi, false)
	} else if limit := t.offsets.limit(); limit < math.MaxUint64 && (t.lo < t.base || uint64(t.hi)-uint64(t.base) > limit) {
		t.place(t.lo, t.hi, true)
	}
}

// place chooses the width and the base for integers from lo to hi, and moves what has
// come. Where there may be more beyond the bounds, as there have been, some room is left
// for them, so that few moves are enough however the bounds widen.
func (t *integers) place(lo, hi int64, again bool) {
	width, base := uint64(hi)-uint64(lo), int64(0)
	had := t.offsets
	switch {
	case fits(width, math.MaxUint8, again):
		base = baseOf(lo, hi, math.MaxUint8, again)
		t.offsets = listOf[uint8](had, t.arrays)
	case fits(width, math.MaxUint16, again):
		base = baseOf(lo, hi, math.MaxUint16, again)
		t.offsets = listOf[uint16](had, t.arrays)
	case fits(width, math.MaxUint32, again):
		base = baseOf(lo, hi, math.MaxUint32, again)
		t.offsets = listOf[uint32](had, t.arrays)
	default:
		t.offsets = listOf[int64](had, t.arrays)
	}
	t.offsets.Grow(t.room)
	if again {
		var from runtime.Chunk
		had.store(&from)
		t.offsets.appendStored(&from, t.base-base, &places{n: had.length()})
		Discard(&from, t.arrays)
	}
	t.base = base
}

// fits reports whether offsets up to a width are to be kept in offsets up to limit.
func fits(width, limit uint64, again bool) bool {
	return width <= limit && !(again && width > limit/2)
}

// baseOf is the base of offsets up to limit for integers from lo to hi: 0 where that does.
func baseOf(lo, hi int64, limit uint64, again bool) int64 {
	switch {
	case lo >= 0 && uint64(hi) <= limit:
		return 0
	case again:
		spare := int64(limit-(uint64(hi)-uint64(lo))) / 2
		return max(lo, math.MinInt64+spare) - spare
	}
	return lo
}

// encode stores the integers in the narrowest form, and sets the bounds of the chunk.
func (t *integers) encode(c *runtime.Chunk, null []uint8, life Lifetime) {
	if t.typ == kernel.Code {
		if c.Dict = t.dict; c.Dict == nil {
			c.Dict = &runtime.Dictionary{}
		}
	}
	if c.Nulls < c.Rows {
		t.encodeOffsets(c, null, life)
	}
	if t.offsets != nil {
		t.offsets.Truncate()
	}
	t.lo, t.hi, t.dict = math.MaxInt64, math.MinInt64, nil
}

// encodeOffsets is encode of integers of which one is not NULL.
func (t *integers) encodeOffsets(c *runtime.Chunk, null []uint8, life Lifetime) {
	least, most := t.offsets.bound(null, uint64(t.lo)-uint64(t.base), uint64(t.hi)-uint64(t.base))
	lo, hi := t.base+int64(least), t.base+int64(most)
	c.HasRange, c.Min, c.Max = true, lo, hi
	if lo == hi {
		c.Enc, c.Base = runtime.EncConst, lo
		return
	}
	if narrower := t.narrower(most-least, life); narrower != nil {
		var from runtime.Chunk
		t.offsets.store(&from)
		narrower.Grow(c.Rows)
		narrower.appendStored(&from, t.base-lo, &places{n: c.Rows})
		narrower.store(c)
		c.Base = lo
		return
	}
	if t.base < lo && t.typ != kernel.Code && t.offsets.limit() <= math.MaxUint16 {
		// Keys of groups lie in so small ranges, and their cells are offsets from the least.
		t.offsets.lower(uint64(lo - t.base))
		t.base = lo
	}
	c.Base = t.base
	if t.offsets.handOver(c, life) {
		t.offsets = nil
	}
}

// narrower returns an empty list, read so long, of the narrowest offsets up to a width, nil where
// those that there are, are the narrowest.
func (t *integers) narrower(width uint64, life Lifetime) offsetValues {
	arrays := t.arrays
	if life == Lasting {
		arrays = nil
	}
	switch limit := t.offsets.limit(); {
	case width <= math.MaxUint8 && limit > math.MaxUint8:
		return &offsetList[uint8]{arrays: arrays}
	case width <= math.MaxUint16 && limit > math.MaxUint16:
		return &offsetList[uint16]{arrays: arrays}
	case width <= math.MaxUint32 && limit > math.MaxUint32:
		return &offsetList[uint32]{arrays: arrays}
	}
	return nil
}
