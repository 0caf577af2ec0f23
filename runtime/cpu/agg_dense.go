package cpu

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// denseKeys numbers groups by their keys' values: the cell of a row is the sum
// of (key − lo) · stride over the keys, where NULL counts as the value after the
// last. The last key varies fastest.
type denseKeys struct {
	keys        []denseKey
	cells       int
	partitioned bool // the arrays would outgrow the cache: rows are partitioned by their cells first
}

// denseKey is one key of denseKeys.
type denseKey struct {
	typ      kernel.Type
	lo       int64
	values   int // in its range
	nullable bool
	card     int // values, and NULL where nullable
	stride   int
}

// maxCells is the most cells that dense arrays are made for.
const maxCells = math.MaxUint32

// newDenseKeys plans the cells; nil where a range is not known after all or
// there are too many cells, and groups are to be found by hashing.
func newDenseKeys(r *run, keys []kernel.ValueID) (*denseKeys, error) {
	d := &denseKeys{cells: 1}
	for _, id := range keys {
		v := &r.f.Values[id]
		rng := v.Range
		if v.Type == kernel.Code && !rng.Known {
			e, err := r.dicts.unordered(v.Dict)
			if err != nil {
				return nil, err
			}
			rng = kernel.Range{Known: true, Hi: max(int64(len(e.dict.Texts))-1, 0)}
		}
		if v.Type == kernel.Bool {
			rng = kernel.Range{Known: true, Hi: 1}
		}
		width := uint64(rng.Hi) - uint64(rng.Lo)
		if !rng.Known || rng.Lo > rng.Hi || width >= maxCells-1 {
			return nil, nil
		}
		k := denseKey{typ: v.Type, lo: rng.Lo, values: int(width) + 1, nullable: v.Nullable}
		k.card = k.values
		if k.nullable {
			k.card++
		}
		hi, cells := bits.Mul64(uint64(d.cells), uint64(k.card))
		if hi != 0 || cells > maxCells {
			return nil, nil
		}
		d.cells = int(cells)
		d.keys = append(d.keys, k)
	}
	stride := 1
	for i := len(d.keys) - 1; i >= 0; i-- {
		d.keys[i].stride = stride
		stride *= d.keys[i].card
	}
	return d, nil
}

// number sets the cells of n rows, in numbers where the keys do not lie as cells.
func (d *denseKeys) number(c *cells, n int, keys []*view, numbers *[]uint32) {
	c.n = n
	if len(d.keys) == 1 && d.stored(c, keys[0]) {
		return
	}
	c.form, c.off, c.u32 = formU32, 0, room(numbers, n)
	for i := range d.keys {
		if i == 0 {
			fill(c.u32, 0)
		}
		d.keys[i].add(c.u32, keys[i])
	}
}

// stored takes the stored column of a single key as the cells, where its values
// are that up to an offset.
func (d *denseKeys) stored(c *cells, v *view) bool {
	off := v.base - d.keys[0].lo
	if v.null != nil || off < 0 {
		return false
	}
	switch v.form {
	case formConst:
	case formU8:
		c.u8 = v.u8
	case formU16:
		c.u16 = v.u16
	case formU32:
		c.u32 = v.u32
	default:
		return false
	}
	c.form, c.off = v.form, int(off)
	return true
}

// add adds a key's part to the cells.
func (k *denseKey) add(cells []uint32, v *view) {
	stride := uint32(k.stride)
	if v.null != nil {
		for i, null := range v.null[:len(cells)] {
			part := uint32(k.values)
			if null == 0 {
				part = uint32(v.intAt(i) - k.lo)
			}
			cells[i] += part * stride
		}
		return
	}
	add := uint32(v.base - k.lo)
	switch v.form {
	case formConst:
		for i := range cells {
			cells[i] += add * stride
		}
	case formU8:
		addParts(cells, v.u8, add, stride)
	case formU16:
		addParts(cells, v.u16, add, stride)
	case formU32:
		addParts(cells, v.u32, add, stride)
	case formI32:
		addParts(cells, v.i32, uint32(-k.lo), stride)
	case formI64:
		addParts(cells, v.i64, uint32(-k.lo), stride)
	case formI128:
		for i := range cells {
			cells[i] += uint32(int64(v.i128[i].Lo)-k.lo) * stride
		}
	}
}

// addParts adds (src[i] + add) · stride.
func addParts[V plain](cells []uint32, src []V, add, stride uint32) {
	src = src[:len(cells)]
	for i, x := range src {
		cells[i] += (uint32(x) + add) * stride
	}
}

// decode returns the key columns of cells.
func (d *denseKeys) decode(list []uint32, dicts []*runtime.Dictionary) []*runtime.Chunk {
	cols := make([]*runtime.Chunk, len(d.keys))
	for i := range d.keys {
		cols[i] = d.keys[i].decode(list, dicts[i])
	}
	return cols
}

// decode returns a key's column.
func (k *denseKey) decode(list []uint32, dict *runtime.Dictionary) *runtime.Chunk {
	c := &runtime.Chunk{Type: k.typ, Rows: len(list), Base: k.lo, Dict: dict}
	switch {
	case k.typ == kernel.Bool:
		c.Enc, c.Bits = runtime.EncBits, make([]byte, (len(list)+7)/8)
		for i, p := range cellParts[uint8](k, list) {
			c.Bits[i>>3] |= p & 1 << (i & 7)
		}
		k.decodeNulls(c, list)
		return c
	case k.card <= 1<<8:
		c.Enc, c.U8 = runtime.EncU8, cellParts[uint8](k, list)
	case k.card <= 1<<16:
		c.Enc, c.U16 = runtime.EncU16, cellParts[uint16](k, list)
	default:
		c.Enc, c.U32 = runtime.EncU32, cellParts[uint32](k, list)
	}
	k.decodeNulls(c, list)
	if c.Nulls < c.Rows {
		c.HasRange, c.Min, c.Max = true, k.lo, k.lo+int64(k.values-1)
	}
	return c
}

// cellParts takes a key's part out of cells: (cell / stride) mod card.
func cellParts[S groupInt](k *denseKey, list []uint32) []S {
	dst := make([]S, len(list))
	stride, card := newDivider(k.stride), newDivider(k.card)
	for i, c := range list {
		q := stride.quo(c)
		dst[i] = S(q - card.quo(q)*card.d)
	}
	return dst
}

// divider divides by a constant with a multiplication.
type divider struct {
	magic uint64 // 2^64/d rounded up; 0 for d = 1
	d     uint32
}

func newDivider(d int) divider {
	if d == 1 {
		return divider{d: 1}
	}
	return divider{magic: math.MaxUint64/uint64(d) + 1, d: uint32(d)}
}

// quo is x / d. It is exact for all x of 32 bits.
func (d divider) quo(x uint32) uint32 {
	if d.magic == 0 {
		return x
	}
	hi, _ := bits.Mul64(d.magic, uint64(x))
	return uint32(hi)
}

// decodeNulls sets the validity of a key's column.
func (k *denseKey) decodeNulls(c *runtime.Chunk, list []uint32) {
	if !k.nullable {
		return
	}
	null := uint32(k.values)
	stride, card := newDivider(k.stride), newDivider(k.card)
	for i, cell := range list {
		if q := stride.quo(cell); q-card.quo(q)*card.d != null {
			continue
		}
		if c.Valid == nil {
			c.Valid = allValid(len(list))
		}
		c.Valid[i>>3] &^= 1 << (i & 7)
		c.Nulls++
	}
}

// spanBits is the most bits of a cell that a partition leaves.
const spanBits = 16

// shift is how far cells are shifted for their partition.
func (d *denseKeys) shift() uint {
	n := uint(bits.Len(uint(d.cells - 1)))
	return min(max(n, partitionBits)-partitionBits, spanBits)
}
