package algebra

import "slices"

// validCall reports whether the function is defined on the types of its
// arguments and returns the type of the call.
func validCall(e *Call) bool {
	check, ok := signatures[e.Func]
	if !ok {
		r, found := Routine(e)
		if found && (r.Result == 'a' || r.Result == 'R') {
			return e.Typ.Kind == RoutineType(r.Result).Kind
		}
		return found && e.Typ.Plain() == RoutineType(r.Result)
	}
	return check(e.Args, e.Typ)
}

type signature func(args []Expr, typ Type) bool

// signatures say for each function which argument and result types it takes.
var signatures = map[Func]signature{
	Add: arithmetic, Sub: arithmetic, Mul: arithmetic, Mod: arithmetic, Div: quotient,
	Neg: unaryNumber, Abs: unaryNumber, Sign: unaryNumber,
	Round: rounding, Trunc: rounding, Floor: rounding, Ceil: rounding,
	Power: inexact(2), Sqrt: inexact(1), Ln: inexact(1), Log10: inexact(1), Exp: inexact(1),

	Eq: comparison, Ne: comparison, Lt: comparison, Le: comparison, Gt: comparison, Ge: comparison,
	Distinct: comparison,
	And:      connective, Or: connective,
	Not: fixed(TBool, Bool), IsTrue: fixed(TBool, Bool), IsFalse: fixed(TBool, Bool),
	IsNull:    func(args []Expr, typ Type) bool { return len(args) == 1 && typ == TBool },
	In:        membership,
	AtMostOne: fixed(TBool, Int64),
	Random:    fixed(TFloat64, Int64),
	Cast:      func(args []Expr, _ Type) bool { return len(args) == 1 },
	Assign: func(args []Expr, typ Type) bool {
		return len(args) == 1 && args[0].Type().Kind == Text && typ.Length > 0
	},

	Like: fixed(TBool, Text, Text, Text), ILike: fixed(TBool, Text, Text, Text),
	Substring: either(fixed(TText, Text, Int32), fixed(TText, Text, Int32, Int32)),
	Upper:     fixed(TText, Text), Lower: fixed(TText, Text), Reverse: fixed(TText, Text),
	Trim: fixed(TText, Text, Text), LTrim: fixed(TText, Text, Text), RTrim: ofChar(fixed(TText, Text, Text)),
	Length: fixed(TInt32, Text), Position: fixed(TInt32, Text, Text),
	Concat: fixed(TText, Text, Text), Replace: fixed(TText, Text, Text, Text),
	Left: fixed(TText, Text, Int32), Right: fixed(TText, Text, Int32),
	Repeat: fixed(TText, Text, Int32),
	LPad:   fixed(TText, Text, Int32, Text), RPad: ofChar(fixed(TText, Text, Int32, Text)),
	SplitPart: fixed(TText, Text, Text, Int32),
	MD5:       fixed(TText, Text), RegexpLike: fixed(TBool, Text, Text, Text),
	RegexpReplace: fixed(TText, Text, Text, Text, Text),
	ToChar:        fixed(TText, Timestamp, Text), ToDate: fixed(TDate, Text, Text),

	Extract:     either(fixed(TNumeric, Text, Date), fixed(TNumeric, Text, Timestamp), fixed(TNumeric, Text, Interval)),
	DateTrunc:   either(fixed(TTimestamp, Text, Timestamp), fixed(TInterval, Text, Interval)),
	AddDays:     fixed(TDate, Date, Int32),
	SubDates:    fixed(TInt32, Date, Date),
	AddInterval: either(fixed(TTimestamp, Timestamp, Interval), fixed(TInterval, Interval, Interval)),
	SubInterval: either(fixed(TTimestamp, Timestamp, Interval), fixed(TInterval, Interval, Interval)),
	SubTimes:    fixed(TInterval, Timestamp, Timestamp), Age: fixed(TInterval, Timestamp, Timestamp),
	MulInterval: fixed(TInterval, Interval, Float64),
	DivInterval: fixed(TInterval, Interval, Float64),
}

// fixed is a signature of given kinds.
func fixed(result Type, kinds ...Kind) signature {
	return func(args []Expr, typ Type) bool {
		if typ != result || len(args) != len(kinds) {
			return false
		}
		for i, arg := range args {
			if arg.Type().Kind != kinds[i] {
				return false
			}
		}
		return true
	}
}

// ofChar takes away or adds the blanks of character(n), too.
func ofChar(sig signature) signature {
	return func(args []Expr, typ Type) bool {
		if typ.Padded {
			typ = TText
		}
		return sig(args, typ)
	}
}

func either(sigs ...signature) signature {
	return func(args []Expr, typ Type) bool {
		return slices.ContainsFunc(sigs, func(sig signature) bool { return sig(args, typ) })
	}
}

// arithmetic takes two numbers of the kind of the result; the scales and
// precisions of decimals are each operand's own.
func arithmetic(args []Expr, typ Type) bool {
	return typ.IsNumber() && len(args) == 2 &&
		args[0].Type().Kind == typ.Kind && args[1].Type().Kind == typ.Kind
}

// quotient is arithmetic whose exact non-integer result is Numeric.
func quotient(args []Expr, typ Type) bool {
	return typ.Kind != Decimal && arithmetic(args, typ)
}

func unaryNumber(args []Expr, typ Type) bool {
	return len(args) == 1 && typ.IsNumber() && args[0].Type().Kind == typ.Kind
}

// rounding takes a number, and for exact ones a constant number of digits.
func rounding(args []Expr, typ Type) bool {
	switch len(args) {
	case 1:
		return typ.IsNumber() && args[0].Type().Kind == typ.Kind
	case 2:
		return args[0].Type().Kind == typ.Kind && args[1].Type().Kind == Int32
	}
	return false
}

// inexact takes n float64 giving float64, or n exact numerics giving Numeric.
func inexact(n int) signature {
	return func(args []Expr, typ Type) bool {
		if len(args) != n || typ.Kind != Float64 && typ.Kind != Numeric {
			return false
		}
		return !slices.ContainsFunc(args, func(arg Expr) bool { return arg.Type().Kind != typ.Kind })
	}
}

// Comparable reports whether values of the two types compare without a cast:
// the same kind, for decimals the same scale, and for arrays of character(n) the same n.
func Comparable(a, b Type) bool {
	if a.Kind == Array && b.Kind == Array {
		return Comparable(a.Element(), b.Element()) && (!a.Padded && !b.Padded || a.Length == b.Length)
	}
	return a.Kind == b.Kind && (a.Kind != Decimal || a.Scale == b.Scale)
}

// Groupable reports whether equal values of the type are the same where they are
// kept: what is grouped, hashed and made distinct must be. Arrays of elements
// that can be written in several ways are not, nor are rows with such fields, nor is JSON.
func Groupable(t Type) bool {
	switch t.Kind {
	case Array:
		return ElementOf(t).Canonical()
	case Record:
		return groupableRow(t)
	}
	return !t.IsJSON()
}

// groupableRow reports whether equal rows of a type have the same text.
func groupableRow(row Type) bool {
	for _, f := range row.Fields() {
		nested := f.Type.Kind == Record || f.Type.Kind == Array || f.Type.IsJSON()
		if nested && !Groupable(f.Type) || !nested && !ElementOf(TArray(f.Type)).Canonical() {
			return false
		}
	}
	return true
}

func comparison(args []Expr, typ Type) bool {
	return typ == TBool && len(args) == 2 && Comparable(args[0].Type(), args[1].Type())
}

func connective(args []Expr, typ Type) bool {
	if typ != TBool || len(args) < 2 {
		return false
	}
	return !slices.ContainsFunc(args, func(arg Expr) bool { return arg.Type().Kind != Bool })
}

func membership(args []Expr, typ Type) bool {
	if typ != TBool || len(args) < 2 {
		return false
	}
	for _, arg := range args[1:] {
		if _, ok := arg.(*Const); !ok || !Comparable(args[0].Type(), arg.Type()) {
			return false
		}
	}
	return true
}
