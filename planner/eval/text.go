package eval

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ofText computes a text of one.
func ofText(f func(*value.Meter, string) string) strictFunc {
	return func(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
		return textual(f(m, args[0].S)), nil
	}
}

// ofTexts computes a text of two.
func ofTexts(f func(m *value.Meter, s, by string) string) strictFunc {
	return func(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
		return textual(f(m, args[0].S, args[1].S)), nil
	}
}

// counted computes a text of one and a number.
func counted(f func(m *value.Meter, s string, n int64) string) strictFunc {
	return func(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
		return textual(f(m, args[0].S, args[1].I)), nil
	}
}

// padded computes a text of one, a length and what fills it.
func padded(f func(m *value.Meter, s string, length int64, fill string) string) strictFunc {
	return func(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
		return textual(f(m, args[0].S, args[1].I, args[2].S)), nil
	}
}

func replace(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	return textual(value.Replace(m, args[0].S, args[1].S, args[2].S)), nil
}

func splitPart(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	s, err := value.SplitPart(m, args[0].S, args[1].S, args[2].I)
	return textual(s), err
}

func substring(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	if len(args) == 2 {
		return textual(value.SubstringFrom(m, args[0].S, args[1].I)), nil
	}
	s, err := value.Substring(m, args[0].S, args[1].I, args[2].I)
	return textual(s), err
}

func length(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	return integer(int64(value.Length(m, args[0].S))), nil
}

func position(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	return integer(int64(value.Position(m, args[0].S, args[1].S))), nil
}

func like(m *value.Meter, e *algebra.Call, args []value.Value) (value.Value, error) {
	l, err := value.NewLike(m, args[1].S, args[2].S, e.Func == algebra.ILike)
	if err != nil {
		return value.Value{}, err
	}
	matches, err := l.Match(m, args[0].S)
	return boolean(matches), err
}

func regexpLike(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	re, err := value.NewRegexp(m, args[1].S, args[2].S, false)
	if err != nil {
		return value.Value{}, err
	}
	return boolean(re.Match(m, args[0].S)), nil
}

func regexpReplace(m *value.Meter, _ *algebra.Call, args []value.Value) (value.Value, error) {
	re, err := value.NewRegexp(m, args[1].S, args[3].S, true)
	if err != nil {
		return value.Value{}, err
	}
	return textual(re.Replace(m, args[0].S, args[2].S)), nil
}
