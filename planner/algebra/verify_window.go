package algebra

func (v *verifier) windowCall(c *WindowCall, scope scope) {
	v.frame(&c.Frame, scope)
	if c.IsAggregate() {
		agg := c.Aggregate()
		v.agg(&agg, scope)
		return
	}
	what := windowResults[c.Func]
	if len(c.Args) != what.args || c.Filter != nil {
		v.failf("%s of %d arguments", c.Func, len(c.Args))
		return
	}
	for _, arg := range c.Args {
		v.expr(arg, scope)
	}
	if what.result == (Type{}) {
		what.result = c.Args[0].Type().Plain()
	}
	switch last := what.args - 1; c.Func {
	case Ntile, Lag, Lead, NthValue:
		if c.Args[last].Type() != TInt32 {
			v.failf("%s by %s", c.Func, c.Args[last].Type())
		}
	case StringAgg, StringAggDistinct:
		if c.Args[0].Type().Kind != Text || c.Args[1].Type().Kind != Text {
			v.failf("%s of %s and %s", c.Func, c.Args[0].Type(), c.Args[1].Type())
		}
	}
	if c.Column.Type != what.result {
		v.failf("%s gives %s, its column is %s", c.Func, what.result, c.Column.Type)
	}
	v.produce(c.Column)
}

func (v *verifier) frame(f *Frame, scope scope) {
	if f.Key != nil {
		v.expr(f.Key, scope)
	}
	for _, b := range []FrameBound{f.Start, f.End} {
		distance := b.Kind == Preceding || b.Kind == Following
		switch {
		case (b.Limit != nil) != (distance && f.Unit == FrameRange) || b.Offset < 0:
			v.failf("bound %s of %s frame", b.Kind, f.Unit)
		case b.Limit == nil:
		case f.Key == nil || f.Key.Type().Plain() != b.Limit.Type():
			v.failf("limit %s of another type than its key", b.Limit)
		default:
			v.expr(b.Limit, scope)
		}
	}
}
