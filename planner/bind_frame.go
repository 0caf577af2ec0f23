package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// over binds what follows OVER.
func (g *windowing) over(spec *sql.WindowSpec) (*boundWindow, error) {
	if !spec.Named {
		return g.bind(spec)
	}
	if err := g.bindNamed(); err != nil {
		return nil, err
	}
	return g.find(spec)
}

// find gives the window that a specification names.
func (g *windowing) find(spec *sql.WindowSpec) (*boundWindow, error) {
	for i := range g.named {
		if g.named[i].name == spec.Base.Name {
			return &g.named[i].boundWindow, nil
		}
	}
	return nil, value.ErrorAt(int(spec.Pos), value.CodeUndefinedObject, "window %q does not exist", spec.Base.Name)
}

// bindNamed binds the WINDOW clause, once.
func (g *windowing) bindNamed() error {
	for _, def := range g.defs[len(g.named):] {
		for i := range g.named {
			if g.named[i].name == def.Name.Name {
				return value.ErrorAt(int(def.Spec.Pos), value.CodeWindowing, "window %q is already defined", def.Name.Name)
			}
		}
		w, err := g.bind(def.Spec)
		if err != nil {
			return err
		}
		g.named = append(g.named, namedWindow{name: def.Name.Name, boundWindow: *w})
	}
	return nil
}

// bind binds a specification in parentheses.
func (g *windowing) bind(spec *sql.WindowSpec) (*boundWindow, error) {
	x := g.exprs()
	w := &boundWindow{frame: algebra.DefaultFrame()}
	for _, e := range spec.PartitionBy {
		bound, err := x.settled(e)
		if err != nil {
			return nil, err
		}
		w.partition = append(w.partition, bound)
	}
	for _, item := range spec.OrderBy {
		bound, err := x.settled(item.Expr)
		if err != nil {
			return nil, err
		}
		w.order = append(w.order, x.sortKey(item, bound))
	}
	if err := g.inherit(w, spec); err != nil {
		return nil, err
	}
	if spec.Frame == nil {
		return w, nil
	}
	w.framed = true
	var err error
	w.frame, err = x.frame(w, spec)
	return w, err
}

// settled binds an expression; an untyped literal is text.
func (x *exprBinder) settled(e sql.Expr) (algebra.Expr, error) {
	bound, err := x.expr(e)
	if err != nil {
		return nil, err
	}
	return x.settle(bound, e.Position())
}

// inherit takes over what the window has that a specification begins with.
func (g *windowing) inherit(w *boundWindow, spec *sql.WindowSpec) error {
	if spec.Base.Name == "" {
		return nil
	}
	if len(g.named) < len(g.defs) && !g.defines(spec) {
		if err := g.bindNamed(); err != nil {
			return err
		}
	}
	base, err := g.find(spec)
	if err != nil {
		return err
	}
	fail := func(format string) error {
		return value.ErrorAt(int(spec.Pos), value.CodeWindowing, format, spec.Base.Name)
	}
	switch {
	case len(w.partition) > 0:
		return fail("cannot override PARTITION BY clause of window %q")
	case len(w.order) > 0 && len(base.order) > 0:
		return fail("cannot override ORDER BY clause of window %q")
	case base.framed:
		return fail("cannot copy window %q because it has a frame clause")
	}
	w.partition = base.partition
	if len(w.order) == 0 {
		w.order = base.order
	}
	return nil
}

// defines reports whether a specification is one of the WINDOW clause, which can
// name those before it only.
func (g *windowing) defines(spec *sql.WindowSpec) bool {
	for _, def := range g.defs {
		if def.Spec == spec {
			return true
		}
	}
	return false
}

// frame binds a frame.
func (x *exprBinder) frame(w *boundWindow, spec *sql.WindowSpec) (algebra.Frame, error) {
	from := spec.Frame
	f := algebra.Frame{
		Unit:    algebra.FrameUnit(from.Unit),
		Start:   algebra.FrameBound{Kind: algebra.BoundKind(from.Start.Kind)},
		End:     algebra.FrameBound{Kind: algebra.BoundKind(from.End.Kind)},
		Exclude: algebra.FrameExclusion(from.Exclude),
	}
	distance := from.Start.Value != nil || from.End.Value != nil
	switch {
	case f.Unit == algebra.FrameRange && distance && len(w.order) != 1:
		return f, value.ErrorAt(int(spec.Pos), value.CodeWindowing,
			"RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column")
	case f.Unit == algebra.FrameGroups && len(w.order) == 0:
		return f, value.ErrorAt(int(spec.Pos), value.CodeWindowing, "GROUPS mode requires an ORDER BY clause")
	}
	bounds := []*algebra.FrameBound{&f.Start, &f.End}
	for i, e := range []sql.Expr{from.Start.Value, from.End.Value} {
		if e == nil {
			continue
		}
		var err error
		if f.Unit == algebra.FrameRange {
			err = x.rangeBound(&f, bounds[i], w.order[0], e)
		} else {
			err = x.countBound(&f, bounds[i], e)
		}
		if err != nil {
			return f, err
		}
	}
	return f, alignLimits(x, &f)
}

// offset binds the constant distance of a bound.
func (x *exprBinder) offset(unit algebra.FrameUnit, e sql.Expr) (algebra.Expr, error) {
	if ref := firstColumn(e); ref != nil {
		return nil, value.ErrorAt(int(ref.Position()), value.CodeInvalidColumnReference,
			"argument of %s must not contain variables", strings.ToUpper(string(unit)))
	}
	inner := *x
	inner.group, inner.clause = nil, "window "+strings.ToUpper(string(unit))
	return inner.expr(e)
}

// distance evaluates the constant distance of a bound, which is not NULL.
func (x *exprBinder) distance(f *algebra.Frame, b *algebra.FrameBound, e algebra.Expr, pos sql.Pos) (*algebra.Const, error) {
	c, err := x.constant(e, int(pos))
	if err != nil {
		return nil, err
	}
	if c.Val.Kind == value.Null {
		return nil, value.Errorf(value.CodeNullNotAllowed, "frame %s offset must not be null", whichEnd(f, b))
	}
	return c, nil
}

func whichEnd(f *algebra.Frame, b *algebra.FrameBound) string {
	if b == &f.Start {
		return "starting"
	}
	return "ending"
}

// countBound binds a distance in rows or groups.
func (x *exprBinder) countBound(f *algebra.Frame, b *algebra.FrameBound, e sql.Expr) error {
	bound, err := x.offset(f.Unit, e)
	if err != nil {
		return err
	}
	typ := bound.Type()
	if sqltype.CastNeeds(typ.Kind, algebra.Int64) > sqltype.Assignment {
		return value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch,
			"argument of %s must be type bigint, not type %s", strings.ToUpper(string(f.Unit)), sqltype.Name(typ))
	}
	if bound, err = x.coerce(bound, algebra.TInt64, sqltype.Assignment, e.Position()); err != nil {
		return err
	}
	c, err := x.distance(f, b, bound, e.Position())
	if err != nil {
		return err
	}
	if c.Val.I < 0 {
		return value.Errorf(value.CodeInvalidFrame, "frame %s offset must not be negative", whichEnd(f, b))
	}
	b.Offset = c.Val.I
	return nil
}

// rangeBound binds a distance in the values of the key: the limit is the key
// plus or minus it, in a type in which that does not overflow where PostgreSQL
// would not.
func (x *exprBinder) rangeBound(f *algebra.Frame, b *algebra.FrameBound, key algebra.SortKey, e sql.Expr) error {
	bound, err := x.offset(f.Unit, e)
	if err != nil {
		return err
	}
	offset, wide, err := x.rangeOffset(key.Expr.Type(), bound, e.Position())
	if err != nil {
		return err
	}
	c, err := x.distance(f, b, offset, e.Position())
	if err != nil {
		return err
	}
	if isNegative(c.Val) {
		return value.Errorf(value.CodeInvalidFrame, "invalid preceding or following size in window function")
	}
	f.Key = key.Expr
	if f.Key, err = x.coerce(f.Key, wide, sqltype.Implicit, e.Position()); err != nil {
		return err
	}
	op := algebra.Add
	if (b.Kind == algebra.Preceding) != key.Desc {
		op = algebra.Sub
	}
	b.Limit, err = x.arithmetic(op, f.Key, c, operands{"+", e.Position(), e.Position(), e.Position()})
	return err
}

func isNegative(v value.Value) bool {
	switch v.Kind {
	case value.Int:
		return v.I < 0
	case value.Decimal:
		return v.Num.Sign() < 0
	case value.Float:
		return v.F < 0
	case value.Intervals:
		return v.Interval.Cmp(value.Interval{}) < 0
	}
	return false
}

// rangeOffset converts the distance of a range over a key of a type, and gives
// a type of the key in which the distance can be added.
func (x *exprBinder) rangeOffset(key algebra.Type, offset algebra.Expr, pos sql.Pos) (algebra.Expr, algebra.Type, error) {
	want, wide := key, key
	switch key.Kind {
	case algebra.Int16, algebra.Int32, algebra.Int64:
		wide = algebra.TDecimal(20, 0)
		if !offset.Type().IsInteger() && offset.Type().Kind != algebra.Unknown {
			return nil, key, noRange(key, offset, pos)
		}
		if offset.Type().IsInteger() {
			want = offset.Type()
		}
	case algebra.Decimal, algebra.Numeric:
		want = algebra.TNumeric
	case algebra.Float64, algebra.Interval:
	case algebra.Date, algebra.Timestamp:
		want, wide = algebra.TInterval, algebra.TTimestamp
	case algebra.TimestampTZ:
		want = algebra.TInterval
	default:
		return nil, key, value.ErrorAt(int(pos), value.CodeFeatureNotSupported,
			"RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s", sqltype.Name(key))
	}
	if sqltype.CastNeeds(offset.Type().Kind, want.Kind) != sqltype.Implicit {
		return nil, key, noRange(key, offset, pos)
	}
	if want == algebra.TNumeric && offset.Type().Kind == algebra.Decimal {
		return offset, wide, nil
	}
	out, err := x.coerce(offset, want, sqltype.Implicit, pos)
	if err == nil && wide.Kind == algebra.Decimal && want.IsInteger() {
		out, err = x.coerce(out, algebra.TDecimal(20, 0), sqltype.Implicit, pos)
	}
	return out, wide, err
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
func alignLimits(x *exprBinder, f *algebra.Frame) error {
	typ := algebra.TUnknown
	exprs := []*algebra.Expr{&f.Key, &f.Start.Limit, &f.End.Limit}
	for _, e := range exprs[1:] {
		if *e != nil {
			typ, _ = sqltype.Wider(typ, (*e).Type())
		}
	}
	if f.Key == nil {
		return nil
	}
	for _, e := range exprs {
		if *e == nil {
			continue
		}
		var err error
		if *e, err = x.coerce(*e, typ, sqltype.Implicit, sql.NoPos); err != nil {
			return err
		}
	}
	return nil
}
