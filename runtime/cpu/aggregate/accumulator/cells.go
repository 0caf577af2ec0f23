package accumulator

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Cells holds, for each of n rows, the group that it belongs to, as a number
// into the arrays of the accumulators: what the slice of form holds, plus off.
// The group keys' stored column serves as it lies where it can.
type Cells struct {
	// FormConst: all rows belong to group Off; FormU8, FormU16, FormU32; FormRuns: the rows
	// before Ends[0] to group Off, those from there to Ends[1] to the next one, and so on.
	Form vector.Form
	N    int
	Off  int
	U8   []uint8
	U16  []uint16
	U32  []uint32
	Ends []int32
	buf  []uint32
}

// List returns the groups as plain numbers, valid until the next list.
func (c *Cells) List() []uint32 {
	off := uint32(c.Off)
	switch {
	case c.Form == vector.FormU32 && off == 0:
		return c.U32[:c.N]
	case c.Form == vector.FormU32:
		dst := vector.Room(&c.buf, c.N)
		for i, x := range c.U32[:c.N] {
			dst[i] = x + off
		}
		return dst
	}
	dst := vector.Room(&c.buf, c.N)
	switch c.Form {
	case vector.FormU8:
		for i, x := range c.U8[:c.N] {
			dst[i] = uint32(x) + off
		}
	case vector.FormU16:
		for i, x := range c.U16[:c.N] {
			dst[i] = uint32(x) + off
		}
	case vector.FormRuns:
		at := int32(0)
		for i, end := range c.Ends {
			vector.Fill(dst[at:end], off+uint32(i))
			at = end
		}
	default:
		vector.Fill(dst, off)
	}
	return dst
}

// Pick returns the groups of the listed rows, in p's memory.
func (c *Cells) Pick(rows []int32, p *CellBuffer) *Cells {
	d := &p.cells
	d.Form, d.Off, d.N = c.Form, c.Off, len(rows)
	switch c.Form {
	case vector.FormU8:
		d.U8 = vector.GatherInto(vector.Room(&p.u8, len(rows)), c.U8, rows)
	case vector.FormU16:
		d.U16 = vector.GatherInto(vector.Room(&p.u16, len(rows)), c.U16, rows)
	case vector.FormU32:
		d.U32 = vector.GatherInto(vector.Room(&p.u32, len(rows)), c.U32, rows)
	case vector.FormRuns:
		d.Form, d.Off = vector.FormU32, 0
		d.U32 = vector.GatherInto(vector.Room(&p.u32, len(rows)), c.List(), rows)
	}
	return d
}

// CellBuffer is the memory of picked cells.
type CellBuffer struct {
	cells Cells
	u8    []uint8
	u16   []uint16
	u32   []uint32
}

// The loops below are unrolled by hand: the compiler does not, and the loop's
// own instructions are a third of the work otherwise. It checks the bounds of arrays of eight
// once, those of slices for each element.

// addEach adds vals[i] + base to dst[ks[i]].
func addEach[K vector.GroupInt, V vector.Plain](dst []int64, ks []K, vals []V, base int64) {
	for len(ks) >= 8 && len(vals) >= 8 {
		k, v := (*[8]K)(ks), (*[8]V)(vals)
		dst[k[0]] += int64(v[0]) + base
		dst[k[1]] += int64(v[1]) + base
		dst[k[2]] += int64(v[2]) + base
		dst[k[3]] += int64(v[3]) + base
		dst[k[4]] += int64(v[4]) + base
		dst[k[5]] += int64(v[5]) + base
		dst[k[6]] += int64(v[6]) + base
		dst[k[7]] += int64(v[7]) + base
		ks, vals = ks[8:], vals[8:]
	}
	for i, k := range ks {
		dst[k] += int64(vals[i]) + base
	}
}

// laneCells is how many groups at most have lanes: four copies of each sum, used
// in turn, so that rows of one group that follow each other need not wait for
// each other's store.
const laneCells = 64

// addLanes is addEach for sums in lanes.
func addLanes[K vector.GroupInt, V vector.Plain](dst []int64, off int, ks []K, vals []V, base int64) {
	d0 := dst[off:laneCells]
	d1 := dst[laneCells+off:][:len(d0)]
	d2 := dst[2*laneCells+off:][:len(d0)]
	d3 := dst[3*laneCells+off:][:len(d0)]
	for len(ks) >= 8 && len(vals) >= 8 {
		k, v := (*[8]K)(ks), (*[8]V)(vals)
		d0[k[0]] += int64(v[0]) + base
		d1[k[1]] += int64(v[1]) + base
		d2[k[2]] += int64(v[2]) + base
		d3[k[3]] += int64(v[3]) + base
		d0[k[4]] += int64(v[4]) + base
		d1[k[5]] += int64(v[5]) + base
		d2[k[6]] += int64(v[6]) + base
		d3[k[7]] += int64(v[7]) + base
		ks, vals = ks[8:], vals[8:]
	}
	for i, k := range ks {
		d0[k] += int64(vals[i]) + base
	}
}

// countEach counts ks[i] in dst.
func countEach[K vector.GroupInt](dst []int64, ks []K) {
	for len(ks) >= 8 {
		k := (*[8]K)(ks)
		dst[k[0]]++
		dst[k[1]]++
		dst[k[2]]++
		dst[k[3]]++
		dst[k[4]]++
		dst[k[5]]++
		dst[k[6]]++
		dst[k[7]]++
		ks = ks[8:]
	}
	for _, k := range ks {
		dst[k]++
	}
}

// countLanes is countEach for counts in lanes.
func countLanes[K vector.GroupInt](dst []int64, off int, ks []K) {
	d0 := dst[off:laneCells]
	d1 := dst[laneCells+off:][:len(d0)]
	d2 := dst[2*laneCells+off:][:len(d0)]
	d3 := dst[3*laneCells+off:][:len(d0)]
	for len(ks) >= 8 {
		k := (*[8]K)(ks)
		d0[k[0]]++
		d1[k[1]]++
		d2[k[2]]++
		d3[k[3]]++
		d0[k[4]]++
		d1[k[5]]++
		d2[k[6]]++
		d3[k[7]]++
		ks = ks[8:]
	}
	for _, k := range ks {
		d0[k]++
	}
}

// markEach sets dst[ks[i]] to 1.
func markEach[K vector.GroupInt](dst []uint8, ks []K) {
	for len(ks) >= 8 {
		k := (*[8]K)(ks)
		dst[k[0]] = 1
		dst[k[1]] = 1
		dst[k[2]] = 1
		dst[k[3]] = 1
		dst[k[4]] = 1
		dst[k[5]] = 1
		dst[k[6]] = 1
		dst[k[7]] = 1
		ks = ks[8:]
	}
	for _, k := range ks {
		dst[k] = 1
	}
}

// mark sets the flags of the groups that have rows.
func (c *Cells) mark(flags []uint8) {
	flags = flags[c.Off:]
	switch c.Form {
	case vector.FormU8:
		markEach(flags, c.U8[:c.N])
	case vector.FormU16:
		markEach(flags, c.U16[:c.N])
	case vector.FormU32:
		markEach(flags, c.U32[:c.N])
	case vector.FormRuns:
		vector.Fill(flags[:len(c.Ends)], 1)
	default:
		if c.N > 0 {
			flags[0] = 1
		}
	}
}

// sumOf adds up all values of a view of integers.
func sumOf(v *vector.View) int64 {
	base := v.Base * int64(v.N)
	switch v.Form {
	case vector.FormU8:
		return sumAll(v.U8[:v.N]) + base
	case vector.FormU16:
		return sumAll(v.U16[:v.N]) + base
	case vector.FormU32:
		return sumAll(v.U32[:v.N]) + base
	case vector.FormI32:
		return sumAll(v.I32[:v.N])
	case vector.FormI64:
		return sumAll(v.I64[:v.N])
	}
	return base
}

// sumAll adds up in four independent sums.
func sumAll[V vector.Plain](vals []V) int64 {
	var a, b, c, d int64
	n := len(vals) &^ 3
	for i := 0; i < n; i += 4 {
		v := vals[i : i+4 : i+4]
		a += int64(v[0])
		b += int64(v[1])
		c += int64(v[2])
		d += int64(v[3])
	}
	for _, v := range vals[n:] {
		a += int64(v)
	}
	return a + b + c + d
}
