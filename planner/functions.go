package planner

import (
	"math"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/value"
)

// make binds a call to a signature, to whose parameters the arguments are converted.
func (c *callSite) make(sig *function.Signature, args []algebra.Expr) (algebra.Expr, error) {
	switch of := sig.Of.(type) {
	case function.Operation:
		return c.operation(sig, of, args)
	case function.Code:
		return codes[of](c, args)
	case function.SQL:
		return c.sqlText(c.name, string(of), args, c.pos)
	}
	return nil, value.Errorf(value.CodeInternal, "function %s is made of nothing", c.name)
}

// codes make what no single operation is.
var codes = map[function.Code]func(c *callSite, args []algebra.Expr) (algebra.Expr, error){
	"abs of real":           absOfReal,
	"pi":                    func(*callSite, []algebra.Expr) (algebra.Expr, error) { return floatConst(math.Pi), nil },
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
	"current date":          currentDate,
}

// operation is a call of an operation with the type that its rule says. Exact numbers
// become Numeric where no rule keeps track of their digits.
func (c *callSite) operation(sig *function.Signature, of function.Operation, args []algebra.Expr) (algebra.Expr, error) {
	switch of.Result {
	case function.OfArgument:
		return call(of.Func, args[0].Type(), c.pos, args[0]), nil
	case function.Whole:
		return call(of.Func, wholeType(args[0].Type()), c.pos, args[0]), nil
	case function.ToDigits:
		return c.toDigits(of.Func, args)
	case function.Arithmetic:
		return c.numbers(of.Func, args[0], args[1], operands{c.name, c.positions[0], c.positions[1], c.pos})
	case function.OfField:
		return c.ofField(of.Func, function.TypeOf(sig.Result), args)
	}
	for i, kind := range sig.Kinds() {
		if kind != algebra.Numeric {
			continue
		}
		var err error
		if args[i], err = c.exact(args[i]); err != nil {
			return nil, err
		}
	}
	for _, text := range of.Rest {
		args = append(args, textConst(text))
	}
	return call(of.Func, function.TypeOf(sig.Result), c.pos, args...), nil
}

// toChar is NULL for an empty pattern.
func toChar(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	return nullIfEmpty(c, args[1], call(algebra.ToChar, algebra.TText, c.pos, args...)), nil
}

// nullIfEmpty is a text, or NULL where the pattern that it is written by is empty.
func nullIfEmpty(c *callSite, pattern, written algebra.Expr) algebra.Expr {
	if k, ok := pattern.(*algebra.Const); ok && k.Val.S != "" {
		return written
	}
	some := call(algebra.Ne, algebra.TBool, c.pos, pattern, textConst(""))
	return &algebra.Case{Whens: []algebra.When{{Cond: some, Then: written}}, Typ: algebra.TText}
}

// sinceToday is age(t): that of midnight today and t.
func sinceToday(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	today, err := currentDate(c, nil)
	if err != nil {
		return nil, err
	}
	if today, err = c.coerce(today, algebra.TTimestamp, sqltype.Implicit, c.pos); err != nil {
		return nil, err
	}
	return call(algebra.Age, algebra.TInterval, c.pos, today, args[0]), nil
}

// exact converts an exact number to Numeric.
func (c *callSite) exact(e algebra.Expr) (algebra.Expr, error) {
	return c.coerce(e, algebra.TNumeric, sqltype.Implicit, c.pos)
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
func (c *callSite) toDigits(f algebra.Func, args []algebra.Expr) (algebra.Expr, error) {
	typ := args[0].Type()
	digits, ok := args[1].(*algebra.Const)
	if typ.Kind == algebra.Decimal && ok && digits.Val.Kind == value.Int {
		scale := min(max(digits.Val.I, 0), sqltype.MaxPrecision)
		if whole := int64(typ.Precision-typ.Scale) + 1; whole+scale <= sqltype.MaxPrecision {
			typ = algebra.TDecimal(uint8(whole+scale), uint8(scale))
			return call(f, typ, c.pos, args...), nil
		}
	}
	arg, err := c.exact(args[0])
	if err != nil {
		return nil, err
	}
	to := f
	switch {
	case ok:
	case f == algebra.Round:
		to = value.RoundTo
	default:
		to = value.TruncTo
	}
	return call(to, algebra.TNumeric, c.pos, arg, args[1]), nil
}

// ofField is extract, date_part or date_trunc of a field's name, which must be constant,
// and a date, timestamp or interval.
func (c *callSite) ofField(f algebra.Func, result algebra.Type, args []algebra.Expr) (algebra.Expr, error) {
	name, ok := args[0].(*algebra.Const)
	if !ok || name.Val.Kind != value.Text {
		return nil, notSupported(c.pos, c.name+" of a field that is not constant is")
	}
	if args[1].Type().Kind == algebra.TimestampTZ {
		return c.fieldOfMoment(f, result, name, args[1])
	}
	parse := value.ParseExtractField
	if f == algebra.DateTrunc {
		parse = value.ParseTruncField
	}
	if _, err := parse(name.Val.S, sqltype.Name(args[1].Type())); err != nil {
		return nil, value.At(err, int(c.positions[0]))
	}
	if f == algebra.Extract && result.Kind == algebra.Float64 {
		return c.coerce(call(f, algebra.TNumeric, c.pos, args...), result, sqltype.Implicit, c.pos)
	}
	return call(f, result, c.pos, args...), nil
}

// resolve finds the overload that PostgreSQL would and binds the call to it.
func (c *callSite) resolve(args []algebra.Expr) (algebra.Expr, error) {
	f := function.Find(function.Scalar, c.name)
	if f == nil || f.OfSession || len(f.Signatures) == 0 {
		if bound, err := c.sqlFunction(c.name, args, c.pos); bound != nil || err != nil {
			return bound, err
		}
		if f == nil || len(f.Signatures) == 0 {
			return c.typeCast(args)
		}
	}
	best, err := c.choose(f.Signatures, args)
	if err != nil {
		return nil, err
	}
	return c.make(best, args)
}

// typeCast is a call of a function that has the name of a type, which converts
// to it.
func (c *callSite) typeCast(args []algebra.Expr) (algebra.Expr, error) {
	to, ok := sqltype.Named(c.name)
	if !ok || len(args) != 1 || strings.Contains(c.name, "char") {
		return nil, noFunction(c.name, args, c.pos)
	}
	if sqltype.CastNeeds(args[0].Type().Kind, to.Kind) == sqltype.NoCast {
		return nil, noFunction(c.name, args, c.pos)
	}
	return c.coerce(args[0], to, sqltype.Explicit, c.pos)
}
