package convert

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Casts between texts and dates, timestamps or intervals, and from floats to texts, are routines
// whose last argument is the style where the session's style is not that of plain casts.

// styleConst is the session's style as the argument of a routine.
func styleConst(b *scope.Binder) algebra.Expr { return term.TextConst(b.Opts.Style.String()) }

// styled converts between a text and a date, timestamp or interval, or from a float to a
// text, in the session's style; nil where a plain cast does the same.
func styled(x *scope.Exprs, e algebra.Expr, to algebra.Type, pos sql.Pos) algebra.Expr {
	from, style := e.Type(), x.Opts.Style
	call := func(f algebra.Func, typ algebra.Type) algebra.Expr {
		return x.Folded(term.Call(f, typ, pos, e, styleConst(x.Binder)))
	}
	reads, writes := from.Kind == algebra.Text && style.Order != value.MDY, to.Kind == algebra.Text && style.Format != value.ISODates
	switch {
	case reads && to.Kind == algebra.Date:
		return call(value.StyledDate, algebra.TDate)
	case reads && to.Kind == algebra.Timestamp:
		return call(value.StyledTimestamp, algebra.TTimestamp)
	case from.Kind == algebra.Text && to.Kind == algebra.Interval && style.Interval == value.SQLIntervals:
		return call(value.StyledInterval, algebra.TInterval)
	case writes && from.Kind == algebra.Date:
		return call(value.StyledDateText, algebra.TText)
	case writes && from.Kind == algebra.Timestamp:
		return call(value.StyledTimestampText, algebra.TText)
	case to.Kind == algebra.Text && from.Kind == algebra.Interval && style.Interval != value.PostgresIntervals:
		return call(value.StyledIntervalText, algebra.TText)
	case to.Kind == algebra.Text && from.Kind == algebra.Float64 && style.Floats != 0:
		return call(value.StyledFloatText, algebra.TText)
	case to.Kind == algebra.Text && from.Kind == algebra.Float32 && style.Floats != 0:
		return call(value.StyledRealText, algebra.TText)
	}
	return nil
}

// ShownElement is how the session reads and writes the elements of an array.
func ShownElement(b *scope.Binder, array algebra.Type) value.Shown {
	return algebra.ShownElement(array, b.Opts.Style, b.Zone())
}

// shownArray converts between an array and a text, or another array, where the session shows
// elements of one of them otherwise than they are kept; nil where a plain cast does the same.
func shownArray(x *scope.Exprs, e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	differs := func(t algebra.Type) bool {
		return t.Kind == algebra.Array && ShownElement(x.Binder, t).Differs()
	}
	from := e.Type()
	if !differs(from) && !differs(to) {
		return nil
	}
	session := []algebra.Expr{styleConst(x.Binder), term.TextConst(x.Zone().String())}
	call := func(f algebra.Func, typ algebra.Type, args ...algebra.Expr) algebra.Expr {
		return x.Folded(term.Call(f, typ, pos, append(args, session...)...))
	}
	switch {
	case from.Kind != algebra.Array:
		return call(value.ArrayIn, to, ElementText(to), e)
	case to.Kind != algebra.Array:
		return call(value.ArrayShown, algebra.TText, ElementText(from), e)
	case how == sqltype.Explicit:
		return call(value.ArrayCast, to, ElementText(from), ElementText(to), e)
	}
	return call(value.ArrayAssign, to, ElementText(from), ElementText(to), e)
}
