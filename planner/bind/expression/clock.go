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

// clockArithmetic binds + and - of times of day with each other and with intervals. In all
// else they are intervals: it gives nil, and the operands as such.
func clockArithmetic(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) (bound, left, right algebra.Expr) {
	add := func(clock, interval algebra.Expr) algebra.Expr {
		shift := convert.OfInterval(interval, f == algebra.Sub, at.Pos)
		return x.Folded(convert.OfDay(term.Call(algebra.Add, algebra.TInt64, at.Pos, convert.Micros(clock, at.Pos), shift), at.Pos))
	}
	lk, rk := l.Type().Kind, r.Type().Kind
	sums := f == algebra.Add || f == algebra.Sub
	switch {
	case lk == algebra.Time && rk == algebra.Time && f == algebra.Add:
		panic(term.NotUnique(at, l, r))
	case lk == algebra.Time && rk == algebra.Time && f == algebra.Sub:
		micros := term.Call(algebra.Sub, algebra.TInt64, at.Pos, convert.Micros(l, at.Left), convert.Micros(r, at.Right))
		return x.Folded(convert.IntervalOf(micros, at.Pos)), nil, nil
	case lk == algebra.Time && rk == algebra.Interval && sums:
		return add(l, r), nil, nil
	case lk == algebra.Interval && rk == algebra.Time && f == algebra.Add:
		return add(r, l), nil, nil
	case f == algebra.Sub && lk == algebra.Time,
		sums && !isSpanOrMoment(lk) && !isSpanOrMoment(rk),
		!sums && (f != algebra.Mul && (f != algebra.Div || rk == algebra.Time) || !l.Type().IsNumber() && !r.Type().IsNumber()):
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	return nil, asSpan(x, l, r.Type().Kind, at.Left), asSpan(x, r, l.Type().Kind, at.Right)
}

func isSpanOrMoment(k algebra.Kind) bool { return k == algebra.Interval || sqltype.IsMoment(k) }

// asSpan is a time of day as an interval beside another operand. What is added to a
// timestamp may have a day for 24 hours, and is one that a device makes.
func asSpan(x *scope.Exprs, e algebra.Expr, beside algebra.Kind, pos sql.Pos) algebra.Expr {
	switch {
	case e.Type().Kind != algebra.Time:
		return e
	case beside != algebra.Date && beside != algebra.Timestamp:
		return convert.Coerce(x, e, algebra.TInterval, sqltype.Implicit, pos)
	}
	midnight := &algebra.Const{Val: value.Value{Kind: value.Int}, Typ: algebra.TTimestamp}
	moment := term.Call(algebra.Cast, algebra.TTimestamp, pos, convert.Micros(e, pos))
	return x.Folded(term.Call(algebra.SubTimes, algebra.TInterval, pos, moment, midnight))
}

// ClockField is a field of a time of day. It has an hour of 24.
func ClockField(x *scope.Exprs, f value.Field, clock algebra.Expr, pos sql.Pos) algebra.Expr {
	const minute, hour = 60_000_000, 3600_000_000
	call := func(f algebra.Func, e algebra.Expr, n int64) algebra.Expr {
		return term.Call(f, algebra.TInt64, pos, e, term.Int64Value(n))
	}
	micros := convert.Micros(clock, pos)
	ofMinute := call(algebra.Mod, micros, minute)
	scaled := func(e algebra.Expr, digits uint8) algebra.Expr {
		unit := value.Num{Coef: value.Int128Of(1), Scale: digits}
		fraction := &algebra.Const{Val: value.Value{Kind: value.Decimal, Num: unit}, Typ: algebra.TDecimal(digits, digits)}
		return Numbers(x, algebra.Mul, e, fraction, term.Operands{Op: "*", Left: pos, Right: pos, Pos: pos})
	}
	switch f {
	case value.Hour:
		return call(algebra.Div, micros, hour)
	case value.Minute:
		return call(algebra.Mod, call(algebra.Div, micros, minute), 60)
	case value.Microseconds:
		return ofMinute
	case value.Milliseconds:
		return scaled(ofMinute, 3)
	case value.Second:
		return scaled(ofMinute, 6)
	}
	return scaled(micros, 6)
}
