package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// denseShare is the part of a batch's rows, one in so many, that have to be left
// for the next condition to be tested by a mask of all of them instead of one by
// one: a mask of bytes costs about a fifth of what testing rows one by one does,
// others about half (see BenchmarkMask).
func (c *condition) denseShare(b *vector.Batch) int {
	if c.pred != nil {
		if raw := b.Vals[c.pred.val].Raw; raw != nil && raw.Enc == runtime.EncU8 {
			return 5
		}
	}
	return 2
}

// filterer runs one filter: its conditions are tested one after the other, as
// masks as long as many rows are left and then on a list of rows.
type filterer struct {
	conds []*condition
	mask  []uint64
	masks [][]uint64 // scratch, by depth of nesting
	sel   []int32
}

// newFilterer makes a filter for batches of up to rows rows.
func newFilterer(rows int, conds []*condition) *filterer {
	return &filterer{conds: conds, mask: make([]uint64, vector.MaskWords(rows)), sel: make([]int32, rows+8)}
}

// Reaching is a body whose batches lose the rows before that the sink does not want any more.
func (c *Compiler) Reaching(reach *exec.Reach, body func(*vector.Batch)) func(*vector.Batch) {
	p := &predicate{val: reach.Val, domain: domain{nulls: reach.Nulls}}
	f := newFilterer(c.Worker.Rows, []*condition{{pred: p}})
	return func(b *vector.Batch) {
		var narrowed bool
		if p.domain.lo, p.domain.hi, narrowed = reach.Interval(); narrowed {
			if f.run(b); b.Sel != nil && len(b.Sel) == 0 {
				return
			}
		}
		body(b)
	}
}

// run narrows the selection of a batch.
func (f *filterer) run(b *vector.Batch) {
	conds := f.conds
	if b.Sel == nil && b.Rows >= 64 {
		tested := f.runMasks(b)
		if b.Sel != nil && len(b.Sel) == 0 {
			return
		}
		conds = conds[tested:]
	}
	if len(conds) == 0 {
		return
	}
	n := copy(f.sel, b.ActiveRows())
	b.Sel = f.sel[:n]
	for _, c := range conds {
		f.narrow(b, c)
		if len(b.Sel) == 0 {
			return
		}
	}
}

// runMasks tests conditions by masks and sets the selection. It says how many
// it has tested before so few rows were left that the others are better tested
// on these.
func (f *filterer) runMasks(b *vector.Batch) (tested int) {
	acc := f.mask[:vector.MaskWords(b.Rows)]
	left := b.Rows
	for i, c := range f.conds {
		if i > 0 && left*c.denseShare(b) < b.Rows || c.pred == nil && c.of == nil {
			break
		}
		tested = i + 1
		if i == 0 {
			f.test(b, c, acc, 0)
		} else {
			m := f.scratch(0, len(acc))
			f.test(b, c, m, 1)
			for w := range acc {
				acc[w] &= m[w]
			}
		}
		left = countMask(acc)
		if left == 0 {
			b.Sel = f.sel[:0]
			return tested
		}
	}
	if left < b.Rows {
		b.Sel = vector.MaskRows(acc, f.sel)
	}
	return tested
}

// scratch is a mask for use at a depth of nesting.
func (f *filterer) scratch(depth, words int) []uint64 {
	for len(f.masks) <= depth {
		f.masks = append(f.masks, make([]uint64, cap(f.mask)))
	}
	return f.masks[depth][:words]
}

// test sets out to the rows of a whole batch for which c is true. Masks of depth
// and deeper are free to use.
func (f *filterer) test(b *vector.Batch, c *condition, out []uint64, depth int) {
	if c.of == nil {
		f.testOne(b, c, out)
		return
	}
	for i, sub := range c.of {
		if i == 0 {
			f.test(b, sub, out, depth)
			continue
		}
		m := f.scratch(depth, len(out))
		f.test(b, sub, m, depth+1)
		for w := range out {
			if c.any {
				out[w] |= m[w]
			} else {
				out[w] &= m[w]
			}
		}
	}
}

// testOne sets out by a predicate or a boolean.
func (f *filterer) testOne(b *vector.Batch, c *condition, out []uint64) {
	p := c.pred
	if p == nil {
		maskBools(b.Value(c.bool), b.Rows, out)
		return
	}
	v := b.Vals[p.val]
	if v.Raw == nil || v.At != nil {
		b.Value(p.val)
	}
	ready := p.prepare(v)
	if !ready {
		p.lookup.apply(b, b.Value(p.val))
		maskBools(p.lookup.dst, b.Rows, out)
		return
	}
	if v.Raw == nil {
		p.domain.maskDecoded(v, b.Rows, out)
		return
	}
	switch p.domain.covers(v.Raw) {
	case all:
		fillMask(out, true)
		vector.Trim(out, b.Rows)
	case none:
		fillMask(out, false)
	default:
		v.Read()
		p.domain.maskRaw(v, b.Rows, out)
	}
}

// maskBools sets out to the rows that are true.
func maskBools(v *vector.Vector, rows int, out []uint64) {
	if v.Const {
		fillMask(out, vector.Of[uint8](v)[0] != 0 && !v.IsNull(0))
		vector.Trim(out, rows)
		return
	}
	truth := vector.Of[uint8](v)
	for w := range out {
		var word uint64
		for j, x := range truth[w*64 : min(w*64+64, rows)] {
			word |= uint64(x&1) << (j & 63)
		}
		if v.Null != nil {
			for j, n := range v.Null[w*64 : min(w*64+64, rows)] {
				word &^= uint64(n) << (j & 63)
			}
		}
		out[w] = word
	}
}

// narrow keeps the active rows for which c is true. b.Sel is f's own.
func (f *filterer) narrow(b *vector.Batch, c *condition) {
	switch {
	case c.pred != nil:
		narrowPredicate(b, c.pred)
		return
	case c.of == nil:
		Keep(b, b.Value(c.bool), b.Sel)
		return
	case !c.any:
		for _, sub := range c.of {
			if f.narrow(b, sub); len(b.Sel) == 0 {
				return
			}
		}
		return
	}
	f.narrowAny(b, c)
}

// narrowAny keeps the rows for which one of several conditions is true.
func (f *filterer) narrowAny(b *vector.Batch, c *condition) {
	refine(b, c)
	sel := b.Sel
	rest := append([]int32(nil), sel...)
	passed := make([]uint64, vector.MaskWords(b.Rows))
	for _, sub := range c.of {
		b.Sel = append([]int32(nil), rest...)
		f.narrow(b, sub)
		for _, i := range b.Sel {
			passed[i>>6] |= 1 << (i & 63)
		}
		rest = keepRows(rest, func(i int32) bool { return passed[i>>6]>>(i&63)&1 == 0 })
		if len(rest) == 0 {
			break
		}
	}
	b.Sel = keepRows(sel, func(i int32) bool { return passed[i>>6]>>(i&63)&1 != 0 })
}

// refine decodes what testing c reads at all rows that are active now: while c
// is tested the selection is narrower than it is afterwards.
func refine(b *vector.Batch, c *condition) {
	switch {
	case c.pred != nil:
		if !c.pred.prepare(b.Vals[c.pred.val]) {
			b.Value(c.pred.val)
		}
		return
	case c.of == nil:
		b.Value(c.bool)
	}
	for _, sub := range c.of {
		refine(b, sub)
	}
}

// narrowPredicate keeps the active rows in a predicate's domain.
func narrowPredicate(b *vector.Batch, p *predicate) {
	v := b.Vals[p.val]
	if v.Const {
		b.Value(p.val)
	}
	ready := p.prepare(v)
	if !ready {
		p.lookup.apply(b, b.Value(p.val))
		Keep(b, p.lookup.dst, b.Sel)
		return
	}
	if v.Raw != nil && v.At == nil {
		switch p.domain.covers(v.Raw) {
		case all:
			return
		case none:
			b.Sel = b.Sel[:0]
			return
		}
	}
	v.Read()
	if v.Const {
		if !p.domain.passes(v) {
			b.Sel = b.Sel[:0]
		}
		return
	}
	b.Sel = p.domain.narrow(v, b.Sel)
}

// Keep narrows the selection of b to the rows for which cond is true. buf has
// room for all rows; it may be where b.Sel lies.
func Keep(b *vector.Batch, cond *vector.Vector, buf []int32) {
	truth := vector.Of[uint8](cond)
	if cond.Const {
		if truth[0] == 0 || cond.IsNull(0) {
			b.Sel = buf[:0]
		}
		return
	}
	n := 0
	switch {
	case cond.Null == nil && b.Sel == nil:
		for i, x := range truth[:b.Rows] {
			buf[n] = int32(i)
			n += int(x)
		}
	case cond.Null == nil:
		for _, i := range b.Sel {
			buf[n] = i
			n += int(truth[i])
		}
	default:
		for _, i := range b.ActiveRows() {
			buf[n] = i
			n += int(truth[i] &^ cond.Null[i])
		}
	}
	b.Sel = buf[:n]
}

// filterStage compiles the conditions to a filter. Predicates come first,
// and intervals of one value become one.
func (c *Compiler) filterStage(conds []*condition) Stage {
	var preds, others []*condition
	for _, cond := range conds {
		switch {
		case cond.pred == nil:
			others = append(others, cond)
		case !slices.ContainsFunc(preds, func(p *condition) bool { return p.pred.intersect(cond.pred) }):
			preds = append(preds, cond)
		}
	}
	return Stage{Step: newFilterer(c.Worker.Rows, append(preds, others...)).run}
}
