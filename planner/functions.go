package planner

import (
	"math"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// functions are the scalar functions by name, each with its overloads. Those
// whose arguments are evaluated conditionally are in bind_case.go.
var functions = map[string][]overload{
	"abs": {
		same(algebra.Abs, algebra.Int16), same(algebra.Abs, algebra.Int32), same(algebra.Abs, algebra.Int64),
		same(algebra.Abs, algebra.Numeric), absOfReal, same(algebra.Abs, algebra.Float64),
	},
	"round":   {rounded(algebra.Round), same(algebra.Round, algebra.Float64), roundedTo(algebra.Round)},
	"trunc":   {rounded(algebra.Trunc), same(algebra.Trunc, algebra.Float64), roundedTo(algebra.Trunc)},
	"floor":   {rounded(algebra.Floor), same(algebra.Floor, algebra.Float64)},
	"ceil":    {rounded(algebra.Ceil), same(algebra.Ceil, algebra.Float64)},
	"ceiling": {rounded(algebra.Ceil), same(algebra.Ceil, algebra.Float64)},
	"sign":    {rounded(algebra.Sign), same(algebra.Sign, algebra.Float64)},
	"mod": {
		operator(algebra.Mod, algebra.Int16), operator(algebra.Mod, algebra.Int32),
		operator(algebra.Mod, algebra.Int64), operator(algebra.Mod, algebra.Numeric),
	},
	"div":   {wholeQuotient},
	"power": {operator(algebra.Power, algebra.Float64), operator(algebra.Power, algebra.Numeric)},
	"pow":   {operator(algebra.Power, algebra.Float64), operator(algebra.Power, algebra.Numeric)},
	"sqrt":  {inexact(algebra.Sqrt), same(algebra.Sqrt, algebra.Float64)},
	"ln":    {inexact(algebra.Ln), same(algebra.Ln, algebra.Float64)},
	"log":   {inexact(algebra.Log10), same(algebra.Log10, algebra.Float64), routineOverloads(value.Logarithm)[0]},
	"log10": {inexact(algebra.Log10), same(algebra.Log10, algebra.Float64)},
	"exp":   {inexact(algebra.Exp), same(algebra.Exp, algebra.Float64)},
	"pi":    {{make: func(*callSite, []algebra.Expr) (algebra.Expr, error) { return floatConst(math.Pi), nil }}},

	"upper":            {text(algebra.Upper)},
	"lower":            {text(algebra.Lower)},
	"reverse":          {text(algebra.Reverse)},
	"length":           {plain(algebra.Length, algebra.TInt32, algebra.Text)},
	"char_length":      {plain(algebra.Length, algebra.TInt32, algebra.Text)},
	"character_length": {plain(algebra.Length, algebra.TInt32, algebra.Text)},
	"substring": {
		text(algebra.Substring, algebra.Int32), text(algebra.Substring, algebra.Int32, algebra.Int32), routineOverloads(value.SubstringMatch)[0],
	},
	"substr":      {text(algebra.Substring, algebra.Int32), text(algebra.Substring, algebra.Int32, algebra.Int32)},
	"trim":        {withBlank(algebra.Trim), text(algebra.Trim, algebra.Text)},
	"btrim":       {withBlank(algebra.Trim), text(algebra.Trim, algebra.Text)},
	"ltrim":       {withBlank(algebra.LTrim), text(algebra.LTrim, algebra.Text)},
	"rtrim":       {withBlank(algebra.RTrim), text(algebra.RTrim, algebra.Text)},
	"position":    {plain(algebra.Position, algebra.TInt32, algebra.Text, algebra.Text)},
	"strpos":      {plain(algebra.Position, algebra.TInt32, algebra.Text, algebra.Text)},
	"starts_with": {{params: []algebra.Kind{algebra.Text, algebra.Text}, make: startsWith}},
	"replace":     {text(algebra.Replace, algebra.Text, algebra.Text)},
	"left":        {text(algebra.Left, algebra.Int32)},
	"right":       {text(algebra.Right, algebra.Int32)},
	"repeat":      {text(algebra.Repeat, algebra.Int32)},
	"lpad":        {withBlank(algebra.LPad, algebra.Int32), text(algebra.LPad, algebra.Int32, algebra.Text)},
	"rpad":        {withBlank(algebra.RPad, algebra.Int32), text(algebra.RPad, algebra.Int32, algebra.Text)},
	"split_part":  {text(algebra.SplitPart, algebra.Text, algebra.Int32)},
	"md5":         {text(algebra.MD5)},
	"regexp_like": {
		withText(plain(algebra.RegexpLike, algebra.TBool, algebra.Text, algebra.Text), ""),
		plain(algebra.RegexpLike, algebra.TBool, algebra.Text, algebra.Text, algebra.Text),
	},
	"regexp_replace": {
		withText(text(algebra.RegexpReplace, algebra.Text, algebra.Text), ""),
		text(algebra.RegexpReplace, algebra.Text, algebra.Text, algebra.Text),
	},
	"to_char": append([]overload{
		{params: []algebra.Kind{algebra.Timestamp, algebra.Text}, make: toChar},
		{params: []algebra.Kind{algebra.TimestampTZ, algebra.Text}, make: toCharOfMoment},
	}, numberToChar...),
	"to_date": {plain(algebra.ToDate, algebra.TDate, algebra.Text, algebra.Text)},
	"age": {
		plain(algebra.Age, algebra.TInterval, algebra.Timestamp, algebra.Timestamp), sinceToday,
		{params: []algebra.Kind{algebra.TimestampTZ, algebra.TimestampTZ}, make: ageOfMoments},
		{params: []algebra.Kind{algebra.TimestampTZ}, make: momentSinceToday},
	},

	"extract": {
		field(algebra.Extract, algebra.TNumeric, algebra.Date), field(algebra.Extract, algebra.TNumeric, algebra.Timestamp),
		field(algebra.Extract, algebra.TNumeric, algebra.Interval), fieldOfMoment(algebra.Extract, algebra.TNumeric),
	},
	"date_part": {
		field(algebra.Extract, algebra.TFloat64, algebra.Date), field(algebra.Extract, algebra.TFloat64, algebra.Timestamp),
		field(algebra.Extract, algebra.TFloat64, algebra.Interval), fieldOfMoment(algebra.Extract, algebra.TFloat64),
	},
	"date_trunc": {
		field(algebra.DateTrunc, algebra.TTimestamp, algebra.Timestamp),
		field(algebra.DateTrunc, algebra.TInterval, algebra.Interval), fieldOfMoment(algebra.DateTrunc, algebra.TTimestampTZ),
		plain(value.TZTruncIn, algebra.TTimestampTZ, algebra.Text, algebra.TimestampTZ, algebra.Text),
	},
	"to_timestamp": {{
		params: []algebra.Kind{algebra.Text, algebra.Text},
		make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
			return c.zoned(value.TZOfText, algebra.TTimestampTZ, c.pos, args...), nil
		},
	}},
	"make_timestamptz": {{
		params: []algebra.Kind{algebra.Int32, algebra.Int32, algebra.Int32, algebra.Int32, algebra.Int32, algebra.Float64},
		make:   makeMoment,
	}},
	"now":                   {{make: transactionTimestamp}},
	"current_timestamp":     {{make: transactionTimestamp}},
	"transaction_timestamp": {{make: transactionTimestamp}},
	"statement_timestamp":   {{make: statementTimestamp}},
	"clock_timestamp":       {{make: clockTimestamp}},
	"localtimestamp":        {{make: localTimestamp}},
	"current_date":          {{make: currentDate}},
}

// plain is a function with a fixed result type.
func plain(f algebra.Func, result algebra.Type, params ...algebra.Kind) overload {
	return overload{params: params, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		return call(f, result, c.pos, args...), nil
	}}
}

// text is a function of a text and further arguments that gives a text.
func text(f algebra.Func, more ...algebra.Kind) overload {
	return plain(f, algebra.TText, append([]algebra.Kind{algebra.Text}, more...)...)
}

// withBlank is a text function whose last argument, a blank, was left out.
func withBlank(f algebra.Func, more ...algebra.Kind) overload {
	return withText(text(f, more...), " ")
}

// withText is a function whose last argument, a constant, was left out.
func withText(o overload, last string) overload {
	make := o.make
	o.make = func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		return make(c, append(args, textConst(last)))
	}
	return o
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

// numberToChar are the overloads of to_char for numbers.
var numberToChar = routineOverloads(value.NumberToChar)

// sinceToday is age(t): that of midnight today and t.
var sinceToday = overload{params: []algebra.Kind{algebra.Timestamp}, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	today, err := currentDate(c, nil)
	if err != nil {
		return nil, err
	}
	if today, err = c.coerce(today, algebra.TTimestamp, implicitCast, c.pos); err != nil {
		return nil, err
	}
	return call(algebra.Age, algebra.TInterval, c.pos, today, args[0]), nil
}}

func textConst(s string) *algebra.Const {
	return &algebra.Const{Val: value.Value{Kind: value.Text, S: s}, Typ: algebra.TText}
}

// same is a function of one number that gives its type.
func same(f algebra.Func, kind algebra.Kind) overload {
	return overload{params: []algebra.Kind{kind}, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		return call(f, args[0].Type(), c.pos, args[0]), nil
	}}
}

// inexact is a function of one exact number whose scale depends on the value.
func inexact(f algebra.Func) overload {
	return overload{params: []algebra.Kind{algebra.Numeric}, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		arg, err := c.exact(args[0])
		if err != nil {
			return nil, err
		}
		return call(f, algebra.TNumeric, c.pos, arg), nil
	}}
}

// exact converts an exact number to Numeric.
func (c *callSite) exact(e algebra.Expr) (algebra.Expr, error) {
	return c.coerce(e, algebra.TNumeric, implicitCast, c.pos)
}

// rounded is a function that gives an integer of an exact number.
func rounded(f algebra.Func) overload {
	return overload{params: []algebra.Kind{algebra.Numeric}, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		typ := args[0].Type()
		if typ.Kind == algebra.Decimal {
			whole := int(typ.Precision-typ.Scale) + 1
			typ = algebra.TDecimal(uint8(min(whole, maxPrecision)), 0)
		}
		return call(f, typ, c.pos, args[0]), nil
	}}
}

// roundedTo is round or trunc to a number of digits: the scale of the result
// is known where that is a constant.
func roundedTo(f algebra.Func) overload {
	params := []algebra.Kind{algebra.Numeric, algebra.Int32}
	return overload{params: params, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		typ := args[0].Type()
		digits, ok := args[1].(*algebra.Const)
		if typ.Kind == algebra.Decimal && ok && digits.Val.Kind == value.Int {
			scale := min(max(digits.Val.I, 0), maxPrecision)
			if whole := int64(typ.Precision-typ.Scale) + 1; whole+scale <= maxPrecision {
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
	}}
}

// operator is a function that is another spelling of an arithmetic operator.
func operator(f algebra.Func, kind algebra.Kind) overload {
	return overload{params: []algebra.Kind{kind, kind}, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		return c.numbers(f, args[0], args[1], operands{c.name, c.positions[0], c.positions[1], c.pos})
	}}
}

// startsWith is left(x, length(prefix)) = prefix.
func startsWith(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
	length := call(algebra.Length, algebra.TInt32, c.pos, args[1])
	head := call(algebra.Left, algebra.TText, c.pos, args[0], length)
	return call(algebra.Eq, algebra.TBool, c.pos, head, args[1]), nil
}

// words is the set of the words in s.
func words(s string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// field is a function of a field's name, which must be constant, and a date,
// timestamp or interval.
func field(f algebra.Func, result algebra.Type, kind algebra.Kind) overload {
	params := []algebra.Kind{algebra.Text, kind}
	return overload{params: params, make: func(c *callSite, args []algebra.Expr) (algebra.Expr, error) {
		name, ok := args[0].(*algebra.Const)
		if !ok || name.Val.Kind != value.Text {
			return nil, notSupported(c.pos, c.name+" of a field that is not constant is")
		}
		parse := value.ParseExtractField
		if f == algebra.DateTrunc {
			parse = value.ParseTruncField
		}
		if _, err := parse(name.Val.S, typeName(args[1].Type())); err != nil {
			return nil, value.At(err, int(c.positions[0]))
		}
		if f == algebra.Extract && result.Kind == algebra.Float64 {
			return c.coerce(call(f, algebra.TNumeric, c.pos, args...), result, implicitCast, c.pos)
		}
		return call(f, result, c.pos, args...), nil
	}}
}
