package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// frame declares frame, the parts of the frame of row i.
func (w *windowing) frame(e *Entry, number int) {
	f := &w.s.Frames[number]
	e.Line("const Span bounds = %s(p, i, partition, peers);", w.calls(w.frames[number]))
	switch f.Exclude {
	case kernel.ExcludeNothing:
		e.Line("const Parts frame = whole(bounds);")
	case kernel.ExcludeCurrent:
		e.Line("const Parts frame = without(bounds, {i, i + 1}, {i, i});")
	case kernel.ExcludeGroup:
		e.Line("const Parts frame = without(bounds, peers, {i, i});")
	case kernel.ExcludeTies:
		e.Line("const Parts frame = without(bounds, peers, {i, i + 1});")
	}
}

// frameFunctions renders the functions of the bounds of frames, before rows are excluded.
func (w *windowing) frameFunctions() {
	for i := range w.s.Frames {
		f := &w.s.Frames[i]
		comment := fmt.Sprintf("frame %d: %s from %s to %s", i, f.Unit, f.Start.Kind, f.End.Kind)
		w.frames[i] = w.function(comment, "Span", fmt.Sprintf("frame%d", i), ", const u64 i, const Span& partition, const Span& peers", func(e *Entry) {
			start, end := w.bound(e, f, &f.Start, i, 0), w.bound(e, f, &f.End, i, 1)
			e.Line("return {%s, %s};", start, end)
		})
	}
}

// bound is the expression of where the frame of row i begins, with end 0, or ends, with 1.
func (w *windowing) bound(e *Entry, f *kernel.Frame, b *kernel.FrameBound, number, end int) string {
	side := []string{"lo", "hi"}[end]
	switch {
	case b.Kind == kernel.UnboundedPreceding:
		return "partition.lo"
	case b.Kind == kernel.UnboundedFollowing:
		return "partition.hi"
	case b.Kind == kernel.CurrentRow && f.Unit == kernel.FrameRows:
		return fmt.Sprintf("i + %d", end)
	case b.Kind == kernel.CurrentRow:
		return "peers." + side
	case f.Unit == kernel.FrameRange:
		return w.limit(e, f, b, end)
	}
	by := e.Arg(distance(number, end), "i64", "rows or groups to a bound of the frame")
	if b.Kind == kernel.Preceding {
		by = "-" + by
	}
	if f.Unit == kernel.FrameRows {
		return fmt.Sprintf("within(partition, i, %s, %d)", by, end)
	}
	of, starts := e.peersOf()
	return fmt.Sprintf("peers_within(partition, %s, %s, i, %s, %d)", of, starts, by, end)
}

// distance is the argument of the distance of a frame's start, with end 0, or end, with 1.
func distance(frame, end int) Arg { return Arg{Kind: ArgDistance, Index: 2*frame + end} }

// limit declares a bound by a value: the first row, in order, whose key is not before the
// limit, or for an end, whose key is behind it. A limit that is NULL stands for the peers.
func (w *windowing) limit(e *Entry, f *kernel.Frame, b *kernel.FrameBound, end int) string {
	side := []string{"lo", "hi"}[end]
	bound := e.Temp("bound")
	e.Line("u64 %s = peers.%s;", bound, side)
	e.Begin("")
	e.Line("const int r = 0;")
	w.load(e, e.rowOf("i"), b.Limit)
	e.Begin("if (%s)", w.holds(b.Limit))
	of, starts := e.peersOf()
	e.Line("Span groups = groups_of(partition, %s);", of)
	key := func(group string) (value, null string) {
		if w.paramOf(f.Key) >= 0 {
			return w.At(f.Key), ""
		}
		at := e.rowOf(starts + "[" + group + "]")
		return w.elementOf(f.Key, at), w.nullOf(f.Key, at)
	}
	if w.paramOf(f.Key) >= 0 {
		w.load(e, "", f.Key)
	}
	if _, null := key("groups.lo"); null != "" {
		e.Line("if (%s) groups.lo++;", null)
		_, null = key("groups.hi - 1")
		e.Line("if (groups.lo < groups.hi && %s) groups.hi--;", null)
	}
	typ := w.ctype(w.f.Values[f.Key].Type)
	e.Begin("while (groups.lo < groups.hi)")
	e.Line("const u64 middle = (groups.lo + groups.hi) / 2;")
	value, _ := key("middle")
	e.Line("const %s key = (%s)%s, limit = %s;", typ, typ, value, w.At(b.Limit))
	before, after := "less(key, limit)", "less(limit, key)"
	if w.s.Order[0].Desc {
		before, after = after, before
	}
	if end == 0 {
		e.Line("if (%s) groups.lo = middle + 1;", before)
	} else {
		e.Line("if (!%s) groups.lo = middle + 1;", after)
	}
	e.Line("else groups.hi = middle;")
	e.End()
	e.Line("%s = %s[groups.lo];", bound, starts)
	e.End()
	e.End()
	return bound
}

// holds is the condition that a value is not NULL.
func (w *windowing) holds(id kernel.ValueID) string {
	if n := w.nulls(id); n != "" {
		return fmt.Sprintf("!bit(%s, r)", n)
	}
	return "true"
}
