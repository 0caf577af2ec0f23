package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// timeArithmetic binds + - * and / of dates, timestamps, times and intervals.
func timeArithmetic(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	l, r = timeLiterals(x, f, l, r, at)
	if l.Type().Kind == algebra.Time || r.Type().Kind == algebra.Time {
		var bound algebra.Expr
		if bound, l, r = clockArithmetic(x, f, l, r, at); bound != nil {
			return bound
		}
	}
	lk, rk := l.Type().Kind, r.Type().Kind
	small := func(k algebra.Kind) bool { return k == algebra.Int16 || k == algebra.Int32 }
	switch f {
	case algebra.Add:
		switch {
		case lk == algebra.Date && small(rk):
			return addDays(x, l, r, at)
		case small(lk) && rk == algebra.Date:
			return addDays(x, r, l, term.Operands{Op: at.Op, Left: at.Right, Right: at.Left, Pos: at.Pos})
		case rk == algebra.Interval:
			return addInterval(x, algebra.AddInterval, l, r, at)
		case lk == algebra.Interval:
			return addInterval(x, algebra.AddInterval, r, l, term.Operands{Op: at.Op, Left: at.Right, Right: at.Left, Pos: at.Pos})
		}
	case algebra.Sub:
		switch {
		case lk == algebra.Date && rk == algebra.Date:
			return term.Call(algebra.SubDates, algebra.TInt32, at.Pos, l, r)
		case lk == algebra.Date && small(rk):
			days := convert.Coerce(x, r, algebra.TInt32, sqltype.Implicit, at.Right)
			return addDays(x, l, term.Call(algebra.Neg, algebra.TInt32, at.Pos, days), at)
		case rk == algebra.Interval:
			return addInterval(x, algebra.SubInterval, l, r, at)
		case sqltype.IsMoment(lk) && sqltype.IsMoment(rk):
			return subTimes(x, l, r, at)
		}
	case algebra.Mul, algebra.Div:
		return scaleInterval(x, f, l, r, at)
	}
	panic(term.NoOperator(at.Op, l, r, at.Pos))
}

// timeLiterals converts an untyped literal beside a date, timestamp or interval to the
// type that it stands for: the other operand's where the operator takes two of it, else the
// only one that it takes.
func timeLiterals(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) (algebra.Expr, algebra.Expr) {
	lk, rk := l.Type().Kind, r.Type().Kind
	if lk != algebra.Unknown && rk != algebra.Unknown {
		return l, r
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
		panic(term.NotUnique(at, l, r))
	default:
		typ = algebra.TInterval
	}
	l = typeUnknown(x, l, typ, at.Left)
	r = typeUnknown(x, r, typ, at.Right)
	return l, r
}

func typeUnknown(x *scope.Exprs, e algebra.Expr, typ algebra.Type, pos sql.Pos) algebra.Expr {
	if e.Type().Kind != algebra.Unknown {
		return e
	}
	return convert.Coerce(x, e, typ, sqltype.Implicit, pos)
}

func addDays(x *scope.Exprs, date, days algebra.Expr, at term.Operands) algebra.Expr {
	days = convert.Coerce(x, days, algebra.TInt32, sqltype.Implicit, at.Right)
	return term.Call(algebra.AddDays, algebra.TDate, at.Pos, date, days)
}

// addInterval adds an interval to a timestamp, a date as the timestamp of its
// midnight, or an interval; or takes it away.
func addInterval(x *scope.Exprs, f algebra.Func, l, interval algebra.Expr, at term.Operands) algebra.Expr {
	switch l.Type().Kind {
	case algebra.Interval, algebra.Timestamp:
	case algebra.TimestampTZ:
		return addToMoment(x, f, l, interval, at.Pos)
	case algebra.Date:
		l = convert.Coerce(x, l, algebra.TTimestamp, sqltype.Implicit, at.Left)
	default:
		panic(term.NoOperator(at.Op, l, interval, at.Pos))
	}
	return term.Call(f, l.Type().Plain(), at.Pos, l, interval)
}

func subTimes(x *scope.Exprs, l, r algebra.Expr, at term.Operands) algebra.Expr {
	typ := algebra.TTimestamp
	zoned := l.Type().Kind == algebra.TimestampTZ || r.Type().Kind == algebra.TimestampTZ
	if zoned {
		typ = algebra.TTimestampTZ
	}
	l = convert.Coerce(x, l, typ, sqltype.Implicit, at.Left)
	r = convert.Coerce(x, r, typ, sqltype.Implicit, at.Right)
	if zoned {
		l, r = convert.AsTimestamp(x.Binder, l, at.Left), convert.AsTimestamp(x.Binder, r, at.Right)
	}
	return term.Call(algebra.SubTimes, algebra.TInterval, at.Pos, l, r)
}

// scaleInterval multiplies or divides an interval by a number.
func scaleInterval(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	interval, factor, pos := l, r, at.Right
	if f == algebra.Mul && r.Type().Kind == algebra.Interval {
		interval, factor, pos = r, l, at.Left
	}
	if interval.Type().Kind != algebra.Interval || !factor.Type().IsNumber() {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	factor = convert.Coerce(x, factor, algebra.TFloat64, sqltype.Implicit, pos)
	if f == algebra.Div {
		return term.Call(algebra.DivInterval, algebra.TInterval, at.Pos, interval, factor)
	}
	return term.Call(algebra.MulInterval, algebra.TInterval, at.Pos, interval, factor)
}

// addToMoment adds an interval to a moment, or takes it away.
func addToMoment(x *scope.Exprs, f algebra.Func, l, interval algebra.Expr, pos sql.Pos) algebra.Expr {
	if x.InUTC() {
		return convert.AsMoment(x.Binder, term.Call(f, algebra.TTimestamp, pos, convert.AsTimestamp(x.Binder, l, pos), interval), pos)
	}
	routine := algebra.Func(value.TZAdd)
	if f == algebra.SubInterval {
		routine = value.TZSub
	}
	return convert.Zoned(x.Binder, routine, algebra.TTimestampTZ, pos, l, interval)
}
