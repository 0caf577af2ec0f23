package scalar

import (
	"strconv"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// toChar is NULL for an empty pattern.
func toChar(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	return nullIfEmpty(c, args[1], term.Call(algebra.ToChar, algebra.TText, c.Pos, args...))
}

// nullIfEmpty is a text, or NULL where the pattern that it is written by is empty.
func nullIfEmpty(c *expression.CallSite, pattern, written algebra.Expr) algebra.Expr {
	if k, ok := pattern.(*algebra.Const); ok && k.Val.S != "" {
		return written
	}
	some := term.Call(algebra.Ne, algebra.TBool, c.Pos, pattern, term.TextConst(""))
	return &algebra.Case{Whens: []algebra.When{{Cond: some, Then: written}}, Typ: algebra.TText}
}

// sinceToday is age(t): that of midnight today and t.
func sinceToday(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	today := currentDate(c, nil)
	today = convert.Coerce(c.Exprs, today, algebra.TTimestamp, sqltype.Implicit, c.Pos)
	return term.Call(algebra.Age, algebra.TInterval, c.Pos, today, args[0])
}

// fieldOfMoment is extract, date_part or date_trunc of a moment.
func fieldOfMoment(c *expression.CallSite, f algebra.Func, result algebra.Type, name *algebra.Const, moment algebra.Expr) algebra.Expr {
	if f == algebra.DateTrunc {
		return truncMoment(c, name, moment)
	}
	field, err := value.ParseExtractField(name.Val.S, value.TimestampTZType)
	if err != nil {
		panic(value.At(err, int(c.Positions[0])))
	}
	var e algebra.Expr
	switch {
	case field == value.Epoch:
		e = term.Call(f, algebra.TNumeric, c.Pos, name, convert.AsTimestamp(c.Exprs.Binder, moment, c.Pos))
	case field >= value.Zone:
		e = convert.Zoned(c.Exprs.Binder, value.TZExtract, algebra.TNumeric, c.Pos, name, moment)
	default:
		e = term.Call(f, algebra.TNumeric, c.Pos, name, convert.Local(c.Exprs.Binder, moment, c.Pos))
	}
	return convert.Coerce(c.Exprs, e, result, sqltype.Implicit, c.Pos)
}

// truncMoment is date_trunc in the session's zone.
func truncMoment(c *expression.CallSite, name *algebra.Const, e algebra.Expr) algebra.Expr {
	field, err := value.ParseTruncField(name.Val.S, value.TimestampTZType)
	if err != nil {
		panic(value.At(err, int(c.Positions[0])))
	}
	if c.InUTC() || field >= value.Day {
		return convert.Moment(c.Exprs.Binder, term.Call(algebra.DateTrunc, algebra.TTimestamp, c.Pos, name, convert.Local(c.Exprs.Binder, e, c.Pos)), c.Pos)
	}
	return convert.Zoned(c.Exprs.Binder, value.TZTrunc, algebra.TTimestampTZ, c.Pos, name, e)
}

// toCharOfMoment is NULL for an empty pattern.
func toCharOfMoment(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	return nullIfEmpty(c, args[1], convert.Zoned(c.Exprs.Binder, value.TZToChar, algebra.TText, c.Pos, args...))
}

// ageOfMoments is age of what clocks of the session show.
func ageOfMoments(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	return term.Call(algebra.Age, algebra.TInterval, c.Pos, convert.Local(c.Exprs.Binder, args[0], c.Pos), convert.Local(c.Exprs.Binder, args[1], c.Pos))
}

// momentSinceToday is age of the midnight that began today and a moment.
func momentSinceToday(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	return sinceToday(c, []algebra.Expr{convert.Local(c.Exprs.Binder, args[0], c.Pos)})
}

// momentOfText is to_timestamp in the session's zone.
func momentOfText(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	return convert.Zoned(c.Exprs.Binder, value.TZOfText, algebra.TTimestampTZ, c.Pos, args...)
}

// makeMoment is make_timestamptz in the session's zone.
func makeMoment(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	return convert.Zoned(c.Exprs.Binder, value.TZOfParts, algebra.TTimestampTZ, c.Pos, args...)
}

// constMoment is a moment that is known.
func constMoment(at time.Time) algebra.Expr {
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: at.UnixMicro()}, Typ: algebra.TTimestampTZ}
}

// transactionTimestamp is now(): when the transaction began.
func transactionTimestamp(c *expression.CallSite, _ []algebra.Expr) algebra.Expr {
	return constMoment(convert.Now(c.Exprs.Binder))
}

// statementTimestamp is when the statement began.
func statementTimestamp(c *expression.CallSite, _ []algebra.Expr) algebra.Expr {
	if c.Opts.Statement.IsZero() {
		return transactionTimestamp(c, nil)
	}
	c.Momentary = true
	return constMoment(c.Opts.Statement)
}

// clockTimestamp is the time at which the statement is planned.
func clockTimestamp(c *expression.CallSite, _ []algebra.Expr) algebra.Expr {
	c.Momentary = true
	return constMoment(time.Now())
}

// localTimestamp is now() as clocks of the session show it.
func localTimestamp(c *expression.CallSite, _ []algebra.Expr) algebra.Expr {
	return convert.Local(c.Exprs.Binder, constMoment(convert.Now(c.Exprs.Binder)), c.Pos)
}

// localTime is the time of day of localtimestamp.
func localTime(c *expression.CallSite, _ []algebra.Expr) algebra.Expr {
	return c.Folded(convert.Coerce(c.Exprs, localTimestamp(c, nil), algebra.TTime, sqltype.Assignment, c.Pos))
}

// currentDate is the day of now() in the session's zone.
func currentDate(c *expression.CallSite, _ []algebra.Expr) algebra.Expr {
	return convert.Coerce(c.Exprs, constMoment(convert.Now(c.Exprs.Binder)), algebra.TDate, sqltype.Assignment, c.Pos)
}

// clockTypes are those of CURRENT_TIMESTAMP and its kin.
var clockTypes = map[string]string{
	"current_timestamp": "timestamp with time zone", "localtimestamp": "timestamp without time zone", "localtime": "time without time zone",
}

// Rounded is CURRENT_TIMESTAMP or one of its kin with so many digits of a second.
func Rounded(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	digits, ok := e.Args[0].(*sql.Literal)
	if !ok || digits.Kind != sql.IntegerLiteral || len(e.Args) > 1 {
		panic(term.NoFunction(name, nil, e.Pos))
	}
	n, err := strconv.ParseInt(digits.Text, 10, 32)
	if err != nil {
		panic(value.ErrorAt(int(digits.Pos), value.CodeInvalidParameter, "the precision %s is out of range", digits.Text))
	}
	clock := *e
	clock.Args = nil
	return x.Expr(&sql.Cast{X: &clock, Type: sql.TypeName{Name: clockTypes[name], Args: []int{int(n)}, Pos: digits.Pos}, Pos: e.Pos})
}
