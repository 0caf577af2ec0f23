package algebra

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// MayRaise reports whether evaluating e can raise an error. It is false only
// where that is certain: ranges, which may be nil, help with arithmetic.
func MayRaise(e Expr, ranges Ranges) bool {
	switch e := e.(type) {
	case *Call:
		if extract, ok := FloatField(e); ok {
			return MayRaise(extract.Args[1], ranges)
		}
		for _, arg := range e.Args {
			if MayRaise(arg, ranges) {
				return true
			}
		}
		return callMayRaise(e, ranges)
	case *Case:
		for _, when := range e.Whens {
			if MayRaise(when.Cond, ranges) || MayRaise(when.Then, ranges) {
				return true
			}
		}
		return e.Else != nil && MayRaise(e.Else, ranges)
	case *Subquery:
		return true
	}
	return false
}

// callMayRaise is MayRaise for the function alone.
func callMayRaise(e *Call, ranges Ranges) bool {
	switch e.Func {
	case Eq, Ne, Lt, Le, Gt, Ge, Distinct, And, Or, Not, IsNull, IsTrue, IsFalse, In,
		Upper, Lower, Trim, LTrim, RTrim, Length, Concat, Replace, Position, Left, Right, Reverse, MD5, ToChar, Floor, Ceil:
		return false
	case Extract:
		return extractMayBeInfinite(e, ranges)
	case Like, ILike:
		return patternMayRaise(e.Args)
	case Add, Sub, Mul, Neg, Abs:
		return ranges.CanOverflow(e)
	case Mod, Div:
		return divisorMayBeZero(e.Args[1], ranges) || ranges.CanOverflow(e)
	case Substring:
		return len(e.Args) > 2 && constIntBelow(e.Args[2], 0)
	case Cast:
		return castMayRaise(e, ranges)
	}
	return true
}

// extractMayBeInfinite reports whether a field may be that of an infinite date or timestamp,
// and infinite itself.
func extractMayBeInfinite(e *Call, ranges Ranges) bool {
	return growingField(e) && !ranges.Finite(e.Args[1])
}

// growingField reports whether a call gives a field of a date or timestamp that is infinite
// where that is.
func growingField(e *Call) bool {
	if e.Func != Extract || !CanBeInfinite(e.Args[1].Type()) {
		return false
	}
	name, ok := e.Args[0].(*Const)
	if !ok {
		return false
	}
	f, err := value.ParseExtractField(name.Val.S, value.TimestampType)
	return err == nil && f.Grows()
}

// FloatField returns what e casts to double precision, where that is a field of a date or
// timestamp that may be infinite.
func FloatField(e *Call) (extract *Call, ok bool) {
	if e.Func != Cast || e.Typ.Kind != Float64 {
		return nil, false
	}
	extract, ok = e.Args[0].(*Call)
	return extract, ok && growingField(extract)
}

// patternMayRaise reports whether a LIKE pattern may end with its escape.
func patternMayRaise(args []Expr) bool {
	pattern, ok := args[1].(*Const)
	escape, alsoConst := args[2].(*Const)
	if !ok || !alsoConst {
		return true
	}
	return escape.Val.S != "" && strings.HasSuffix(pattern.Val.S, escape.Val.S)
}

func divisorMayBeZero(e Expr, ranges Ranges) bool {
	if c, ok := e.(*Const); ok {
		return c.Val.Kind == value.Int && c.Val.I == 0 || c.Val.Kind == value.Float && c.Val.F == 0 ||
			c.Val.Kind == value.Decimal && c.Val.Num.Sign() == 0
	}
	rng, ok := ranges.Of(e)
	return !ok || rng.Lo.Sign() <= 0 && rng.Hi.Sign() >= 0
}

// constIntBelow reports whether e may be below a limit: false for constants that
// are not.
func constIntBelow(e Expr, limit int64) bool {
	c, ok := e.(*Const)
	return !ok || c.Val.Kind == value.Int && c.Val.I < limit
}

func castMayRaise(e *Call, ranges Ranges) bool {
	from, to := e.Args[0].Type(), e.Typ
	switch {
	case to.Kind == Text, to.Kind == Bool && from.IsInteger():
		return false
	case to.Kind == Float64 && from.IsNumber(), to.Kind == Numeric && (from.IsInteger() || from.Kind == Decimal):
		return false
	case to.Kind == Date && from.Kind == Timestamp, SameNumber(from.Kind, to.Kind):
		return false
	}
	if _, ok := TypeRange(to); ok && (from.IsInteger() || from.Kind == Decimal) {
		return ranges.CanOverflow(e)
	}
	return true
}
