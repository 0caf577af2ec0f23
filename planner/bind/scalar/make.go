// Package scalar binds calls of functions that give one value for each row, and finds the
// overload that PostgreSQL would.
package scalar

import (
	"math"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// absOfReal is the one function of reals that returns a real.
func absOfReal(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	return convert.OnReal(args[0], c.Pos, func(e algebra.Expr) algebra.Expr { return term.Call(algebra.Abs, e.Type(), c.Pos, e) })
}

// makeCall binds a call to a signature, to whose parameters the arguments are converted.
func makeCall(c *expression.CallSite, sig *function.Signature, args []algebra.Expr) algebra.Expr {
	switch of := sig.Of.(type) {
	case function.Operation:
		return operation(c, sig, of, args)
	case function.Code:
		return Codes[of](c, args)
	case function.SQL:
		return c.SQLText(c.Name, string(of), args, c.Pos)
	}
	panic(value.Errorf(value.CodeInternal, "function %s is made of nothing", c.Name))
}

// Codes make what no single operation is.
var Codes = map[function.Code]func(c *expression.CallSite, args []algebra.Expr) algebra.Expr{
	"abs of real":           absOfReal,
	"pi":                    func(*expression.CallSite, []algebra.Expr) algebra.Expr { return term.FloatConst(math.Pi) },
	"to_char of timestamp":  toChar,
	"to_char of moment":     toCharOfMoment,
	"to_timestamp":          momentOfText,
	"make_timestamptz":      makeMoment,
	"age today":             sinceToday,
	"age of moments":        ageOfMoments,
	"age today of a moment": momentSinceToday,
	"transaction timestamp": transactionTimestamp,
	"statement timestamp":   statementTimestamp,
	"clock timestamp":       clockTimestamp,
	"local timestamp":       localTimestamp,
	"local time":            localTime,
	"current date":          currentDate,
}

// operation is a call of an operation with the type that its rule says. Exact numbers
// become Numeric where no rule keeps track of their digits.
func operation(c *expression.CallSite, sig *function.Signature, of function.Operation, args []algebra.Expr) algebra.Expr {
	switch of.Result {
	case function.OfArgument:
		return term.Call(of.Func, args[0].Type(), c.Pos, args[0])
	case function.Whole:
		return term.Call(of.Func, wholeType(args[0].Type()), c.Pos, args[0])
	case function.ToDigits:
		return toDigits(c, of.Func, args)
	case function.Arithmetic:
		return expression.Numbers(c.Exprs, of.Func, args[0], args[1], term.Operands{Op: c.Name, Left: c.Positions[0], Right: c.Positions[1], Pos: c.Pos})
	case function.OfField:
		return ofField(c, of.Func, function.TypeOf(sig.Result), args)
	}
	for i, kind := range sig.Kinds() {
		if kind != algebra.Numeric {
			continue
		}
		args[i] = exact(c, args[i])
	}
	for _, text := range of.Rest {
		args = append(args, term.TextConst(text))
	}
	return term.Call(of.Func, function.TypeOf(sig.Result), c.Pos, args...)
}

// exact converts an exact number to Numeric.
func exact(c *expression.CallSite, e algebra.Expr) algebra.Expr {
	return convert.Coerce(c.Exprs, e, algebra.TNumeric, sqltype.Implicit, c.Pos)
}

// wholeType is the type of the whole numbers that exact numbers are rounded to.
func wholeType(typ algebra.Type) algebra.Type {
	if typ.Kind != algebra.Decimal {
		return typ
	}
	whole := int(typ.Precision-typ.Scale) + 1
	return algebra.TDecimal(uint8(min(whole, sqltype.MaxPrecision)), 0)
}

// toDigits is round or trunc to a number of digits: the scale of the result is known
// where that is a constant.
func toDigits(c *expression.CallSite, f algebra.Func, args []algebra.Expr) algebra.Expr {
	typ := args[0].Type()
	digits, ok := args[1].(*algebra.Const)
	if typ.Kind == algebra.Decimal && ok && digits.Val.Kind == value.Int {
		scale := min(max(digits.Val.I, 0), sqltype.MaxPrecision)
		if whole := int64(typ.Precision-typ.Scale) + 1; whole+scale <= sqltype.MaxPrecision {
			typ = algebra.TDecimal(uint8(whole+scale), uint8(scale))
			return term.Call(f, typ, c.Pos, args...)
		}
	}
	arg := exact(c, args[0])
	to := f
	switch {
	case ok:
	case f == algebra.Round:
		to = value.RoundTo
	default:
		to = value.TruncTo
	}
	return term.Call(to, algebra.TNumeric, c.Pos, arg, args[1])
}

// ofField is extract, date_part or date_trunc of a field's name, and a date, timestamp or interval.
func ofField(c *expression.CallSite, f algebra.Func, result algebra.Type, args []algebra.Expr) algebra.Expr {
	name, ok := args[0].(*algebra.Const)
	if !ok || name.Val.Kind != value.Text {
		return ofAnyField(c, f, result, args)
	}
	if args[1].Type().Kind == algebra.TimestampTZ {
		return fieldOfMoment(c, f, result, name, args[1])
	}
	parse := value.ParseExtractField
	if f == algebra.DateTrunc {
		parse = value.ParseTruncField
	}
	if _, err := parse(name.Val.S, sqltype.Name(args[1].Type())); err != nil {
		panic(value.At(err, int(c.Positions[0])))
	}
	if args[1].Type().Kind == algebra.Time {
		field := sqlstate.Must(value.ParseExtractField(name.Val.S, value.TimeType))
		return convert.Coerce(c.Exprs, expression.ClockField(c.Exprs, field, args[1], c.Pos), result, sqltype.Implicit, c.Pos)
	}
	if f == algebra.Extract && result.Kind == algebra.Float64 {
		return convert.Coerce(c.Exprs, term.Call(f, algebra.TNumeric, c.Pos, args...), result, sqltype.Implicit, c.Pos)
	}
	return term.Call(f, result, c.Pos, args...)
}

// ofAnyField is ofField of a name that is not constant.
func ofAnyField(c *expression.CallSite, f algebra.Func, result algebra.Type, args []algebra.Expr) algebra.Expr {
	moment := args[1].Type().Kind == algebra.TimestampTZ
	switch {
	case f == algebra.DateTrunc && moment:
		return convert.Zoned(c.Exprs.Binder, value.TZTrunc, result, c.Pos, args...)
	case result.Kind == algebra.Float64 && args[1].Type().Kind == algebra.Date: // which date_part takes for its midnight
		args = []algebra.Expr{args[0], convert.Coerce(c.Exprs, args[1], algebra.TTimestamp, sqltype.Implicit, c.Pos)}
	case f == algebra.DateTrunc:
		return term.Call(value.TruncToField, result, c.Pos, args...)
	}
	var field algebra.Expr = term.Call(value.FieldOf, algebra.TNumeric, c.Pos, args...)
	if moment {
		field = convert.Zoned(c.Exprs.Binder, value.TZExtract, algebra.TNumeric, c.Pos, args...)
	}
	return convert.Coerce(c.Exprs, field, result, sqltype.Implicit, c.Pos)
}

// Resolve finds the overload that PostgreSQL would and binds the call to it.
func Resolve(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	f := function.Find(function.Scalar, c.Name)
	if f == nil || f.OfSession || len(f.Signatures) == 0 {
		if bound := c.SQLFunction(c.Name, args, c.Pos); bound != nil {
			return bound
		}
		if f == nil || len(f.Signatures) == 0 {
			return typeCast(c, args)
		}
	}
	return makeCall(c, Choose(c, f.Signatures, args), args)
}

// typeCast is a call of a function that has the name of a type, which converts
// to it.
func typeCast(c *expression.CallSite, args []algebra.Expr) algebra.Expr {
	to, ok := sqltype.Named(c.Name)
	if !ok || len(args) != 1 || strings.Contains(c.Name, "char") {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	if sqltype.CastNeeds(args[0].Type().Kind, to.Kind) == sqltype.NoCast {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	return convert.Coerce(c.Exprs, args[0], to, sqltype.Explicit, c.Pos)
}
