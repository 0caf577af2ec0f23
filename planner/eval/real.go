package eval

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// power computes powers, roots and logarithms.
func power(_ *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	if args[0].Kind == value.Float {
		f, err := powerFloat(e.Func, args)
		return float(f), err
	}
	n, err := powerNum(e.Func, args)
	return number(n), err
}

func powerFloat(f algebra.Func, args []value.Value) (float64, error) {
	x := args[0].F
	switch f {
	case algebra.Power:
		return value.PowerFloat64(x, args[1].F)
	case algebra.Sqrt:
		return value.SqrtFloat64(x)
	case algebra.Ln:
		return value.LnFloat64(x)
	case algebra.Log10:
		return value.Log10Float64(x)
	}
	return value.ExpFloat64(x)
}

func powerNum(f algebra.Func, args []value.Value) (value.Num, error) {
	x := args[0].Num
	switch f {
	case algebra.Power:
		return x.Power(args[1].Num)
	case algebra.Sqrt:
		return x.Sqrt()
	case algebra.Ln:
		return x.Ln()
	case algebra.Log10:
		return x.Log10()
	}
	return x.Exp()
}
