package window

import (
	"math"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// over binds what follows OVER.
func over(g *scope.Windowing, spec *sql.WindowSpec) *scope.Window {
	if !spec.Named {
		return bind(g, spec)
	}
	BindNamed(g)
	return find(g, spec)
}

// find returns the window that a specification names.
func find(g *scope.Windowing, spec *sql.WindowSpec) *scope.Window {
	for i := range g.Named {
		if g.Named[i].Name == spec.Base.Name {
			return &g.Named[i].Window
		}
	}
	panic(value.ErrorAt(int(spec.Pos), value.CodeUndefinedObject, "window %q does not exist", spec.Base.Name))
}

// BindNamed binds the WINDOW clause, once.
func BindNamed(g *scope.Windowing) {
	for _, def := range g.Defs[len(g.Named):] {
		for i := range g.Named {
			if g.Named[i].Name == def.Name.Name {
				panic(value.ErrorAt(int(def.Spec.Pos), value.CodeWindowing, "window %q is already defined", def.Name.Name))
			}
		}
		w := bind(g, def.Spec)
		g.Named = append(g.Named, scope.NamedWindow{Name: def.Name.Name, Window: *w})
	}
}

// bind binds a specification in parentheses.
func bind(g *scope.Windowing, spec *sql.WindowSpec) *scope.Window {
	x := g.Exprs()
	w := &scope.Window{Frame: algebra.DefaultFrame()}
	for _, e := range spec.PartitionBy {
		w.Partition = append(w.Partition, convert.Resolved(x, e))
	}
	for _, item := range spec.OrderBy {
		bound := convert.Resolved(x, item.Expr)
		w.Order = append(w.Order, expression.SortKey(x.Binder, item, bound))
	}
	inherit(g, w, spec)
	if spec.Frame == nil {
		return w
	}
	w.Framed = true
	w.Frame = frame(x, w, spec)
	return w
}

// inherit takes over what the window has that a specification begins with.
func inherit(g *scope.Windowing, w *scope.Window, spec *sql.WindowSpec) {
	if spec.Base.Name == "" {
		return
	}
	if len(g.Named) < len(g.Defs) && !defines(g, spec) {
		BindNamed(g)
	}
	base := find(g, spec)
	fail := func(format string) {
		panic(value.ErrorAt(int(spec.Pos), value.CodeWindowing, format, spec.Base.Name))
	}
	switch {
	case len(w.Partition) > 0:
		fail("cannot override PARTITION BY clause of window %q")
		return
	case len(w.Order) > 0 && len(base.Order) > 0:
		fail("cannot override ORDER BY clause of window %q")
		return
	case base.Framed:
		fail("cannot copy window %q because it has a frame clause")
		return
	}
	w.Partition = base.Partition
	if len(w.Order) == 0 {
		w.Order = base.Order
	}
}

// defines reports whether a specification is one of the WINDOW clause, which can
// name those before it only.
func defines(g *scope.Windowing, spec *sql.WindowSpec) bool {
	return slices.ContainsFunc(g.Defs, func(def sql.WindowDef) bool { return def.Spec == spec })
}

// frame binds a frame.
func frame(x *scope.Exprs, w *scope.Window, spec *sql.WindowSpec) algebra.Frame {
	from := spec.Frame
	f := algebra.Frame{
		Unit:    algebra.FrameUnit(from.Unit),
		Start:   algebra.FrameBound{Kind: algebra.BoundKind(from.Start.Kind)},
		End:     algebra.FrameBound{Kind: algebra.BoundKind(from.End.Kind)},
		Exclude: algebra.FrameExclusion(from.Exclude),
	}
	distance := from.Start.Value != nil || from.End.Value != nil
	switch {
	case f.Unit == algebra.FrameRange && distance && len(w.Order) != 1:
		panic(value.ErrorAt(int(spec.Pos), value.CodeWindowing,
			"RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column"))
	case f.Unit == algebra.FrameGroups && len(w.Order) == 0:
		panic(value.ErrorAt(int(spec.Pos), value.CodeWindowing, "GROUPS mode requires an ORDER BY clause"))
	}
	bounds := []*algebra.FrameBound{&f.Start, &f.End}
	for i, e := range []sql.Expr{from.Start.Value, from.End.Value} {
		if e == nil {
			continue
		}
		if f.Unit == algebra.FrameRange {
			rangeBound(x, &f, bounds[i], w.Order[0], e)
		} else {
			countBound(x, &f, bounds[i], e)
		}
	}
	alignLimits(x, &f)
	return f
}

// offset binds the constant distance of a bound.
func offset(x *scope.Exprs, unit algebra.FrameUnit, e sql.Expr) algebra.Expr {
	if ref := term.FirstColumn(e); ref != nil {
		panic(value.ErrorAt(int(ref.Position()), value.CodeInvalidColumnReference,
			"argument of %s must not contain variables", strings.ToUpper(string(unit))))
	}
	inner := *x
	inner.Group, inner.Clause = nil, "window "+strings.ToUpper(string(unit))
	return inner.Expr(e)
}

// distance evaluates the constant distance of a bound, which is not NULL unless it is a
// parameter whose type is to be found.
func distance(x *scope.Exprs, f *algebra.Frame, b *algebra.FrameBound, e algebra.Expr, pos sql.Pos) *algebra.Const {
	c := x.Constant(e, int(pos))
	if c.Val.Kind == value.Null && !x.Opts.InferParams {
		panic(value.Errorf(value.CodeNullNotAllowed, "frame %s offset must not be null", whichEnd(f, b)))
	}
	return c
}

func whichEnd(f *algebra.Frame, b *algebra.FrameBound) string {
	if b == &f.Start {
		return "starting"
	}
	return "ending"
}

// countBound binds a distance in rows or groups.
func countBound(x *scope.Exprs, f *algebra.Frame, b *algebra.FrameBound, e sql.Expr) {
	bound := convert.Count(x, offset(x, f.Unit, e), strings.ToUpper(string(f.Unit)), e.Position())
	c := distance(x, f, b, bound, e.Position())
	if c.Val.I < 0 {
		panic(value.Errorf(value.CodeInvalidFrame, "frame %s offset must not be negative", whichEnd(f, b)))
	}
	b.Offset = c.Val.I
}

// rangeBound binds a distance in the values of the key: the limit is the key
// plus or minus it, in a type in which that does not overflow where PostgreSQL
// would not.
func rangeBound(x *scope.Exprs, f *algebra.Frame, b *algebra.FrameBound, key algebra.SortKey, e sql.Expr) {
	bound := offset(x, f.Unit, e)
	offset, wide := rangeOffset(x, key.Expr.Type(), bound, e.Position())
	c := distance(x, f, b, offset, e.Position())
	if isNegative(c.Val) {
		panic(value.Errorf(value.CodeInvalidFrame, "invalid preceding or following size in window function"))
	}
	if key.Expr.Type().Kind == algebra.Time { // of which days are no part
		c.Val.Interval = value.Interval{Micros: c.Val.Interval.Micros}
	}
	f.Key = key.Expr
	f.Key = convert.Coerce(x, f.Key, wide, sqltype.Implicit, e.Position())
	op := algebra.Add
	if (b.Kind == algebra.Preceding) != key.Desc {
		op = algebra.Sub
	}
	b.Limit = expression.Arithmetic(x, op, f.Key, c, term.Operands{Op: "+", Left: e.Position(), Right: e.Position(), Pos: e.Position()})
	if math.IsInf(c.Val.F, 1) {
		b.Limit = endlessLimit(b.Limit, f, op, (b == &f.Start) != key.Desc)
	}
}

// endlessLimit is the limit of an infinite distance. It includes every number where the
// key is the infinity that it is taken from.
func endlessLimit(limit algebra.Expr, f *algebra.Frame, op algebra.Func, lowest bool) algebra.Expr {
	infinity := func(negative bool) algebra.Expr {
		if negative {
			return term.FloatConst(math.Inf(-1))
		}
		return term.FloatConst(math.Inf(1))
	}
	from := term.Call(algebra.Eq, algebra.TBool, value.NoPos, f.Key, infinity(op == algebra.Add))
	return &algebra.Case{Whens: []algebra.When{{Cond: from, Then: infinity(lowest)}}, Else: limit, Typ: algebra.TFloat64}
}

func isNegative(v value.Value) bool {
	switch v.Kind {
	case value.Int:
		return v.I < 0
	case value.Decimal:
		return v.Num.Sign() < 0
	case value.Float:
		return v.F < 0 || math.IsNaN(v.F)
	case value.Intervals:
		return v.Interval.Cmp(value.Interval{}) < 0
	}
	return false
}

// rangeOffset converts the distance of a range over a key of a type, and returns
// a type of the key in which the distance can be added.
func rangeOffset(x *scope.Exprs, key algebra.Type, offset algebra.Expr, pos sql.Pos) (algebra.Expr, algebra.Type) {
	want, wide := key, key
	switch key.Kind {
	case algebra.Int16, algebra.Int32, algebra.Int64:
		wide = algebra.TDecimal(20, 0)
		if !offset.Type().IsInteger() && offset.Type().Kind != algebra.Unknown {
			panic(noRange(key, offset, pos))
		}
		if offset.Type().IsInteger() {
			want = offset.Type()
		}
	case algebra.Decimal, algebra.Numeric:
		want = algebra.TNumeric
	case algebra.Float64, algebra.Interval:
	case algebra.Float32:
		want, wide = algebra.TFloat64, algebra.TFloat64
	case algebra.Date, algebra.Timestamp:
		want, wide = algebra.TInterval, algebra.TTimestamp
	case algebra.TimestampTZ:
		want = algebra.TInterval
	case algebra.Time:
		want, wide = algebra.TInterval, algebra.TInterval
	default:
		panic(value.ErrorAt(int(pos), value.CodeFeatureNotSupported,
			"RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s", sqltype.Name(key)))
	}
	if sqltype.CastNeeds(offset.Type().Kind, want.Kind) != sqltype.Implicit {
		panic(noRange(key, offset, pos))
	}
	if want == algebra.TNumeric && offset.Type().Kind == algebra.Decimal {
		return offset, wide
	}
	out := convert.Coerce(x, offset, want, sqltype.Implicit, pos)
	if wide.Kind == algebra.Decimal && want.IsInteger() {
		out = convert.Coerce(x, out, algebra.TDecimal(20, 0), sqltype.Implicit, pos)
	}
	return out, wide
}

func noRange(key algebra.Type, offset algebra.Expr, pos sql.Pos) error {
	return &value.Error{
		Code: value.CodeFeatureNotSupported,
		Message: "RANGE with offset PRECEDING/FOLLOWING is not supported for column type " + sqltype.Name(key) +
			" and offset type " + sqltype.Name(offset.Type()),
		Hint: "Cast the offset value to an appropriate type.", Pos: int(pos),
	}
}

// alignLimits brings the key and the limits of a frame to one type.
func alignLimits(x *scope.Exprs, f *algebra.Frame) {
	typ := algebra.TUnknown
	exprs := []*algebra.Expr{&f.Key, &f.Start.Limit, &f.End.Limit}
	for _, e := range exprs[1:] {
		if *e != nil {
			typ, _ = sqltype.Wider(typ, (*e).Type())
		}
	}
	if f.Key == nil {
		return
	}
	for _, e := range exprs {
		if *e == nil {
			continue
		}
		*e = convert.Coerce(x, *e, typ, sqltype.Implicit, sql.NoPos)
	}
}
