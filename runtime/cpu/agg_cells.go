package cpu

// cells holds, for each of n rows, the group that it belongs to, as a number
// into the arrays of the accumulators: what the slice of form holds, plus off.
// The group keys' stored column serves as it lies where it can.
type cells struct {
	form form // formConst: all rows belong to group off; formU8, formU16, formU32
	n    int
	off  int
	u8   []uint8
	u16  []uint16
	u32  []uint32
	buf  []uint32
}

// list returns the groups as plain numbers, valid until the next list.
func (c *cells) list() []uint32 {
	off := uint32(c.off)
	switch {
	case c.form == formU32 && off == 0:
		return c.u32[:c.n]
	case c.form == formU32:
		dst := room(&c.buf, c.n)
		for i, x := range c.u32[:c.n] {
			dst[i] = x + off
		}
		return dst
	}
	dst := room(&c.buf, c.n)
	switch c.form {
	case formU8:
		for i, x := range c.u8[:c.n] {
			dst[i] = uint32(x) + off
		}
	case formU16:
		for i, x := range c.u16[:c.n] {
			dst[i] = uint32(x) + off
		}
	default:
		fill(dst, off)
	}
	return dst
}

// pick returns the groups of the listed rows, in p's memory.
func (c *cells) pick(rows []int32, p *cellBuffer) *cells {
	d := &p.cells
	d.form, d.off, d.n = c.form, c.off, len(rows)
	switch c.form {
	case formU8:
		d.u8 = gatherInto(room(&p.u8, len(rows)), c.u8, rows)
	case formU16:
		d.u16 = gatherInto(room(&p.u16, len(rows)), c.u16, rows)
	case formU32:
		d.u32 = gatherInto(room(&p.u32, len(rows)), c.u32, rows)
	}
	return d
}

// cellBuffer is the memory of picked cells.
type cellBuffer struct {
	cells cells
	u8    []uint8
	u16   []uint16
	u32   []uint32
}

// The loops below are unrolled by hand: the compiler does not, and the loop's
// own instructions are a third of the work otherwise.

// addEach adds vals[i] + base to dst[ks[i]].
func addEach[K groupInt, V plain](dst []int64, ks []K, vals []V, base int64) {
	vals = vals[:len(ks)]
	n := len(ks) &^ 3
	for i := 0; i < n; i += 4 {
		k, v := ks[i:i+4:i+4], vals[i:i+4:i+4]
		dst[k[0]] += int64(v[0]) + base
		dst[k[1]] += int64(v[1]) + base
		dst[k[2]] += int64(v[2]) + base
		dst[k[3]] += int64(v[3]) + base
	}
	for i, k := range ks[n:] {
		dst[k] += int64(vals[n+i]) + base
	}
}

// laneCells is how many groups at most have lanes: four copies of each sum, used
// in turn, so that rows of one group that follow each other need not wait for
// each other's store.
const laneCells = 64

// addLanes is addEach for sums in lanes.
func addLanes[K groupInt, V plain](dst []int64, off int, ks []K, vals []V, base int64) {
	d0 := dst[off:laneCells]
	d1 := dst[laneCells+off:][:len(d0)]
	d2 := dst[2*laneCells+off:][:len(d0)]
	d3 := dst[3*laneCells+off:][:len(d0)]
	vals = vals[:len(ks)]
	n := len(ks) &^ 3
	for i := 0; i < n; i += 4 {
		k, v := ks[i:i+4:i+4], vals[i:i+4:i+4]
		d0[k[0]] += int64(v[0]) + base
		d1[k[1]] += int64(v[1]) + base
		d2[k[2]] += int64(v[2]) + base
		d3[k[3]] += int64(v[3]) + base
	}
	for i, k := range ks[n:] {
		d0[k] += int64(vals[n+i]) + base
	}
}

// countEach counts ks[i] in dst.
func countEach[K groupInt](dst []int64, ks []K) {
	n := len(ks) &^ 3
	for i := 0; i < n; i += 4 {
		k := ks[i : i+4 : i+4]
		dst[k[0]]++
		dst[k[1]]++
		dst[k[2]]++
		dst[k[3]]++
	}
	for _, k := range ks[n:] {
		dst[k]++
	}
}

// countLanes is countEach for counts in lanes.
func countLanes[K groupInt](dst []int64, off int, ks []K) {
	d0 := dst[off:laneCells]
	d1 := dst[laneCells+off:][:len(d0)]
	d2 := dst[2*laneCells+off:][:len(d0)]
	d3 := dst[3*laneCells+off:][:len(d0)]
	n := len(ks) &^ 3
	for i := 0; i < n; i += 4 {
		k := ks[i : i+4 : i+4]
		d0[k[0]]++
		d1[k[1]]++
		d2[k[2]]++
		d3[k[3]]++
	}
	for _, k := range ks[n:] {
		d0[k]++
	}
}

// markEach sets dst[ks[i]] to 1.
func markEach[K groupInt](dst []uint8, ks []K) {
	n := len(ks) &^ 3
	for i := 0; i < n; i += 4 {
		k := ks[i : i+4 : i+4]
		dst[k[0]] = 1
		dst[k[1]] = 1
		dst[k[2]] = 1
		dst[k[3]] = 1
	}
	for _, k := range ks[n:] {
		dst[k] = 1
	}
}

// mark sets the flags of the groups that have rows.
func (c *cells) mark(flags []uint8) {
	flags = flags[c.off:]
	switch c.form {
	case formU8:
		markEach(flags, c.u8[:c.n])
	case formU16:
		markEach(flags, c.u16[:c.n])
	case formU32:
		markEach(flags, c.u32[:c.n])
	default:
		if c.n > 0 {
			flags[0] = 1
		}
	}
}

// sumOf adds up all values of a view of integers.
func sumOf(v *view) int64 {
	base := v.base * int64(v.n)
	switch v.form {
	case formU8:
		return sumAll(v.u8[:v.n]) + base
	case formU16:
		return sumAll(v.u16[:v.n]) + base
	case formU32:
		return sumAll(v.u32[:v.n]) + base
	case formI32:
		return sumAll(v.i32[:v.n])
	case formI64:
		return sumAll(v.i64[:v.n])
	}
	return base
}

// sumAll adds up in four independent sums.
func sumAll[V plain](vals []V) int64 {
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
