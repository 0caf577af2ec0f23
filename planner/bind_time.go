package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
)

func isTime(t algebra.Type) bool {
	return sqltype.IsMoment(t.Kind) || t.Kind == algebra.Interval
}

// timeArithmetic binds + - * and / of dates, timestamps and intervals.
func (x *exprBinder) timeArithmetic(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	l, r, err := x.timeLiterals(f, l, r, at)
	if err != nil {
		return nil, err
	}
	lk, rk := l.Type().Kind, r.Type().Kind
	small := func(k algebra.Kind) bool { return k == algebra.Int16 || k == algebra.Int32 }
	switch f {
	case algebra.Add:
		switch {
		case lk == algebra.Date && small(rk):
			return x.addDays(l, r, at)
		case small(lk) && rk == algebra.Date:
			return x.addDays(r, l, operands{at.op, at.right, at.left, at.pos})
		case rk == algebra.Interval:
			return x.addInterval(algebra.AddInterval, l, r, at)
		case lk == algebra.Interval:
			return x.addInterval(algebra.AddInterval, r, l, operands{at.op, at.right, at.left, at.pos})
		}
	case algebra.Sub:
		switch {
		case lk == algebra.Date && rk == algebra.Date:
			return call(algebra.SubDates, algebra.TInt32, at.pos, l, r), nil
		case lk == algebra.Date && small(rk):
			days, err := x.coerce(r, algebra.TInt32, sqltype.Implicit, at.right)
			if err != nil {
				return nil, err
			}
			return x.addDays(l, call(algebra.Neg, algebra.TInt32, at.pos, days), at)
		case rk == algebra.Interval:
			return x.addInterval(algebra.SubInterval, l, r, at)
		case sqltype.IsMoment(lk) && sqltype.IsMoment(rk):
			return x.subTimes(l, r, at)
		}
	case algebra.Mul, algebra.Div:
		return x.scaleInterval(f, l, r, at)
	}
	return nil, noOperator(at.op, l, r, at.pos)
}

// timeLiterals gives an untyped literal beside a date, timestamp or interval
// its type: the other operand's where the operator takes two of it, else the
// only one that it takes.
func (x *exprBinder) timeLiterals(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, algebra.Expr, error) {
	lk, rk := l.Type().Kind, r.Type().Kind
	if lk != algebra.Unknown && rk != algebra.Unknown {
		return l, r, nil
	}
	known := l.Type()
	if lk == algebra.Unknown {
		known = r.Type()
	}
	var typ algebra.Type
	switch {
	case f == algebra.Mul || f == algebra.Div:
		typ = algebra.TFloat64
	case f == algebra.Sub && rk == algebra.Interval:
		typ = algebra.TInterval
	case f == algebra.Sub:
		typ = known
	case known.Kind == algebra.Date:
		return nil, nil, notUnique(at, l, r)
	default:
		typ = algebra.TInterval
	}
	l, err := x.typeUnknown(l, typ, at.left)
	if err != nil {
		return nil, nil, err
	}
	r, err = x.typeUnknown(r, typ, at.right)
	return l, r, err
}

func (x *exprBinder) typeUnknown(e algebra.Expr, typ algebra.Type, pos sql.Pos) (algebra.Expr, error) {
	if e.Type().Kind != algebra.Unknown {
		return e, nil
	}
	return x.coerce(e, typ, sqltype.Implicit, pos)
}

func (x *exprBinder) addDays(date, days algebra.Expr, at operands) (algebra.Expr, error) {
	days, err := x.coerce(days, algebra.TInt32, sqltype.Implicit, at.right)
	if err != nil {
		return nil, err
	}
	return call(algebra.AddDays, algebra.TDate, at.pos, date, days), nil
}

// addInterval adds an interval to a timestamp, a date as the timestamp of its
// midnight, or an interval; or takes it away.
func (x *exprBinder) addInterval(f algebra.Func, l, interval algebra.Expr, at operands) (algebra.Expr, error) {
	switch l.Type().Kind {
	case algebra.Interval, algebra.Timestamp:
	case algebra.TimestampTZ:
		return x.addToMoment(f, l, interval, at.pos), nil
	case algebra.Date:
		var err error
		if l, err = x.coerce(l, algebra.TTimestamp, sqltype.Implicit, at.left); err != nil {
			return nil, err
		}
	default:
		return nil, noOperator(at.op, l, interval, at.pos)
	}
	return call(f, l.Type(), at.pos, l, interval), nil
}

func (x *exprBinder) subTimes(l, r algebra.Expr, at operands) (algebra.Expr, error) {
	typ := algebra.TTimestamp
	zoned := l.Type().Kind == algebra.TimestampTZ || r.Type().Kind == algebra.TimestampTZ
	if zoned {
		typ = algebra.TTimestampTZ
	}
	l, err := x.coerce(l, typ, sqltype.Implicit, at.left)
	if err != nil {
		return nil, err
	}
	if r, err = x.coerce(r, typ, sqltype.Implicit, at.right); err != nil {
		return nil, err
	}
	if zoned {
		l, r = x.asTimestamp(l, at.left), x.asTimestamp(r, at.right)
	}
	return call(algebra.SubTimes, algebra.TInterval, at.pos, l, r), nil
}

// scaleInterval multiplies or divides an interval by a number.
func (x *exprBinder) scaleInterval(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	interval, factor, pos := l, r, at.right
	if f == algebra.Mul && r.Type().Kind == algebra.Interval {
		interval, factor, pos = r, l, at.left
	}
	if interval.Type().Kind != algebra.Interval || !factor.Type().IsNumber() {
		return nil, noOperator(at.op, l, r, at.pos)
	}
	factor, err := x.coerce(factor, algebra.TFloat64, sqltype.Implicit, pos)
	if err != nil {
		return nil, err
	}
	if f == algebra.Div {
		return call(algebra.DivInterval, algebra.TInterval, at.pos, interval, factor), nil
	}
	return call(algebra.MulInterval, algebra.TInterval, at.pos, interval, factor), nil
}
