package convert

import (
	"errors"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

func IsTime(t algebra.Type) bool {
	return sqltype.IsMoment(t.Kind) || t.Kind == algebra.Interval || t.Kind == algebra.Time
}

// Zoned is a call of a routine in the session's zone.
func Zoned(b *scope.Binder, f algebra.Func, typ algebra.Type, pos sql.Pos, args ...algebra.Expr) algebra.Expr {
	return b.Folded(term.Call(f, typ, pos, append(args, term.TextConst(b.Zone().String()))...))
}

// AsTimestamp takes the number of a moment for a timestamp in UTC. Where asMoment has made
// it of one, both casts stay until groups are bound, whose keys are found by what they
// look like (rewrite.foldCast).
func AsTimestamp(b *scope.Binder, e algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.Folded(term.Call(algebra.Cast, algebra.TTimestamp, pos, e))
}

// AsMoment is the inverse of asTimestamp.
func AsMoment(b *scope.Binder, e algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.Folded(term.Call(algebra.Cast, algebra.TTimestampTZ, pos, e))
}

// Local is the time that clocks of the session show at a moment.
func Local(b *scope.Binder, e algebra.Expr, pos sql.Pos) algebra.Expr {
	if b.InUTC() {
		return AsTimestamp(b, e, pos)
	}
	return Zoned(b, value.ToLocal, algebra.TTimestamp, pos, e)
}

// Moment is when clocks of the session show a time.
func Moment(b *scope.Binder, e algebra.Expr, pos sql.Pos) algebra.Expr {
	if b.InUTC() {
		return AsMoment(b, e, pos)
	}
	return Zoned(b, value.FromLocal, algebra.TTimestampTZ, pos, e)
}

// ParseLiteral reads an untyped or typed literal as a type.
func ParseLiteral(b *scope.Binder, text string, to algebra.Type, field string, assigning bool) (value.Value, error) {
	if v, ok := specialTime(b, text, to); ok {
		return v, nil
	}
	if dated := withDay(b, text, to); dated != text {
		v, err := ParseLiteral(b, dated, to, field, assigning)
		var e *value.Error
		if errors.As(err, &e) {
			e.Message = strings.Replace(e.Message, dated, text, 1)
		}
		return v, err
	}
	style := b.Opts.Style
	switch {
	case to.Kind == algebra.Array:
		array, err := value.ParseArray(b.Opts.Meter, text, ShownElement(b, to), !assigning)
		return value.Value{Kind: value.Text, S: array}, err
	case to.Kind == algebra.TimestampTZ, to.Kind == algebra.Date && style.Order != value.MDY, to.Kind == algebra.Timestamp && style.Order != value.MDY:
		return ShownElement(b, algebra.TArray(to)).Parse(text, false)
	case to.Kind == algebra.Interval && style.Interval == value.SQLIntervals:
		iv, err := style.ParseInterval(text, field)
		return value.Value{Kind: value.Intervals, Interval: iv}, err
	case field != "":
		return eval.ParseField(b.Opts.Meter, text, to, field)
	}
	return eval.Parse(b.Opts.Meter, text, to, assigning)
}
