package window

import (
	gosort "sort"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// framesOf returns the frames that a call looks at.
func (t *windowTask) framesOf(c *kernel.WindowCall) *rowFrames {
	if t.frames[c.Frame] != nil {
		return t.frames[c.Frame]
	}
	t.grow(8 * int64(t.rows()))
	f := &t.win.Frames[c.Frame]
	fr := &rowFrames{task: t, frame: f, spans: spare.New[span](t.mem.Arrays, t.rows())}
	fr.running = f.Start.Kind == kernel.UnboundedPreceding && f.Exclude == kernel.ExcludeNothing
	fr.whole = fr.running && f.End.Kind == kernel.UnboundedFollowing
	start, end := t.bound(f, &f.Start, false), t.bound(f, &f.End, true)
	for i := range fr.spans {
		if i%order.GatherRows == 0 {
			t.poll()
		}
		fr.spans[i] = span{start(i), end(i)}
	}
	t.frames[c.Frame] = fr
	return fr
}

// bound returns where the frame of a row begins, or ends.
func (t *windowTask) bound(f *kernel.Frame, b *kernel.FrameBound, end bool) func(i int) int32 {
	switch b.Kind {
	case kernel.UnboundedPreceding:
		return func(i int) int32 { return t.partition(i).lo }
	case kernel.UnboundedFollowing:
		return func(i int) int32 { return t.partition(i).hi }
	}
	distance := b.Offset
	switch b.Kind {
	case kernel.CurrentRow:
		distance = 0
	case kernel.Preceding:
		distance = -distance
	}
	switch {
	case f.Unit == kernel.FrameRows:
		return t.rowBound(distance, end)
	case f.Unit == kernel.FrameGroups:
		return t.groupBound(distance, end)
	case b.Limit == kernel.NoValue:
		return t.groupBound(0, end)
	}
	return t.rangeBound(f, b, end)
}

// rowBound is a bound by a number of rows.
func (t *windowTask) rowBound(distance int64, end bool) func(i int) int32 {
	past := int64(vector.B2u(end))
	return func(i int) int32 {
		p := t.partition(i)
		return within(p, int64(i), distance, past)
	}
}

// within is at+distance+past, or the nearest place in a span.
func within(s span, at, distance, past int64) int32 {
	size := int64(s.hi - s.lo)
	at += min(max(distance, -size-1), size+1) + past
	return int32(min(max(at, int64(s.lo)), int64(s.hi)))
}

// groupBound is a bound by a number of groups of peers.
func (t *windowTask) groupBound(distance int64, end bool) func(i int) int32 {
	return func(i int) int32 {
		p := t.partition(i)
		all := span{t.group[p.lo], t.group[p.hi-1] + 1}
		// The groups are bounded like rows: the end is where the next one begins.
		g := within(all, int64(t.group[i]), distance, int64(vector.B2u(end)))
		if g == all.hi {
			return p.hi
		}
		return t.groups[g].lo
	}
}

// rangeBound is a bound by a value: the first row, in order, whose key is not
// before the limit, or for an end, whose key is behind it. A limit that is NULL
// stands for the peers.
func (t *windowTask) rangeBound(f *kernel.Frame, b *kernel.FrameBound, end bool) func(i int) int32 {
	key, limit := t.args.Column(f.Key), t.column(b.Limit)
	mask := limit.Mask()
	compare := t.Keys.CompareValues(t.Run.Kernel.Values[f.Key], []*vector.Vector{key, limit})
	desc := t.win.Order[0].Desc
	return func(i int) int32 {
		if limit.IsNull(i) {
			if end {
				return t.peers(i).hi
			}
			return t.peers(i).lo
		}
		p := t.notNull(t.partition(i), key)
		n := gosort.Search(int(p.hi-p.lo), func(k int) bool {
			c := compare(vector.Entry{Row: uint32(int(p.lo) + k)}, vector.Entry{Buf: 1, Row: uint32(i & mask)})
			if desc {
				c = -c
			}
			return c > 0 || c == 0 && !end
		})
		return p.lo + int32(n)
	}
}

// notNull is a partition without the rows whose key is NULL, which are its
// first or its last ones.
func (t *windowTask) notNull(p span, key *vector.Vector) span {
	if key.IsNull(int(p.lo)) {
		p.lo = t.groups[t.group[p.lo]].hi
	}
	if p.hi > p.lo && key.IsNull(int(p.hi-1)) {
		p.hi = t.groups[t.group[p.hi-1]].lo
	}
	return p
}

// each calls f with the parts of the frame of row i, none of them empty, in
// order: what is excluded may divide it.
func (fr *rowFrames) each(i int, f func(span)) {
	s := fr.spans[i]
	if s.hi <= s.lo {
		return
	}
	row := span{int32(i), int32(i + 1)}
	out := row
	switch fr.frame.Exclude {
	case kernel.ExcludeNothing:
		f(s)
		return
	case kernel.ExcludeGroup, kernel.ExcludeTies:
		out = fr.task.peers(i)
	}
	emit := func(p span) {
		if p.lo = max(p.lo, s.lo); p.lo < min(p.hi, s.hi) {
			f(span{p.lo, min(p.hi, s.hi)})
		}
	}
	emit(span{s.lo, out.lo})
	if fr.frame.Exclude == kernel.ExcludeTies {
		emit(row)
	}
	emit(span{out.hi, s.hi})
}
