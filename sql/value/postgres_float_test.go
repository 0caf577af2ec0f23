package value

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// floatOperations are those of double precision.
func floatOperations() []operation {
	pair := []argument{randomDouble, randomDouble}
	one := []argument{randomDouble}
	return []operation{
		{name: "float_parse", sql: "a::float8", args: []argument{randomDoubleText}, eval: func(a []string) (string, error) { return showFloat(ParseFloat64(a[0])) }},
		{name: "float_add", sql: "a::float8 + b::float8", args: pair, eval: binaryFloat(AddFloat64)},
		{name: "float_sub", sql: "a::float8 - b::float8", args: pair, eval: binaryFloat(SubFloat64)},
		{name: "float_mul", sql: "a::float8 * b::float8", args: pair, eval: binaryFloat(MulFloat64)},
		{name: "float_div", sql: "a::float8 / b::float8", args: pair, eval: binaryFloat(DivFloat64)},
		{name: "float_power", sql: "power(a::float8, b::float8)", args: []argument{randomBase, randomBase}, eval: binaryFloat(PowerFloat64), near: lastDigit},
		{name: "float_sqrt", sql: "sqrt(a::float8)", args: one, eval: unaryFloat(SqrtFloat64)},
		{name: "float_ln", sql: "ln(a::float8)", args: one, eval: unaryFloat(LnFloat64), near: lastDigit},
		{name: "float_log10", sql: "log(a::float8)", args: one, eval: unaryFloat(Log10Float64), near: lastDigit},
		{name: "float_exp", sql: "exp(a::float8)", args: []argument{randomExponent}, eval: unaryFloat(ExpFloat64), near: lastDigit},
		{name: "float_cmp", sql: "CASE WHEN a::float8 < b::float8 THEN -1 WHEN a::float8 = b::float8 THEN 0 ELSE 1 END", args: pair, eval: func(a []string) (string, error) {
			x, err := ParseFloat64(a[0])
			if err != nil {
				return "", err
			}
			y, err := ParseFloat64(a[1])
			return strconv.Itoa(CmpFloat64(x, y)), err
		}},
		{name: "float_int2", sql: "a::float8::int2", args: []argument{randomNumber}, eval: intOfFloat(16)},
		{name: "float_int4", sql: "a::float8::int4", args: []argument{randomNumber}, eval: intOfFloat(32)},
		{name: "float_int8", sql: "a::float8::int8", args: []argument{randomNumber}, eval: intOfFloat(64)},
		floatMoment("var_samp", VarSamp), floatMoment("var_pop", VarPop), floatMoment("stddev_samp", StddevSamp), floatMoment("stddev_pop", StddevPop),
	}
}

func floatMoment(name string, m Moment) operation {
	return operation{
		name: "float_" + name,
		sql:  "(SELECT " + name + "(x::float8) FROM unnest(string_to_array(a, ' ')) AS u(x))",
		args: []argument{randomNums},
		eval: func(a []string) (string, error) {
			var moments Moments
			for text := range strings.FieldsSeq(a[0]) {
				f, err := ParseFloat64(text)
				if err != nil {
					return "", err
				}
				if err := moments.Add(f); err != nil {
					return "", err
				}
			}
			divisor := moments[0]
			if m.IsSample() {
				divisor--
			}
			if divisor <= 0 {
				return "NULL", nil
			}
			f := moments[2] / divisor
			if m == StddevSamp || m == StddevPop {
				f = math.Sqrt(f)
			}
			return FormatFloat64(f), nil
		},
	}
}

func showFloat(f float64, err error) (string, error) { return FormatFloat64(f), err }

func unaryFloat(f func(float64) (float64, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		x, err := ParseFloat64(a[0])
		if err != nil {
			return "", err
		}
		return showFloat(f(x))
	}
}

func binaryFloat(f func(x, y float64) (float64, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		x, err := ParseFloat64(a[0])
		if err != nil {
			return "", err
		}
		y, err := ParseFloat64(a[1])
		if err != nil {
			return "", err
		}
		return showFloat(f(x, y))
	}
}

func intOfFloat(bits int) func([]string) (string, error) {
	return func(a []string) (string, error) {
		f, err := ParseFloat64(a[0])
		if err != nil {
			return "", err
		}
		x, err := FloatToInt(f, bits)
		return strconv.FormatInt(x, 10), err
	}
}

// lastDigit accepts that mathematical libraries differ by a unit or two in the
// last place.
func lastDigit(got, want string) bool {
	x, err := strconv.ParseFloat(got, 64)
	if err != nil {
		return false
	}
	y, err := strconv.ParseFloat(want, 64)
	return err == nil && math.Abs(x-y) <= max(4.5e-16*math.Abs(y), math.SmallestNonzeroFloat64)
}

func randomDouble(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return []string{"0", "-0", "1", "NaN", "Infinity", "-Infinity", "1e308", "-1e308", "5e-324", "1e-300", "0.1"}[r.IntN(11)]
	case 1:
		f := math.Float64frombits(r.Uint64())
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return randomFloat(r)
}

func randomBase(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return strconv.Itoa(r.IntN(40) - 10)
	}
	if r.IntN(4) == 0 {
		return randomDouble(r)
	}
	return strconv.FormatFloat(r.NormFloat64()*10, 'g', -1, 64)
}

func randomExponent(r *rand.Rand) string {
	if r.IntN(10) == 0 {
		return randomDouble(r)
	}
	return strconv.FormatFloat(r.NormFloat64()*400, 'g', -1, 64)
}

func randomNumber(r *rand.Rand) string {
	f := r.NormFloat64() * float64(int64(1)<<r.IntN(62))
	switch r.IntN(4) {
	case 0:
		f = math.Trunc(f) + 0.5
	case 1:
		return []string{"32767.5", "32767.4", "-32768.5", "2147483647.5", "2147483647.4", "-2147483648.5", "9223372036854775807", "-9223372036854775808", "NaN", "Infinity", "0.5", "1.5", "-2.5"}[r.IntN(13)]
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func randomDoubleText(r *rand.Rand) string {
	text := randomDouble(r)
	switch r.IntN(5) {
	case 0:
		i := r.IntN(len(text))
		text = text[:i] + string("+-.eE _"[r.IntN(7)]) + text[i+r.IntN(2):]
	case 1:
		text = []string{"inf", "-inf", "+Inf", "infinity", "nan", "-nan", "1e400", "-1e400", "1e-400", " 1.5 ", "", " ", "1e", ".", "1.e1", ".5"}[r.IntN(16)]
	}
	return text
}

// Moments of two halves combine to those of the whole, but for rounding.
func TestMomentsCombine(t *testing.T) {
	values := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}
	for split := range values {
		var whole, left, right Moments
		for i, x := range values {
			half := &left
			if i >= split {
				half = &right
			}
			if err := errors.Join(whole.Add(x), half.Add(x)); err != nil {
				t.Fatal(err)
			}
		}
		if err := left.Combine(&right); err != nil {
			t.Fatal(err)
		}
		if math.Abs(left[2]-whole[2]) > 1e-12 || left[0] != whole[0] || left[1] != whole[1] {
			t.Errorf("split at %d: %v, want %v", split, left, whole)
		}
	}
	huge := Moments{1, math.MaxFloat64}
	if err := huge.Combine(&Moments{1, math.MaxFloat64}); err == nil {
		t.Error("an overflow went unnoticed")
	}
}
