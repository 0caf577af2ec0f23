package kernel

// windowArgs are how many arguments the window functions take.
var windowArgs = map[WindowFunc]int{
	WindowRowNumber: 0, WindowRank: 0, WindowDenseRank: 0, WindowPercentRank: 0, WindowCumeDist: 0,
	WindowNtile: 1, WindowLag: 2, WindowLead: 2, WindowFirstValue: 1, WindowLastValue: 1, WindowNthValue: 2,
	WindowStringAgg: 2, WindowStringAggDistinct: 2,
}

func (v *verifier) window(s *Window) {
	v.sortKeys(s.Partition)
	v.sortKeys(s.Order)
	v.useAll(s.Cols)
	if s.First < 0 || s.First > 0 && len(s.Order) == 0 {
		v.failf("the first %d rows of partitions without an order", s.First)
	}
	for i := range s.Frames {
		v.frame(&s.Frames[i])
	}
	for i := range s.Calls {
		if c := &s.Calls[i]; c.Frame < 0 || c.Frame >= len(s.Frames) {
			v.failf("there is no frame %d", c.Frame)
		} else if c.Func == WindowAggregate {
			v.acc(&c.Acc)
		} else {
			v.windowCall(c)
		}
	}
}

func (v *verifier) sortKeys(keys []SortKey) {
	for _, k := range keys {
		if v.use(k.Val).Type == Code {
			v.failf("key %%%d is a code: it needs its rank", k.Val)
		}
	}
}

func (v *verifier) frame(f *Frame) {
	switch f.Unit {
	case FrameRows, FrameRange, FrameGroups:
	default:
		v.failf("no unit %q of a frame", f.Unit)
	}
	switch f.Exclude {
	case ExcludeNothing, ExcludeCurrent, ExcludeGroup, ExcludeTies:
	default:
		v.failf("no exclusion %q", f.Exclude)
	}
	if f.Start.Kind == UnboundedFollowing || f.End.Kind == UnboundedPreceding {
		v.failf("a frame that ends before it starts")
	}
	v.frameBound(f, &f.Start)
	v.frameBound(f, &f.End)
}

func (v *verifier) frameBound(f *Frame, b *FrameBound) {
	distance := b.Kind == Preceding || b.Kind == Following
	switch b.Kind {
	case UnboundedPreceding, Preceding, CurrentRow, Following, UnboundedFollowing:
	default:
		v.failf("no bound %q of a frame", b.Kind)
	}
	if b.Offset < 0 {
		v.failf("distance %d", b.Offset)
	}
	if (b.Limit != NoValue) != (distance && f.Unit == FrameRange) {
		v.failf("a limit belongs to a range of a distance")
	} else if b.Limit != NoValue {
		if f.Key == NoValue {
			v.failf("a limit without a key")
			return
		}
		v.useAs(b.Limit, v.use(f.Key).Type)
	}
}

// windowCall checks a call that is not an accumulator.
func (v *verifier) windowCall(c *WindowCall) {
	n, ok := windowArgs[c.Func]
	if !ok || len(c.Args) != n || len(c.Dst) != 1 || c.Filter != NoValue || c.Distinct || c.Op != "" {
		v.failf("%s of %d arguments gives %d columns", c.Func, len(c.Args), len(c.Dst))
		return
	}
	for _, id := range c.Args {
		v.use(id)
	}
	v.define(c.Dst[0])
	if v.err != nil {
		return
	}
	dst := v.f.Values[c.Dst[0]]
	want := Value{Type: I64}
	switch c.Func {
	case WindowPercentRank, WindowCumeDist:
		want.Type = F64
	case WindowNtile:
		v.useAs(c.Args[0], I32)
		want.Type = I32
	case WindowStringAgg, WindowStringAggDistinct:
		v.useAs(c.Args[0], Str)
		v.useAs(c.Args[1], Str)
		want.Type = Str
	case WindowLag, WindowLead, WindowNthValue:
		v.useAs(c.Args[1], I32)
		want = v.f.Values[c.Args[0]]
	case WindowFirstValue, WindowLastValue:
		want = v.f.Values[c.Args[0]]
	}
	if dst.Type != want.Type || dst.Type == Code && dst.Dict != want.Dict {
		v.failf("%s gives %s, not %s", c.Func, want.Type, dst.Type)
	}
}
