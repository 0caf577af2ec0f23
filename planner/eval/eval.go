// Package eval computes scalar functions on values: it folds constants, and it
// is what a kernel's instructions must agree with.
package eval

import (
	"cmp"
	"errors"
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Constant computes an expression without columns. It returns nil where the
// expression has columns or is random, and the error that evaluation raises or that m,
// which may be nil, has for what it costs.
func Constant(m *value.Meter, e algebra.Expr) (*algebra.Const, error) {
	switch e := e.(type) {
	case *algebra.Const:
		return e, nil
	case *algebra.Call:
		return constantCall(m, e)
	case *algebra.Case:
		return constantCase(m, e)
	}
	return nil, nil
}

const (
	foldBytes = 256 << 10 // that a value may take which is computed beforehand
	foldWork  = 16 << 20  // units of work that it may cost
)

// Fold is Constant for an expression that can also be left as it is: it returns nil
// where the value is large or costs much, too.
func Fold(m *value.Meter, e algebra.Expr) (*algebra.Const, error) {
	if c, ok := e.(*algebra.Const); ok {
		return c, nil
	}
	bounded := m.Bounded(foldBytes, foldWork)
	c, err := Constant(bounded, e)
	if errors.Is(err, value.ErrTooLarge) {
		c, err = nil, nil
	}
	if c == nil {
		bounded.Release()
	}
	return c, err
}

func constantCall(m *value.Meter, e *algebra.Call) (*algebra.Const, error) {
	if e.Func == algebra.Random {
		return nil, nil
	}
	if c, err := infiniteField(m, e); c != nil || err != nil {
		return c, err
	}
	used := m.Used()
	args := make([]value.Value, len(e.Args))
	for i, arg := range e.Args {
		c, err := Constant(m, arg)
		if c == nil || err != nil {
			return nil, err
		}
		args[i] = c.Val
	}
	v, err := Call(m, e, args)
	m.Settle(used, len(v.S))
	if err != nil {
		return nil, err
	}
	return &algebra.Const{Val: v, Typ: e.Typ}, nil
}

// infiniteField computes the field of an infinite date or timestamp that is cast to double
// precision, and gives nil for anything else.
func infiniteField(m *value.Meter, e *algebra.Call) (*algebra.Const, error) {
	extract, ok := algebra.FloatField(e)
	if !ok {
		return nil, nil
	}
	c, err := Constant(m, extract.Args[1])
	if c == nil || err != nil || c.Val.Kind == value.Null || isFinite(c.Val, c.Typ) {
		return nil, err
	}
	return &algebra.Const{Val: float(math.Inf(cmp.Compare(c.Val.I, 0))), Typ: e.Typ}, nil
}

func constantCase(m *value.Meter, e *algebra.Case) (*algebra.Const, error) {
	for _, when := range e.Whens {
		cond, err := Constant(m, when.Cond)
		if cond == nil || err != nil {
			return nil, err
		}
		if cond.Val.B {
			return constantBranch(m, when.Then, e.Typ)
		}
	}
	if e.Else == nil {
		return &algebra.Const{Typ: e.Typ}, nil
	}
	return constantBranch(m, e.Else, e.Typ)
}

// constantBranch computes a branch, which is of the type of its CASE or, where
// that is text, a text of limited length.
func constantBranch(m *value.Meter, e algebra.Expr, typ algebra.Type) (*algebra.Const, error) {
	c, err := Constant(m, e)
	if c == nil || err != nil {
		return nil, err
	}
	return &algebra.Const{Val: c.Val, Typ: typ}, nil
}

// Call computes the function of a call on the values of its arguments. The
// call's own arguments give their types only. What the result takes stays charged to
// m.
func Call(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	used := m.Used()
	v, err := dispatch(m, e, args)
	m.Settle(used, len(v.S))
	if err != nil {
		return value.Value{}, value.At(err, e.Pos)
	}
	return v, nil
}

// dispatch is Call without its accounts. What the meter panics with is its error.
func dispatch(m *value.Meter, e *algebra.Call, args []value.Value) (_ value.Value, err error) {
	defer sqlstate.Catch(&err)
	switch e.Func {
	case algebra.And, algebra.Or:
		return connective(e.Func, args), nil
	case algebra.IsNull:
		return boolean(args[0].Kind == value.Null), nil
	case algebra.IsTrue:
		return boolean(args[0].B), nil
	case algebra.IsFalse:
		return boolean(args[0].Kind == value.Bool && !args[0].B), nil
	case algebra.Distinct:
		return boolean(distinct(args[0], args[1])), nil
	case algebra.In:
		return in(args), nil
	}
	for _, arg := range args {
		if arg.Kind == value.Null {
			return value.Value{}, nil
		}
	}
	f, ok := strict[e.Func]
	if !ok {
		if r, found := algebra.Routine(e); found {
			return r.Func()(m, args)
		}
		return value.Value{}, value.Errorf(value.CodeInternal, "no way to compute %s", e.Func)
	}
	return f(m, e, args)
}

// strict are the functions that give NULL for a NULL argument.
var strict = map[algebra.Func]strictFunc{
	algebra.Eq: comparison(func(c int) bool { return c == 0 }),
	algebra.Ne: comparison(func(c int) bool { return c != 0 }),
	algebra.Lt: comparison(func(c int) bool { return c < 0 }),
	algebra.Le: comparison(func(c int) bool { return c <= 0 }),
	algebra.Gt: comparison(func(c int) bool { return c > 0 }),
	algebra.Ge: comparison(func(c int) bool { return c >= 0 }),
	algebra.Not: func(_ *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
		return boolean(!args[0].B), nil
	},
	algebra.AtMostOne: func(_ *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
		return boolean(true), value.CheckOneRow(args[0].I)
	},
	algebra.Cast: cast, algebra.Assign: assign,

	algebra.Add: arithmetic, algebra.Sub: arithmetic, algebra.Mul: arithmetic, algebra.Div: arithmetic,
	algebra.Mod: arithmetic, algebra.Neg: unary, algebra.Abs: unary, algebra.Sign: unary,
	algebra.Round: rounding, algebra.Trunc: rounding, algebra.Floor: rounding, algebra.Ceil: rounding,
	algebra.Power: power, algebra.Sqrt: power, algebra.Ln: power, algebra.Log10: power, algebra.Exp: power,

	algebra.Like: like, algebra.ILike: like,
	algebra.Substring: substring, algebra.Length: length, algebra.Position: position,
	algebra.Upper: ofText(value.Upper), algebra.Lower: ofText(value.Lower), algebra.Reverse: ofText(value.Reverse),
	algebra.Trim: ofTexts(value.Trim), algebra.LTrim: ofTexts(value.LTrim), algebra.RTrim: ofTexts(value.RTrim),
	algebra.Concat: ofTexts(value.Concat), algebra.Replace: replace, algebra.Left: counted(value.Left), algebra.Right: counted(value.Right),
	algebra.LPad: padded(value.LPad), algebra.RPad: padded(value.RPad), algebra.SplitPart: splitPart, algebra.Repeat: counted(value.Repeat),
	algebra.MD5: ofText(value.MD5), algebra.RegexpLike: regexpLike, algebra.RegexpReplace: regexpReplace,
	algebra.ToChar: toChar, algebra.ToDate: toDate, algebra.Age: age,

	algebra.Extract: extract, algebra.DateTrunc: dateTrunc,
	algebra.AddDays: addDays, algebra.SubDates: subDates,
	algebra.AddInterval: addInterval, algebra.SubInterval: addInterval, algebra.SubTimes: subTimes,
	algebra.MulInterval: scaleInterval, algebra.DivInterval: scaleInterval,
}

// connective is AND or OR in three-valued logic.
func connective(f algebra.Func, args []value.Value) value.Value {
	decides := f == algebra.Or
	null := false
	for _, arg := range args {
		switch {
		case arg.Kind == value.Null:
			null = true
		case arg.B == decides:
			return boolean(decides)
		}
	}
	if null {
		return value.Value{}
	}
	return boolean(!decides)
}

func distinct(a, b value.Value) bool {
	if a.Kind == value.Null || b.Kind == value.Null {
		return a.Kind != b.Kind
	}
	return Compare(a, b) != 0
}

// in is TRUE where a value is equal, else NULL where one is NULL.
func in(args []value.Value) value.Value {
	if args[0].Kind == value.Null {
		return value.Value{}
	}
	null := false
	for _, arg := range args[1:] {
		switch {
		case arg.Kind == value.Null:
			null = true
		case Compare(args[0], arg) == 0:
			return boolean(true)
		}
	}
	if null {
		return value.Value{}
	}
	return boolean(false)
}

func comparison(holds func(int) bool) strictFunc {
	return func(_ *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
		return boolean(holds(Compare(args[0], args[1]))), nil
	}
}
