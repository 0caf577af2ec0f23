package group

import (
	"math"
	"math/bits"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// DenseKeys numbers groups by their keys' values: the cell of a row is the sum
// of (key − lo) · stride over the keys, where NULL counts as the value after the
// last. The last key varies fastest.
type DenseKeys struct {
	keys  []denseKey
	Cells int
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

// NewDenseKeys plans the cells; nil where a range is not known after all or
// there are too many cells, and groups are to be found by hashing.
func NewDenseKeys(r *exec.Run, keys []kernel.ValueID) *DenseKeys {
	d := &DenseKeys{Cells: 1}
	for _, id := range keys {
		v := &r.Kernel.Values[id]
		rng := v.Range
		if v.Type == kernel.Code {
			e := r.Dicts.Unordered(v.Dict)
			rng = kernel.Range{Known: true, Hi: max(int64(len(e.Dict.Texts))-1, 0)}
		}
		if v.Type == kernel.Bool {
			rng = kernel.Range{Known: true, Hi: 1}
		}
		width := uint64(rng.Hi) - uint64(rng.Lo)
		if !rng.Known || rng.Lo > rng.Hi || width >= maxCells-1 {
			return nil
		}
		k := denseKey{typ: v.Type, lo: rng.Lo, values: int(width) + 1, nullable: v.Nullable}
		k.card = k.values
		if k.nullable {
			k.card++
		}
		hi, cells := bits.Mul64(uint64(d.Cells), uint64(k.card))
		if hi != 0 || cells > maxCells {
			return nil
		}
		d.Cells = int(cells)
		d.keys = append(d.keys, k)
	}
	stride := 1
	for i := len(d.keys) - 1; i >= 0; i-- {
		d.keys[i].stride = stride
		stride *= d.keys[i].card
	}
	return d
}

// Number sets the cells of n rows, in numbers where the keys do not lie as cells.
func (d *DenseKeys) Number(c *accumulator.Cells, n int, keys []*vector.View, numbers *[]uint32) {
	c.N = n
	if len(d.keys) == 1 && d.stored(c, keys[0]) {
		return
	}
	c.Form, c.Off, c.U32 = vector.FormU32, 0, vector.Room(numbers, n)
	same := uint32(0)
	for i := range d.keys {
		same += d.keys[i].same(keys[i])
	}
	vector.Fill(c.U32, same)
	for i := range d.keys {
		d.keys[i].add(c.U32, keys[i])
	}
}

// stored takes the stored column of a single key as the cells, where its values
// are that up to an offset.
func (d *DenseKeys) stored(c *accumulator.Cells, v *vector.View) bool {
	off := v.Base - d.keys[0].lo
	if v.Null != nil || off < 0 {
		return false
	}
	switch v.Form {
	case vector.FormConst:
	case vector.FormU8:
		c.U8 = v.U8
	case vector.FormU16:
		c.U16 = v.U16
	case vector.FormU32:
		c.U32 = v.U32
	default:
		return false
	}
	c.Form, c.Off = v.Form, int(off)
	return true
}

// same is what a key's part of the cells of all rows has in common.
func (k *denseKey) same(v *vector.View) uint32 {
	base := -k.lo
	switch {
	case v.Null != nil:
		return 0
	case v.Form == vector.FormConst || v.Form == vector.FormU8 || v.Form == vector.FormU16 || v.Form == vector.FormU32:
		base += v.Base
	}
	return uint32(base) * uint32(k.stride)
}

// add adds a key's part to the cells, beside what is the same for all.
func (k *denseKey) add(cells []uint32, v *vector.View) {
	stride := uint32(k.stride)
	if v.Null != nil {
		for i, null := range v.Null[:len(cells)] {
			part := uint32(k.values)
			if null == 0 {
				part = uint32(v.IntAt(i) - k.lo)
			}
			cells[i] += part * stride
		}
		return
	}
	switch v.Form {
	case vector.FormU8:
		addParts(cells, v.U8, stride)
	case vector.FormU16:
		addParts(cells, v.U16, stride)
	case vector.FormU32:
		addParts(cells, v.U32, stride)
	case vector.FormI32:
		addParts(cells, v.I32, stride)
	case vector.FormI64:
		addParts(cells, v.I64, stride)
	case vector.FormI128:
		for i := range cells {
			cells[i] += uint32(v.I128[i].Lo) * stride
		}
	}
}

// addParts adds src[i] · stride.
func addParts[V vector.Plain](cells []uint32, src []V, stride uint32) {
	src = src[:len(cells)]
	for i, x := range src {
		cells[i] += uint32(x) * stride
	}
}

// Decode returns the key columns of cells, in arrays.
func (d *DenseKeys) Decode(list []uint32, dicts []*runtime.Dictionary, arrays *spare.Arrays) []*runtime.Chunk {
	cols := make([]*runtime.Chunk, len(d.keys))
	for i := range d.keys {
		cols[i] = d.keys[i].decode(list, dicts[i], arrays)
	}
	return cols
}

// decode returns a key's column.
func (k *denseKey) decode(list []uint32, dict *runtime.Dictionary, arrays *spare.Arrays) *runtime.Chunk {
	c := &runtime.Chunk{Type: k.typ, Rows: len(list), Base: k.lo, Dict: dict}
	switch {
	case k.typ == kernel.Bool:
		c.Enc, c.Bits = runtime.EncBits, make([]byte, (len(list)+7)/8)
		parts := cellParts[uint8](k, list, arrays)
		defer spare.Release(arrays, parts)
		for i, p := range parts {
			c.Bits[i>>3] |= p & 1 << (i & 7)
		}
		k.decodeNulls(c, list)
		return c
	case k.card <= 1<<8:
		c.Enc, c.U8 = runtime.EncU8, cellParts[uint8](k, list, arrays)
	case k.card <= 1<<16:
		c.Enc, c.U16 = runtime.EncU16, cellParts[uint16](k, list, arrays)
	default:
		c.Enc, c.U32 = runtime.EncU32, cellParts[uint32](k, list, arrays)
	}
	k.decodeNulls(c, list)
	if c.Nulls < c.Rows {
		c.HasRange, c.Min, c.Max = true, k.lo, k.lo+int64(k.values-1)
	}
	return c
}

// cellParts takes a key's part out of cells: (cell / stride) mod card.
func cellParts[S vector.GroupInt](k *denseKey, list []uint32, arrays *spare.Arrays) []S {
	dst := spare.New[S](arrays, len(list))
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
			c.Valid = vector.AllValid(len(list))
		}
		c.Valid[i>>3] &^= 1 << (i & 7)
		c.Nulls++
	}
}

// spanBits is the most bits of a cell that a partition leaves.
const spanBits = 16

// Shift is how far cells are shifted for their partition.
func (d *DenseKeys) Shift() uint {
	n := uint(bits.Len(uint(d.Cells - 1)))
	return min(max(n, keytable.PartitionBits)-keytable.PartitionBits, spanBits)
}
