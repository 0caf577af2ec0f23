package planner

import (
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// A timestamp with time zone is bound to functions of a timestamp without one
// where the session's zone is UTC, in which both are the same number: the cast
// between the two only changes the type. In other zones routines convert, which
// have the zone's name as their last argument.

// zone is the session's time zone.
func (b *binder) zone() *time.Location {
	if b.opts.Zone == nil {
		return time.UTC
	}
	return b.opts.Zone
}

func (b *binder) inUTC() bool { return value.IsUTC(b.zone()) }

// zoned is a call of a routine in the session's zone.
func (b *binder) zoned(f algebra.Func, typ algebra.Type, pos sql.Pos, args ...algebra.Expr) algebra.Expr {
	return b.folded(call(f, typ, pos, append(args, textConst(b.zone().String()))...))
}

// asTimestamp takes the number of a moment for a timestamp in UTC. Where asMoment has made
// it of one, both casts stay until groups are bound, whose keys are found by what they
// look like (rewrite.foldCast).
func (b *binder) asTimestamp(e algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.folded(call(algebra.Cast, algebra.TTimestamp, pos, e))
}

// asMoment is the inverse of asTimestamp.
func (b *binder) asMoment(e algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.folded(call(algebra.Cast, algebra.TTimestampTZ, pos, e))
}

// local is the time that clocks of the session show at a moment.
func (b *binder) local(e algebra.Expr, pos sql.Pos) algebra.Expr {
	if b.inUTC() {
		return b.asTimestamp(e, pos)
	}
	return b.zoned(value.ToLocal, algebra.TTimestamp, pos, e)
}

// moment is when clocks of the session show a time.
func (b *binder) moment(e algebra.Expr, pos sql.Pos) algebra.Expr {
	if b.inUTC() {
		return b.asMoment(e, pos)
	}
	return b.zoned(value.FromLocal, algebra.TTimestampTZ, pos, e)
}

// coerceMoment converts from or to a timestamp with time zone.
func (x *exprBinder) coerceMoment(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) (algebra.Expr, error) {
	from := e.Type()
	switch {
	case from.Kind == algebra.Text:
		if x.opts.Style.Order != value.MDY {
			return x.zoned(value.StyledMoment, algebra.TTimestampTZ, pos, e, x.styleConst()), nil
		}
		return x.zoned(value.TZParse, algebra.TTimestampTZ, pos, e), nil
	case to.Kind == algebra.Text && x.opts.Style.Format != value.ISODates:
		return x.coerce(x.zoned(value.StyledMomentText, algebra.TText, pos, e, x.styleConst()), to, how, pos)
	case to.Kind == algebra.Text:
		return x.coerce(x.zoned(value.TZText, algebra.TText, pos, e), to, how, pos)
	case from.Kind == algebra.TimestampTZ:
		return x.coerce(x.local(e, pos), to, how, pos)
	}
	e, err := x.coerce(e, algebra.TTimestamp, how, pos)
	if err != nil {
		return nil, err
	}
	return x.moment(e, pos), nil
}

// parseLiteral reads an untyped or typed literal as a type.
func (b *binder) parseLiteral(text string, to algebra.Type, field string, assigning bool) (value.Value, error) {
	style := b.opts.Style
	switch {
	case to.Kind == algebra.TimestampTZ:
		micros, err := style.ParseTimestampTZ(text, b.zone())
		return value.Value{Kind: value.Int, I: micros}, err
	case to.Kind == algebra.Date && style.Order != value.MDY:
		days, err := style.ParseDate(text)
		return value.Value{Kind: value.Int, I: int64(days)}, err
	case to.Kind == algebra.Timestamp && style.Order != value.MDY:
		micros, err := style.ParseTimestamp(text)
		return value.Value{Kind: value.Int, I: micros}, err
	case to.Kind == algebra.Interval && style.Interval == value.SQLIntervals:
		iv, err := style.ParseInterval(text, field)
		return value.Value{Kind: value.Intervals, Interval: iv}, err
	case field != "":
		return eval.ParseField(b.opts.Meter, text, to, field)
	}
	return eval.Parse(b.opts.Meter, text, to, assigning)
}

// addToMoment adds an interval to a moment, or takes it away.
func (x *exprBinder) addToMoment(f algebra.Func, l, interval algebra.Expr, pos sql.Pos) algebra.Expr {
	if x.inUTC() {
		return x.asMoment(call(f, algebra.TTimestamp, pos, x.asTimestamp(l, pos), interval), pos)
	}
	routine := algebra.Func(value.TZAdd)
	if f == algebra.SubInterval {
		routine = value.TZSub
	}
	return x.zoned(routine, algebra.TTimestampTZ, pos, l, interval)
}

// fieldOfMoment is extract, date_part or date_trunc of a moment.
func (c *callSite) fieldOfMoment(f algebra.Func, result algebra.Type, name *algebra.Const, moment algebra.Expr) (algebra.Expr, error) {
	if f == algebra.DateTrunc {
		return c.truncMoment(name, moment)
	}
	field, err := value.ParseExtractField(name.Val.S, value.TimestampTZType)
	if err != nil {
		return nil, value.At(err, int(c.positions[0]))
	}
	var e algebra.Expr
	switch {
	case field == value.Epoch:
		e = call(f, algebra.TNumeric, c.pos, name, c.asTimestamp(moment, c.pos))
	case field >= value.Zone:
		e = c.zoned(value.TZExtract, algebra.TNumeric, c.pos, name, moment)
	default:
		e = call(f, algebra.TNumeric, c.pos, name, c.local(moment, c.pos))
	}
	return c.coerce(e, result, sqltype.Implicit, c.pos)
}

// truncMoment is date_trunc in the session's zone.
func (c *callSite) truncMoment(name *algebra.Const, e algebra.Expr) (algebra.Expr, error) {
	field, err := value.ParseTruncField(name.Val.S, value.TimestampTZType)
	if err != nil {
		return nil, value.At(err, int(c.positions[0]))
	}
	if c.inUTC() || field >= value.Day {
		return c.moment(call(algebra.DateTrunc, algebra.TTimestamp, c.pos, name, c.local(e, c.pos)), c.pos), nil
	}
	return c.zoned(value.TZTrunc, algebra.TTimestampTZ, c.pos, name, e), nil
}

// toCharOfMoment is NULL for an empty pattern.
func toCharOfMoment(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	return nullIfEmpty(c, args[1], c.zoned(value.TZToChar, algebra.TText, c.pos, args...)), nil
}

// ageOfMoments is age of what clocks of the session show.
func ageOfMoments(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	return call(algebra.Age, algebra.TInterval, c.pos, c.local(args[0], c.pos), c.local(args[1], c.pos)), nil
}

// momentSinceToday is age of the midnight that began today and a moment.
func momentSinceToday(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	return sinceToday(c, []algebra.Expr{c.local(args[0], c.pos)})
}

// momentOfText is to_timestamp in the session's zone.
func momentOfText(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	return c.zoned(value.TZOfText, algebra.TTimestampTZ, c.pos, args...), nil
}

// makeMoment is make_timestamptz in the session's zone.
func makeMoment(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	return c.zoned(value.TZOfParts, algebra.TTimestampTZ, c.pos, args...), nil
}

// constMoment is a moment that is known.
func constMoment(at time.Time) algebra.Expr {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: at.UnixMicro()}, Typ: algebra.TTimestampTZ}
}

// now returns the time of now().
func (b *binder) now() time.Time {
	b.momentary = true
	if b.opts.Now.IsZero() {
		return time.Now()
	}
	return b.opts.Now
}

// transactionTimestamp is now(): when the transaction began.
func transactionTimestamp(c *callSite, _ []algebra.Expr) (algebra.Expr, error) {
	return constMoment(c.now()), nil
}

// statementTimestamp is when the statement began.
func statementTimestamp(c *callSite, _ []algebra.Expr) (algebra.Expr, error) {
	if c.opts.Statement.IsZero() {
		return transactionTimestamp(c, nil)
	}
	c.momentary = true
	return constMoment(c.opts.Statement), nil
}

// clockTimestamp is the time at which the statement is planned.
func clockTimestamp(c *callSite, _ []algebra.Expr) (algebra.Expr, error) {
	c.momentary = true
	return constMoment(time.Now()), nil
}

// localTimestamp is now() as clocks of the session show it.
func localTimestamp(c *callSite, _ []algebra.Expr) (algebra.Expr, error) {
	return c.local(constMoment(c.now()), c.pos), nil
}

// currentDate is the day of now() in the session's zone.
func currentDate(c *callSite, _ []algebra.Expr) (algebra.Expr, error) {
	return c.coerce(constMoment(c.now()), algebra.TDate, sqltype.Assignment, c.pos)
}
