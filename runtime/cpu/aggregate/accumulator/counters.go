package accumulator

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// counters are one 64-bit integer for each group, that rows are counted or summed
// up in. Few groups have lanes.
type counters struct {
	mem   *exec.Memory
	Sums  []int64
	cells int
	laned bool
	runs  runSums
}

// Reserve makes room for groups below n; new ones are zero.
func (t *counters) Reserve(n int) {
	if n <= t.cells {
		return
	}
	switch {
	case n <= laneCells && t.Sums == nil:
		t.Sums, t.laned = exec.Grown(t.mem, t.Sums, 4*laneCells), true
	case n > laneCells:
		t.fold()
		t.Sums = exec.Grown(t.mem, t.Sums, n)
	}
	t.cells = n
}

// fold brings the lanes together.
func (t *counters) fold() {
	if !t.laned {
		return
	}
	t.laned = false
	for i := range laneCells {
		t.Sums[i] += t.Sums[laneCells+i] + t.Sums[2*laneCells+i] + t.Sums[3*laneCells+i]
	}
	clear(t.Sums[laneCells:])
	t.Sums = t.Sums[:laneCells]
}

// Reset makes every group zero.
func (t *counters) Reset() { clear(t.Sums) }

// count adds one to each row's group.
func (t *counters) count(c *Cells) {
	if c.Form == vector.FormConst {
		t.Sums[c.Off] += int64(c.N)
		return
	}
	if c.Form == vector.FormRuns {
		countRuns(t.Sums[c.Off:], c.Ends)
		return
	}
	if t.laned {
		switch c.Form {
		case vector.FormU8:
			countLanes(t.Sums, c.Off, c.U8[:c.N])
		case vector.FormU16:
			countLanes(t.Sums, c.Off, c.U16[:c.N])
		default:
			countLanes(t.Sums, c.Off, c.U32[:c.N])
		}
		return
	}
	dst := t.Sums[c.Off:]
	switch c.Form {
	case vector.FormU8:
		countEach(dst, c.U8[:c.N])
	case vector.FormU16:
		countEach(dst, c.U16[:c.N])
	default:
		countEach(dst, c.U32[:c.N])
	}
}

// add adds the integers of v to the rows' groups. No sum may overflow.
func (t *counters) add(c *Cells, v *vector.View) {
	switch c.Form {
	case vector.FormConst:
		t.Sums[c.Off] += sumOf(v)
	case vector.FormU8:
		addBy(t, c.Off, c.U8[:c.N], v)
	case vector.FormU16:
		addBy(t, c.Off, c.U16[:c.N], v)
	case vector.FormRuns:
		t.runs.add(t.Sums[c.Off:], c.Ends, v)
	default:
		addBy(t, c.Off, c.U32[:c.N], v)
	}
}

// addBy is add for groups that are stored as K.
func addBy[K vector.GroupInt](t *counters, off int, ks []K, v *vector.View) {
	switch v.Form {
	case vector.FormU8:
		addVals(t, off, ks, v.U8, v.Base)
	case vector.FormU16:
		addVals(t, off, ks, v.U16, v.Base)
	case vector.FormU32:
		addVals(t, off, ks, v.U32, v.Base)
	case vector.FormI32:
		addVals(t, off, ks, v.I32, 0)
	case vector.FormI64:
		addVals(t, off, ks, v.I64, 0)
	default:
		dst := t.Sums[off:]
		for _, k := range ks {
			dst[k] += v.Base
		}
	}
}

// addVals is add for values that are stored as V.
func addVals[K vector.GroupInt, V vector.Plain](t *counters, off int, ks []K, vals []V, base int64) {
	if t.laned {
		addLanes(t.Sums, off, ks, vals, base)
		return
	}
	addEach(t.Sums[off:], ks, vals, base)
}

// merge adds src's groups from[i] to the groups to[i]. src has been folded.
func (t *counters) merge(src *counters, from, to []uint32) {
	to = to[:len(from)]
	for i, f := range from {
		t.Sums[to[i]] += src.Sums[f]
	}
}

// Flags is one mark for each group: whether it has had a row.
type Flags struct {
	Mem  *exec.Memory
	Set  []uint8
	full int // groups below are all marked
}

// Reserve makes room for groups below n.
func (f *Flags) Reserve(n int) { f.Set = exec.Grown(f.Mem, f.Set, n) }

// Reset clears every mark.
func (f *Flags) Reset() {
	clear(f.Set)
	f.full = 0
}

// Mark marks the rows' groups, all of them below limit. Where all groups below
// limit are marked already there is nothing to do, which in a long input with
// few groups is soon so.
func (f *Flags) Mark(c *Cells, limit int) {
	for f.full < limit && f.Set[f.full] != 0 {
		f.full++
	}
	if f.full < limit {
		c.mark(f.Set)
	}
}

// Merge marks to[i] where src has from[i] marked.
func (f *Flags) Merge(src *Flags, from, to []uint32) {
	for i, x := range from {
		f.Set[to[i]] |= src.Set[x]
	}
}
