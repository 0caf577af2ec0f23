package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Kernels know a time of day as the number of its microseconds: what computes with it is
// arithmetic of integers.

// day is the number of microseconds of a day.
func day() *algebra.Const { return term.Int64Value(value.MaxTime) }

// Micros is the number that a time of day or a timestamp is held as.
func Micros(e algebra.Expr, pos sql.Pos) algebra.Expr {
	return term.Call(algebra.Cast, algebra.TInt64, pos, e)
}

// OfDay is the time of day that a number of microseconds ends at; it is not negative.
func OfDay(micros algebra.Expr, pos sql.Pos) algebra.Expr {
	return term.Call(algebra.Cast, algebra.TTime, pos, term.Call(algebra.Mod, algebra.TInt64, pos, micros, day()))
}

// OfInterval are the microseconds of the day that an interval ends at, counted backwards
// where it is taken away.
func OfInterval(interval algebra.Expr, away bool, pos sql.Pos) algebra.Expr {
	micros := term.Call(value.ClockOfInterval, algebra.TInt64, pos, interval)
	if away {
		return term.Call(algebra.Sub, algebra.TInt64, pos, day(), micros)
	}
	return micros
}

// IntervalOf is an interval of so many microseconds.
func IntervalOf(micros algebra.Expr, pos sql.Pos) algebra.Expr {
	return term.Call(value.IntervalOfMicros, algebra.TInterval, pos, micros)
}

// clockConversion converts between a time of day and what is no text.
func clockConversion(e algebra.Expr, to algebra.Type, pos sql.Pos) algebra.Expr {
	switch e.Type().Kind {
	case algebra.Time:
		return IntervalOf(Micros(e, pos), pos)
	case algebra.Interval:
		return OfDay(OfInterval(e, false, pos), pos)
	}
	rest := term.Call(algebra.Mod, algebra.TInt64, pos, Micros(e, pos), day())
	clock := OfDay(term.Call(algebra.Add, algebra.TInt64, pos, rest, day()), pos)
	return &algebra.Case{Whens: []algebra.When{{Cond: isFinite(e, pos), Then: clock}}, Typ: algebra.TTime}
}

// isFinite excludes the timestamps that are infinite.
func isFinite(e algebra.Expr, pos sql.Pos) algebra.Expr {
	infinity := func(micros int64) algebra.Expr {
		return &algebra.Const{Val: value.Value{Kind: value.Int, I: micros}, Typ: e.Type()}
	}
	infinite := term.Call(algebra.In, algebra.TBool, pos, e, infinity(value.MinusInfinity), infinity(value.Infinity))
	return term.Call(algebra.Not, algebra.TBool, pos, infinite)
}
