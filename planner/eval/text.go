package eval

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// text computes the functions that give text.
func text(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	out, err := textOf(m, e, args)
	return textual(out), err
}

func textOf(m *value.Meter, e *algebra.Call, args []value.Value) (string, error) {
	s := args[0].S
	switch e.Func {
	case algebra.Upper:
		return value.Upper(m, s)
	case algebra.Lower:
		return value.Lower(m, s)
	case algebra.Reverse:
		return value.Reverse(m, s)
	case algebra.Trim:
		return value.Trim(m, s, args[1].S)
	case algebra.LTrim:
		return value.LTrim(m, s, args[1].S)
	case algebra.RTrim:
		return value.RTrim(m, s, args[1].S)
	case algebra.Left:
		return value.Left(m, s, args[1].I)
	case algebra.Right:
		return value.Right(m, s, args[1].I)
	case algebra.MD5:
		return value.MD5(m, s)
	case algebra.Concat:
		return value.Concat(m, s, args[1].S)
	case algebra.Replace:
		return value.Replace(m, s, args[1].S, args[2].S)
	case algebra.Repeat:
		return value.Repeat(m, s, args[1].I)
	case algebra.LPad:
		return value.LPad(m, s, args[1].I, args[2].S)
	case algebra.RPad:
		return value.RPad(m, s, args[1].I, args[2].S)
	case algebra.SplitPart:
		return value.SplitPart(m, s, args[1].S, args[2].I)
	case algebra.RegexpReplace:
		re, err := value.NewRegexp(m, args[1].S, args[3].S, true)
		if err != nil {
			return "", err
		}
		return re.Replace(m, s, args[2].S)
	}
	if len(args) == 2 {
		return value.SubstringFrom(m, s, args[1].I)
	}
	return value.Substring(m, s, args[1].I, args[2].I)
}

func length(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	n, err := value.Length(m, args[0].S)
	return integer(int64(n)), err
}

func position(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	n, err := value.Position(m, args[0].S, args[1].S)
	return integer(int64(n)), err
}

func like(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	l, err := value.NewLike(m, args[1].S, args[2].S, e.Func == algebra.ILike)
	if err != nil {
		return value.Value{}, err
	}
	matched, err := l.Match(m, args[0].S)
	return boolean(matched), err
}

func regexpLike(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	re, err := value.NewRegexp(m, args[1].S, args[2].S, false)
	if err != nil {
		return value.Value{}, err
	}
	matched, err := re.Match(m, args[0].S)
	return boolean(matched), err
}
