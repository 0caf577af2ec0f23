package eval

import (
	"errors"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

func constant(text string, typ algebra.Type) algebra.Expr {
	if text == "NULL" {
		return &algebra.Const{Typ: typ}
	}
	v, err := Parse(nil, text, typ, false)
	if err != nil {
		panic(err)
	}
	return &algebra.Const{Val: v, Typ: typ}
}

// TestEveryFunction holds that each scalar function of the algebra computes.
func TestEveryFunction(t *testing.T) {
	boolean, i16, i32, i64, f64 := algebra.TBool, algebra.TInt16, algebra.TInt32, algebra.TInt64, algebra.TFloat64
	num, dec, txt := algebra.TNumeric, algebra.TDecimal(10, 2), algebra.TText
	date, ts, iv := algebra.TDate, algebra.TTimestamp, algebra.TInterval
	for _, tc := range []struct {
		f     algebra.Func
		typ   algebra.Type
		args  []string
		types []algebra.Type
		want  string // "error CODE" for an error
	}{
		{algebra.Add, i32, []string{"2147483647", "1"}, []algebra.Type{i32, i32}, "error 22003"},
		{algebra.Add, i64, []string{"9223372036854775807", "1"}, []algebra.Type{i64, i64}, "error 22003"},
		{algebra.Add, i16, []string{"32767", "1"}, []algebra.Type{i16, i16}, "error 22003"},
		{algebra.Sub, i32, []string{"5", "7"}, []algebra.Type{i32, i32}, "-2"},
		{algebra.Mul, i64, []string{"4611686018427387904", "2"}, []algebra.Type{i64, i64}, "error 22003"},
		{algebra.Div, i32, []string{"-7", "2"}, []algebra.Type{i32, i32}, "-3"},
		{algebra.Div, i32, []string{"1", "0"}, []algebra.Type{i32, i32}, "error 22012"},
		{algebra.Div, i64, []string{"-9223372036854775808", "-1"}, []algebra.Type{i64, i64}, "error 22003"},
		{algebra.Mod, i64, []string{"-9223372036854775808", "-1"}, []algebra.Type{i64, i64}, "0"},
		{algebra.Mod, i32, []string{"-7", "2"}, []algebra.Type{i32, i32}, "-1"},
		{algebra.Div, num, []string{"1", "3"}, []algebra.Type{num, num}, "0.33333333333333333333"},
		{algebra.Mul, algebra.TDecimal(20, 4), []string{"1.50", "2.25"}, []algebra.Type{dec, dec}, "3.3750"},
		{algebra.Add, algebra.TDecimal(3, 2), []string{"9.99", "0.01"}, []algebra.Type{dec, dec}, "error 22003"},
		{algebra.Mul, f64, []string{"1e308", "10"}, []algebra.Type{f64, f64}, "error 22003"},
		{algebra.Neg, i32, []string{"-2147483648"}, []algebra.Type{i32}, "error 22003"},
		{algebra.Abs, dec, []string{"-1.50"}, []algebra.Type{dec}, "1.50"},
		{algebra.Sign, f64, []string{"-1.5"}, []algebra.Type{f64}, "-1"},
		{algebra.Round, algebra.TDecimal(10, 1), []string{"2.25", "1"}, []algebra.Type{dec, i32}, "2.3"},
		{algebra.Round, f64, []string{"2.5"}, []algebra.Type{f64}, "2"},
		{algebra.Round, num, []string{"1234.5", "-2"}, []algebra.Type{num, i32}, "1200"},
		{algebra.Trunc, algebra.TDecimal(10, 0), []string{"-2.75"}, []algebra.Type{dec}, "-2"},
		{algebra.Floor, algebra.TDecimal(10, 0), []string{"-2.25"}, []algebra.Type{dec}, "-3"},
		{algebra.Ceil, f64, []string{"2.1"}, []algebra.Type{f64}, "3"},
		{algebra.Power, f64, []string{"2", "10"}, []algebra.Type{f64, f64}, "1024"},
		{algebra.Sqrt, f64, []string{"-1"}, []algebra.Type{f64}, "error 2201F"},
		{algebra.Ln, f64, []string{"0"}, []algebra.Type{f64}, "error 2201E"},
		{algebra.Log10, f64, []string{"1000"}, []algebra.Type{f64}, "3"},
		{algebra.Exp, f64, []string{"0"}, []algebra.Type{f64}, "1"},
		{algebra.Sqrt, num, []string{"2"}, []algebra.Type{num}, "1.414213562373095"},
		{algebra.Eq, boolean, []string{"1", "NULL"}, []algebra.Type{i32, i32}, "NULL"},
		{algebra.Lt, boolean, []string{"NaN", "1"}, []algebra.Type{f64, f64}, "false"},
		{algebra.Ge, boolean, []string{"b", "a"}, []algebra.Type{txt, txt}, "true"},
		{algebra.Distinct, boolean, []string{"1", "NULL"}, []algebra.Type{i32, i32}, "true"},
		{algebra.Distinct, boolean, []string{"NULL", "NULL"}, []algebra.Type{i32, i32}, "false"},
		{algebra.And, boolean, []string{"NULL", "false"}, []algebra.Type{boolean, boolean}, "false"},
		{algebra.And, boolean, []string{"NULL", "true"}, []algebra.Type{boolean, boolean}, "NULL"},
		{algebra.Or, boolean, []string{"NULL", "true"}, []algebra.Type{boolean, boolean}, "true"},
		{algebra.Not, boolean, []string{"NULL"}, []algebra.Type{boolean}, "NULL"},
		{algebra.IsNull, boolean, []string{"NULL"}, []algebra.Type{i32}, "true"},
		{algebra.IsTrue, boolean, []string{"NULL"}, []algebra.Type{boolean}, "false"},
		{algebra.IsFalse, boolean, []string{"false"}, []algebra.Type{boolean}, "true"},
		{algebra.In, boolean, []string{"1", "2", "NULL"}, []algebra.Type{i32, i32, i32}, "NULL"},
		{algebra.In, boolean, []string{"2", "2", "NULL"}, []algebra.Type{i32, i32, i32}, "true"},
		{algebra.Cast, i32, []string{"2.5"}, []algebra.Type{dec}, "3"},
		{algebra.Cast, i32, []string{"2.5"}, []algebra.Type{f64}, "2"},
		{algebra.Cast, i16, []string{"40000"}, []algebra.Type{i32}, "error 22003"},
		{algebra.Cast, dec, []string{"7"}, []algebra.Type{i32}, "7.00"},
		{algebra.Cast, txt, []string{"1.50"}, []algebra.Type{dec}, "1.50"},
		{algebra.Cast, i32, []string{"x"}, []algebra.Type{txt}, "error 22P02"},
		{algebra.Cast, ts, []string{"1999-12-31"}, []algebra.Type{date}, "1999-12-31 00:00:00"},
		{algebra.Cast, date, []string{"1999-12-31 23:59:59"}, []algebra.Type{ts}, "1999-12-31"},
		{algebra.Cast, algebra.Type{Kind: algebra.Text, Length: 2}, []string{"abc"}, []algebra.Type{txt}, "ab"},
		{algebra.Assign, algebra.Type{Kind: algebra.Text, Length: 2}, []string{"abc"}, []algebra.Type{txt}, "error 22001"},
		{algebra.Assign, algebra.Type{Kind: algebra.Text, Length: 2}, []string{"ab  "}, []algebra.Type{txt}, "ab"},
		{algebra.Like, boolean, []string{"abc", "a%", `\`}, []algebra.Type{txt, txt, txt}, "true"},
		{algebra.ILike, boolean, []string{"ABC", "a_c", `\`}, []algebra.Type{txt, txt, txt}, "true"},
		{algebra.Substring, txt, []string{"hello", "2", "3"}, []algebra.Type{txt, i32, i32}, "ell"},
		{algebra.Substring, txt, []string{"hello", "2", "-3"}, []algebra.Type{txt, i32, i32}, "error 22011"},
		{algebra.Substring, txt, []string{"hello", "4"}, []algebra.Type{txt, i32}, "lo"},
		{algebra.Upper, txt, []string{"äb"}, []algebra.Type{txt}, "ÄB"},
		{algebra.Lower, txt, []string{"AB"}, []algebra.Type{txt}, "ab"},
		{algebra.Trim, txt, []string{"xxaxx", "x"}, []algebra.Type{txt, txt}, "a"},
		{algebra.LTrim, txt, []string{"xxaxx", "x"}, []algebra.Type{txt, txt}, "axx"},
		{algebra.RTrim, txt, []string{"xxaxx", "x"}, []algebra.Type{txt, txt}, "xxa"},
		{algebra.Length, i32, []string{"äö"}, []algebra.Type{txt}, "2"},
		{algebra.Concat, txt, []string{"a", "b"}, []algebra.Type{txt, txt}, "ab"},
		{algebra.Replace, txt, []string{"aba", "a", "c"}, []algebra.Type{txt, txt, txt}, "cbc"},
		{algebra.Position, i32, []string{"abc", "c"}, []algebra.Type{txt, txt}, "3"},
		{algebra.Left, txt, []string{"abc", "-1"}, []algebra.Type{txt, i32}, "ab"},
		{algebra.Right, txt, []string{"abc", "2"}, []algebra.Type{txt, i32}, "bc"},
		{algebra.LPad, txt, []string{"a", "3", "xy"}, []algebra.Type{txt, i32, txt}, "xya"},
		{algebra.RPad, txt, []string{"a", "3", "xy"}, []algebra.Type{txt, i32, txt}, "axy"},
		{algebra.SplitPart, txt, []string{"a,b", ",", "2"}, []algebra.Type{txt, txt, i32}, "b"},
		{algebra.Reverse, txt, []string{"abc"}, []algebra.Type{txt}, "cba"},
		{algebra.Repeat, txt, []string{"ab", "2"}, []algebra.Type{txt, i32}, "abab"},
		{algebra.Extract, num, []string{"year", "1999-12-31"}, []algebra.Type{txt, date}, "1999"},
		{algebra.Extract, num, []string{"second", "1999-12-31 10:11:12.5"}, []algebra.Type{txt, ts}, "12.500000"},
		{algebra.Extract, num, []string{"day", "3 days"}, []algebra.Type{txt, iv}, "3"},
		{algebra.DateTrunc, ts, []string{"month", "1999-12-31 10:11:12"}, []algebra.Type{txt, ts}, "1999-12-01 00:00:00"},
		{algebra.DateTrunc, iv, []string{"hour", "01:30:00"}, []algebra.Type{txt, iv}, "01:00:00"},
		{algebra.AddDays, date, []string{"1999-12-31", "1"}, []algebra.Type{date, i32}, "2000-01-01"},
		{algebra.SubDates, i32, []string{"2000-01-01", "1999-12-31"}, []algebra.Type{date, date}, "1"},
		{algebra.AddInterval, ts, []string{"2000-01-31", "1 month"}, []algebra.Type{ts, iv}, "2000-02-29 00:00:00"},
		{algebra.AddInterval, iv, []string{"1 day", "1 month"}, []algebra.Type{iv, iv}, "1 mon 1 day"},
		{algebra.SubInterval, ts, []string{"2000-03-31", "1 month"}, []algebra.Type{ts, iv}, "2000-02-29 00:00:00"},
		{algebra.SubTimes, iv, []string{"2000-01-02 01:00", "2000-01-01"}, []algebra.Type{ts, ts}, "1 day 01:00:00"},
		{algebra.MulInterval, iv, []string{"1 day", "1.5"}, []algebra.Type{iv, f64}, "1 day 12:00:00"},
		{algebra.DivInterval, iv, []string{"1 day", "2"}, []algebra.Type{iv, f64}, "12:00:00"},
	} {
		e := &algebra.Call{Func: tc.f, Typ: tc.typ, Pos: value.NoPos}
		for i, arg := range tc.args {
			e.Args = append(e.Args, constant(arg, tc.types[i]))
		}
		if got := result(e); got != tc.want {
			t.Errorf("%s: got %s, want %s", e, got, tc.want)
		}
	}
}

func result(e algebra.Expr) string {
	c, err := Constant(nil, e)
	var coded *value.Error
	switch {
	case errors.As(err, &coded):
		return "error " + coded.Code
	case err != nil:
		return err.Error()
	case c.Val.Kind == value.Null:
		return "NULL"
	}
	return Format(c.Val, c.Typ)
}

func TestConstantCaseTakesOneBranch(t *testing.T) {
	i32 := algebra.TInt32
	fails := &algebra.Call{Func: algebra.Div, Args: []algebra.Expr{constant("1", i32), constant("0", i32)}, Typ: i32, Pos: 7}
	when := func(cond string) []algebra.When {
		return []algebra.When{{Cond: constant(cond, algebra.TBool), Then: fails}}
	}
	if got := result(&algebra.Case{Whens: when("false"), Else: constant("5", i32), Typ: i32}); got != "5" {
		t.Errorf("got %s", got)
	}
	_, err := Constant(nil, &algebra.Case{Whens: when("true"), Typ: i32})
	var coded *value.Error
	if !errors.As(err, &coded) || coded.Pos != 7 {
		t.Errorf("got %v", err)
	}
	col := algebra.Column{ID: 1, Name: "x", Type: i32}
	if c, err := Constant(nil, col.Ref()); c != nil || err != nil {
		t.Errorf("a column is no constant: %v %v", c, err)
	}
}
