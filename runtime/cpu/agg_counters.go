package cpu

// counters are one 64-bit integer for each group, that rows are counted or summed
// up in. Few groups have lanes.
type counters struct {
	mem   *memory
	sums  []int64
	cells int
	laned bool
}

// reserve makes room for groups below n; new ones are zero.
func (t *counters) reserve(n int) error {
	if n <= t.cells {
		return nil
	}
	switch {
	case n <= laneCells && t.sums == nil:
		sums, err := grown(t.mem, t.sums, 4*laneCells)
		if err != nil {
			return err
		}
		t.sums, t.laned = sums, true
	case n > laneCells:
		t.fold()
		sums, err := grown(t.mem, t.sums, n)
		if err != nil {
			return err
		}
		t.sums = sums
	}
	t.cells = n
	return nil
}

// fold brings the lanes together.
func (t *counters) fold() {
	if !t.laned {
		return
	}
	t.laned = false
	for i := range laneCells {
		t.sums[i] += t.sums[laneCells+i] + t.sums[2*laneCells+i] + t.sums[3*laneCells+i]
	}
	clear(t.sums[laneCells:])
	t.sums = t.sums[:laneCells]
}

// reset makes every group zero.
func (t *counters) reset() { clear(t.sums) }

// count adds one to each row's group.
func (t *counters) count(c *cells) {
	if c.form == formConst {
		t.sums[c.off] += int64(c.n)
		return
	}
	if t.laned {
		switch c.form {
		case formU8:
			countLanes(t.sums, c.off, c.u8[:c.n])
		case formU16:
			countLanes(t.sums, c.off, c.u16[:c.n])
		default:
			countLanes(t.sums, c.off, c.u32[:c.n])
		}
		return
	}
	dst := t.sums[c.off:]
	switch c.form {
	case formU8:
		countEach(dst, c.u8[:c.n])
	case formU16:
		countEach(dst, c.u16[:c.n])
	default:
		countEach(dst, c.u32[:c.n])
	}
}

// add adds the integers of v to the rows' groups. No sum may overflow.
func (t *counters) add(c *cells, v *view) {
	switch c.form {
	case formConst:
		t.sums[c.off] += sumOf(v)
	case formU8:
		addBy(t, c.off, c.u8[:c.n], v)
	case formU16:
		addBy(t, c.off, c.u16[:c.n], v)
	default:
		addBy(t, c.off, c.u32[:c.n], v)
	}
}

// addBy is add for groups that are stored as K.
func addBy[K groupInt](t *counters, off int, ks []K, v *view) {
	switch v.form {
	case formU8:
		addVals(t, off, ks, v.u8, v.base)
	case formU16:
		addVals(t, off, ks, v.u16, v.base)
	case formU32:
		addVals(t, off, ks, v.u32, v.base)
	case formI32:
		addVals(t, off, ks, v.i32, 0)
	case formI64:
		addVals(t, off, ks, v.i64, 0)
	default:
		dst := t.sums[off:]
		for _, k := range ks {
			dst[k] += v.base
		}
	}
}

// addVals is add for values that are stored as V.
func addVals[K groupInt, V plain](t *counters, off int, ks []K, vals []V, base int64) {
	if t.laned {
		addLanes(t.sums, off, ks, vals, base)
		return
	}
	addEach(t.sums[off:], ks, vals, base)
}

// merge adds src's groups from[i] to the groups to[i]. src has been folded.
func (t *counters) merge(src *counters, from, to []uint32) {
	to = to[:len(from)]
	for i, f := range from {
		t.sums[to[i]] += src.sums[f]
	}
}

// flags is one mark for each group: whether it has had a row.
type flags struct {
	mem  *memory
	set  []uint8
	full int // groups below are all marked
}

// reserve makes room for groups below n.
func (f *flags) reserve(n int) error {
	set, err := grown(f.mem, f.set, n)
	f.set = set
	return err
}

// reset clears every mark.
func (f *flags) reset() {
	clear(f.set)
	f.full = 0
}

// mark marks the rows' groups, all of them below limit. Where all groups below
// limit are marked already there is nothing to do, which in a long input with
// few groups is soon so.
func (f *flags) mark(c *cells, limit int) {
	for f.full < limit && f.set[f.full] != 0 {
		f.full++
	}
	if f.full < limit {
		c.mark(f.set)
	}
}

// merge marks to[i] where src has from[i] marked.
func (f *flags) merge(src *flags, from, to []uint32) {
	for i, x := range from {
		f.set[to[i]] |= src.set[x]
	}
}
