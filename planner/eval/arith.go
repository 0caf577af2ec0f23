package eval

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// arithmetic computes + - * / % on two values of one kind.
func arithmetic(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	a, b := args[0], args[1]
	switch a.Kind {
	case value.Int:
		i, err := integers(e.Func, a.I, b.I)
		if err != nil {
			return value.Value{}, err
		}
		return checkedInt(i, e.Typ)
	case value.Float:
		f, err := floats(e.Func, a.F, b.F)
		return float(f), err
	}
	n, err := numbers(e.Func, a.Num, b.Num)
	if err != nil {
		return value.Value{}, err
	}
	return fit(n, e.Typ)
}

// bits is the width of an integer type.
func bits(t algebra.Type) int {
	switch t.Kind {
	case algebra.Int16:
		return 16
	case algebra.Int32:
		return 32
	}
	return 64
}

func checkedInt(i int64, typ algebra.Type) (value.Value, error) {
	if err := value.CheckInt(i, bits(typ)); err != nil {
		return value.Value{}, err
	}
	return integer(i), nil
}

func integers(f algebra.Func, a, b int64) (int64, error) {
	switch f {
	case algebra.Div, algebra.Mod:
		if b == 0 {
			return 0, divisionByZero()
		}
		if b == -1 {
			if f == algebra.Mod {
				return 0, nil
			}
			return integers(algebra.Sub, 0, a)
		}
		if f == algebra.Mod {
			return a % b, nil
		}
		return a / b, nil
	case algebra.Mul:
		p, ok := value.MulOverflow64(a, b)
		if !ok {
			return 0, value.ErrIntRange(64)
		}
		return p, nil
	case algebra.Sub:
		d := a - b
		if (a^b)&(a^d) < 0 {
			return 0, value.ErrIntRange(64)
		}
		return d, nil
	}
	s := a + b
	if (a^s)&(b^s) < 0 {
		return 0, value.ErrIntRange(64)
	}
	return s, nil
}

func divisionByZero() error { return value.Errorf(value.CodeDivisionByZero, "division by zero") }

func floats(f algebra.Func, a, b float64) (float64, error) {
	switch f {
	case algebra.Add:
		return value.AddFloat64(a, b)
	case algebra.Sub:
		return value.SubFloat64(a, b)
	case algebra.Mul:
		return value.MulFloat64(a, b)
	}
	return value.DivFloat64(a, b)
}

func numbers(f algebra.Func, a, b value.Num) (value.Num, error) {
	switch f {
	case algebra.Add:
		return a.Add(b)
	case algebra.Sub:
		return a.Sub(b)
	case algebra.Mul:
		return a.Mul(b)
	case algebra.Div:
		return a.Div(b)
	}
	return a.Mod(b)
}

// fit rescales an exact number to its type and checks the precision.
func fit(n value.Num, typ algebra.Type) (value.Value, error) {
	if typ.Kind != algebra.Decimal {
		return number(n), nil
	}
	coef, err := n.Decimal(int(typ.Precision), int(typ.Scale))
	if err != nil {
		return value.Value{}, err
	}
	return number(value.Num{Coef: coef, Scale: typ.Scale}), nil
}

// unary computes Neg, Abs and Sign.
func unary(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	switch a := args[0]; a.Kind {
	case value.Int:
		if e.Func == algebra.Abs && a.I >= 0 {
			return a, nil
		}
		i, err := integers(algebra.Sub, 0, a.I)
		if err != nil {
			return value.Value{}, err
		}
		return checkedInt(i, e.Typ)
	case value.Float:
		switch e.Func {
		case algebra.Neg:
			return float(-a.F), nil
		case algebra.Abs:
			return float(math.Abs(a.F)), nil
		}
		return float(value.SignFloat64(a.F)), nil
	default:
		switch e.Func {
		case algebra.Neg:
			return number(a.Num.Neg()), nil
		case algebra.Abs:
			return number(a.Num.Abs()), nil
		}
		return number(value.NumOf(int64(a.Num.Sign()))), nil
	}
}

// rounding computes Round, Trunc, Floor and Ceil.
func rounding(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	if a := args[0]; a.Kind == value.Float {
		return float(roundFloat(e.Func, a.F)), nil
	}
	digits := 0
	if len(args) == 2 {
		// No number has more digits than a Num's scale can count.
		digits = int(min(max(args[1].I, -2*value.MaxDigits), math.MaxUint8))
	}
	n := args[0].Num
	var err error
	switch e.Func {
	case algebra.Round:
		n, err = n.Round(digits)
	case algebra.Trunc:
		n, err = n.Trunc(digits)
	case algebra.Floor:
		n, err = n.Floor()
	case algebra.Ceil:
		n, err = n.Ceil()
	}
	if err != nil {
		return value.Value{}, err
	}
	return fit(n, e.Typ)
}

func roundFloat(f algebra.Func, x float64) float64 {
	switch f {
	case algebra.Round:
		return math.RoundToEven(x)
	case algebra.Trunc:
		return math.Trunc(x)
	case algebra.Floor:
		return math.Floor(x)
	}
	return math.Ceil(x)
}
