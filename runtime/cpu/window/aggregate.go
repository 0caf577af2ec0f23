package window

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// accumulated is a column of an accumulator: that of a group for each
// row.
type accumulated struct {
	acc    accumulator.Accumulator
	groups []uint32
	arrays *spare.Arrays // of the result
}

func (c *accumulated) Chunks(lo, hi int) []*runtime.Chunk {
	return c.acc.Chunks(c.groups[lo:hi], c.arrays)
}

// aggregate computes an accumulator over the frame of each row. Frames that
// are the partition are groups of it. Where frames begin with the partition,
// the rows are combined one after the other, and a frame is what had been
// combined at its end. Other frames are put together from the nodes of a
// binary tree over the rows of the partition, two at most of each of its
// levels, so that no frame costs more than the logarithm of its rows.
func (t *windowTask) aggregate(c *kernel.WindowCall) windowColumn {
	frames := t.framesOf(c)
	t.grow(4 * int64(t.rows()))
	w := &windowAcc{windowTask: t, call: c, spec: t.spec(&c.Acc), groups: spare.New[uint32](t.mem.Arrays, t.rows())}
	switch {
	case frames.whole:
		w.whole()
	case frames.running:
		w.running(frames)
	default:
		w.tree(frames)
	}
	return &accumulated{w.acc, w.groups, t.Run.WithinOutput()}
}

// spec describes an accumulator.
func (t *windowTask) spec(acc *kernel.Acc) *accumulator.Spec {
	f := t.Run.Kernel
	s := &accumulator.Spec{Op: acc.Op, Filter: -1, Dst: exec.ValueTypes(f, acc.Dst), ArgType: exec.ValueTypes(f, acc.Args), Sparse: true}
	if len(acc.Args) > 0 {
		s.ArgRange = f.Values[acc.Args[0]].Range
	}
	return s
}

// windowAcc computes one accumulator: row i has the result of groups[i] of acc.
type windowAcc struct {
	*windowTask
	call   *kernel.WindowCall
	spec   *accumulator.Spec
	acc    accumulator.Accumulator
	groups []uint32
	list   mergeList
}

// start makes the accumulator, with n groups, to which the rows that count are
// added: row i to the group that cell says.
func (w *windowAcc) start(n int, cell func(i int) uint32) {
	w.renew(n)
	keep := w.counted()
	w.grow(8 * int64(len(keep)))
	c := accumulator.Cells{Form: vector.FormU32, N: len(keep), U32: spare.New[uint32](w.mem.Arrays, len(keep))}
	for i, row := range keep {
		c.U32[i] = cell(int(row))
	}
	var args []*vector.View
	for _, id := range w.call.Args {
		all := w.view(id)
		if len(keep) < w.rows() {
			all = all.Pick(keep, &vector.ViewBuffer{})
		}
		args = append(args, &all)
	}
	if len(keep) > 0 {
		w.acc.Add(&c, args)
	}
	w.acc.Finalize()
}

// renew makes an accumulator with n groups.
func (w *windowAcc) renew(n int) {
	w.acc = accumulator.New(w.spec, &w.mem)
	w.acc.Reserve(n)
}

// counted lists the rows for which the filter is true and no argument is NULL.
func (w *windowAcc) counted() []int32 {
	keep := vector.Upwards(spare.New[int32](w.mem.Arrays, w.rows()), 0)
	for _, id := range w.call.Args {
		if null := w.view(id).Null; null != nil {
			keep = group.KeepWhere(keep, func(i int32) bool { return null[i] == 0 })
		}
	}
	if w.call.Filter != kernel.NoValue {
		f := w.view(w.call.Filter)
		keep = group.KeepWhere(keep, func(i int32) bool { return f.U8[i] != 0 && (f.Null == nil || f.Null[i] == 0) })
	}
	return keep
}

// whole makes a group of each partition.
func (w *windowAcc) whole() {
	for i, p := range w.partOf {
		w.groups[i] = uint32(p)
	}
	w.start(len(w.parts), func(i int) uint32 { return w.groups[i] })
}

// running makes a group of each row, and adds to it the group of the row before
// it. Frames without rows have an empty group behind the last one.
func (w *windowAcc) running(frames *rowFrames) {
	w.start(w.rows()+1, func(i int) uint32 { return uint32(i) })
	if len(w.spec.Dst) > 1 && w.inOrder() {
		w.follow()
	} else {
		w.chain()
	}
	for i, s := range frames.spans {
		w.groups[i] = uint32(w.rows())
		if s.hi > s.lo {
			w.groups[i] = uint32(s.hi - 1)
		}
	}
}

// chain adds to the group of each row that of the row before it.
func (w *windowAcc) chain() {
	for i := range w.rows() {
		if p := w.partition(i); int32(i) > p.lo {
			w.merge(w.acc, w.acc, uint32(i-1), uint32(i))
		}
	}
	w.flush(w.acc, w.acc)
}

// follow combines the group of each row with that of the row before it, to which it is added:
// deviations depend on that order in their last digits.
func (w *windowAcc) follow() {
	rows := w.acc
	w.renew(w.rows() + 1)
	w.acc.Finalize()
	w.acc.Combine(rows)
	from, to := make([]uint32, 1), make([]uint32, 1)
	for i := range w.rows() {
		to[0] = uint32(i)
		if p := w.partition(i); int32(i) > p.lo {
			from[0] = uint32(i - 1)
			w.acc.Merge(w.acc, from, to)
		}
		w.acc.Merge(rows, to, to)
		if i%mergeRows == 0 {
			w.poll()
		}
	}
}

// inOrder reports whether the last digits depend on the order in which rows are combined.
func (w *windowAcc) inOrder() bool {
	return slices.Contains(w.spec.Dst, kernel.F64) && w.spec.Op != kernel.AccMin && w.spec.Op != kernel.AccMax
}

// tree makes a tree of groups over each partition: of n rows that begin with
// row lo, node k is group 2·lo+k, its children are 2k and 2k+1, and the leaf of
// row lo+i is node n+i. A frame is put together from the nodes that cover it.
func (w *windowAcc) tree(frames *rowFrames) {
	w.start(2*w.rows(), func(i int) uint32 {
		return uint32(w.partition(i).hi) + uint32(i)
	})
	for _, p := range w.parts {
		for k := p.hi - p.lo - 1; k > 0; k-- {
			for _, child := range []int32{2 * k, 2*k + 1} {
				w.merge(w.acc, w.acc, uint32(2*p.lo+child), uint32(2*p.lo+k))
			}
		}
	}
	w.flush(w.acc, w.acc)
	w.cover(frames)
}

// fewRows is how many rows of a frame are combined one by one in double precision, so that
// its last digits are those of PostgreSQL, which adds the rows of every frame.
const fewRows = 32

// cover combines the nodes of the tree to the frames.
func (w *windowAcc) cover(frames *rowFrames) {
	nodes := w.acc
	w.renew(w.rows())
	w.acc.Finalize()
	w.acc.Combine(nodes)
	exclude := frames.frame.Exclude != kernel.ExcludeNothing
	byRow := w.inOrder()
	for i := range w.groups {
		if i > 0 && !exclude && frames.spans[i] == frames.spans[i-1] {
			w.groups[i] = w.groups[i-1]
			continue
		}
		w.groups[i] = uint32(i)
		p := w.partition(i)
		frames.each(i, func(s span) {
			n := p.hi - p.lo
			if byRow && s.hi-s.lo <= fewRows {
				for row := s.lo; row < s.hi; row++ {
					w.merge(w.acc, nodes, uint32(p.hi+row), uint32(i))
				}
				return
			}
			for l, r := s.lo-p.lo+n, s.hi-p.lo+n; l < r; l, r = l/2, r/2 {
				if l&1 != 0 {
					w.merge(w.acc, nodes, uint32(2*p.lo+l), uint32(i))
					l++
				}
				if r&1 != 0 {
					r--
					w.merge(w.acc, nodes, uint32(2*p.lo+r), uint32(i))
				}
			}
		})
	}
	w.flush(w.acc, nodes)
}

// mergeList is merges that are still to be done.
type mergeList struct{ from, to []uint32 }

// mergeRows is how many merges are done together.
const mergeRows = 1 << 12

// merge merges a group of src into one of dst, in the order of the calls; both
// stay the same until flush.
func (w *windowAcc) merge(dst, src accumulator.Accumulator, from, to uint32) {
	w.list.from, w.list.to = append(w.list.from, from), append(w.list.to, to)
	if len(w.list.from) < mergeRows {
		return
	}
	w.flush(dst, src)
}

// flush does the merges that are left.
func (w *windowAcc) flush(dst, src accumulator.Accumulator) {
	dst.Merge(src, w.list.from, w.list.to)
	w.list.from, w.list.to = w.list.from[:0], w.list.to[:0]
	w.poll()
}
