package eval

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
)

// text computes the functions that give text.
func text(e *algebra.Call, args []value.Value) (value.Value, error) {
	s := args[0].S
	switch e.Func {
	case algebra.Upper:
		return textual(value.Upper(s)), nil
	case algebra.Lower:
		return textual(value.Lower(s)), nil
	case algebra.Reverse:
		return textual(value.Reverse(s)), nil
	case algebra.Trim:
		return textual(value.Trim(s, args[1].S)), nil
	case algebra.LTrim:
		return textual(value.LTrim(s, args[1].S)), nil
	case algebra.RTrim:
		return textual(value.RTrim(s, args[1].S)), nil
	case algebra.Left:
		return textual(value.Left(s, args[1].I)), nil
	case algebra.Right:
		return textual(value.Right(s, args[1].I)), nil
	case algebra.MD5:
		return textual(value.MD5(s)), nil
	case algebra.Concat:
		return textual(s + args[1].S), nil
	}
	out, err := longText(e, args)
	return textual(out), err
}

// longText computes the functions whose result may be too long.
func longText(e *algebra.Call, args []value.Value) (string, error) {
	s := args[0].S
	switch e.Func {
	case algebra.Replace:
		return value.Replace(s, args[1].S, args[2].S)
	case algebra.Repeat:
		return value.Repeat(s, args[1].I)
	case algebra.LPad:
		return value.LPad(s, args[1].I, args[2].S)
	case algebra.RPad:
		return value.RPad(s, args[1].I, args[2].S)
	case algebra.SplitPart:
		return value.SplitPart(s, args[1].S, args[2].I)
	}
	if e.Func == algebra.RegexpReplace {
		re, err := value.NewRegexp(args[1].S, args[3].S, true)
		if err != nil {
			return "", err
		}
		return re.Replace(s, args[2].S)
	}
	if len(args) == 2 {
		return value.SubstringFrom(s, args[1].I), nil
	}
	return value.Substring(s, args[1].I, args[2].I)
}

func length(_ *algebra.Call, args []value.Value) (value.Value, error) {
	return integer(int64(value.Length(args[0].S))), nil
}

func position(_ *algebra.Call, args []value.Value) (value.Value, error) {
	return integer(int64(value.Position(args[0].S, args[1].S))), nil
}

func like(e *algebra.Call, args []value.Value) (value.Value, error) {
	l, err := value.NewLike(args[1].S, args[2].S, e.Func == algebra.ILike)
	if err != nil {
		return value.Value{}, err
	}
	return boolean(l.Match(args[0].S)), nil
}

func regexpLike(_ *algebra.Call, args []value.Value) (value.Value, error) {
	re, err := value.NewRegexp(args[1].S, args[2].S, false)
	if err != nil {
		return value.Value{}, err
	}
	return boolean(re.Match(args[0].S)), nil
}
