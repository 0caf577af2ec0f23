package value

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// numOperations are those of numeric and of the conversions to and from it.
func numOperations() []operation {
	pair := []argument{randomNum, randomNum}
	one := []argument{randomNum}
	scaled := []argument{randomNum, randomScale}
	return []operation{
		{name: "num_parse", sql: "a::numeric", args: []argument{randomNumText}, eval: func(a []string) (string, error) { return show(ParseNum(a[0])) }, near: beyondDigits},
		{name: "num_add", sql: "a::numeric + b::numeric", args: pair, eval: binaryNum(Num.Add), near: beyondDigits},
		{name: "num_sub", sql: "a::numeric - b::numeric", args: pair, eval: binaryNum(Num.Sub), near: beyondDigits},
		{name: "num_mul", sql: "a::numeric * b::numeric", args: pair, eval: binaryNum(Num.Mul), near: beyondDigits},
		{name: "num_div", sql: "a::numeric / b::numeric", args: pair, eval: binaryNum(Num.Div), near: beyondDigits},
		{name: "num_mod", sql: "a::numeric % b::numeric", args: pair, eval: binaryNum(Num.Mod), near: beyondDigits},
		{name: "num_cmp", sql: "CASE WHEN a::numeric < b::numeric THEN -1 WHEN a::numeric = b::numeric THEN 0 ELSE 1 END", args: pair, eval: func(a []string) (string, error) {
			n, m, err := twoNums(a)
			return strconv.Itoa(n.Cmp(m)), err
		}},
		{name: "num_round", sql: "round(a::numeric, b::int)", args: scaled, eval: scaledNum(Num.Round), near: beyondDigits},
		{name: "num_trunc", sql: "trunc(a::numeric, b::int)", args: scaled, eval: scaledNum(Num.Trunc), near: beyondDigits},
		{name: "num_floor", sql: "floor(a::numeric)", args: one, eval: unaryNum(Num.Floor)},
		{name: "num_ceil", sql: "ceil(a::numeric)", args: one, eval: unaryNum(Num.Ceil)},
		{name: "num_abs", sql: "abs(a::numeric)", args: one, eval: unaryNum(func(n Num) (Num, error) { return n.Abs(), nil })},
		{name: "num_neg", sql: "-(a::numeric)", args: one, eval: unaryNum(func(n Num) (Num, error) { return n.Neg(), nil })},
		{name: "num_sign", sql: "sign(a::numeric)", args: one, eval: unaryNum(func(n Num) (Num, error) { return NumOf(int64(n.Sign())), nil })},
		{name: "num_int2", sql: "a::numeric::int2", args: one, eval: intOfNum(16)},
		{name: "num_int4", sql: "a::numeric::int4", args: one, eval: intOfNum(32)},
		{name: "num_int8", sql: "a::numeric::int8", args: one, eval: intOfNum(64)},
		{name: "num_float8", sql: "a::numeric::float8", args: one, eval: func(a []string) (string, error) {
			n, err := ParseNum(a[0])
			return FormatFloat64(n.Float64()), err
		}},
		{name: "float8_num", sql: "a::float8::numeric", args: []argument{randomFloat}, eval: func(a []string) (string, error) {
			f, err := strconv.ParseFloat(a[0], 64)
			if err != nil {
				return "", err
			}
			return show(NumFromFloat64(f))
		}, near: beyondDigits},
		{name: "num_decimal", sql: "a::numeric::numeric(12,3)", args: one, eval: func(a []string) (string, error) {
			n, err := ParseNum(a[0])
			if err != nil {
				return "", err
			}
			x, err := n.Decimal(12, 3)
			return string(AppendDecimal(nil, x, 3)), err
		}},
		{name: "num_sqrt", sql: "sqrt(a::numeric)", args: one, eval: unaryNum(Num.Sqrt), near: beyondDigits},
		{name: "num_ln", sql: "ln(a::numeric)", args: []argument{randomLogArgument}, eval: unaryNum(Num.Ln), near: beyondDigits},
		{name: "num_log10", sql: "log(a::numeric)", args: []argument{randomLogArgument}, eval: unaryNum(Num.Log10), near: beyondDigits},
		{name: "num_exp", sql: "exp(a::numeric)", args: []argument{randomNumExponent}, eval: unaryNum(Num.Exp), near: beyondDigits},
		{name: "num_power", sql: "power(a::numeric, b::numeric)", args: []argument{randomNumBase, randomNumExponent}, eval: binaryNum(Num.Power), near: powerNearOne},
		moment("var_samp", VarSamp), moment("var_pop", VarPop), moment("stddev_samp", StddevSamp), moment("stddev_pop", StddevPop),
		{name: "num_avg", sql: "(SELECT avg(x::numeric) FROM unnest(string_to_array(a, ' ')) AS u(x))", args: []argument{randomNums}, eval: func(a []string) (string, error) {
			sum, _, count, err := sums(a[0])
			if err != nil {
				return "", err
			}
			return show(Avg(sum, count))
		}},
	}
}

// moment compares an aggregate over a list of numbers.
func moment(name string, m Moment) operation {
	return operation{name: name, sql: "(SELECT " + name + "(x::numeric) FROM unnest(string_to_array(a, ' ')) AS u(x))", args: []argument{randomNums}, eval: func(a []string) (string, error) {
		sum, sumSq, count, err := sums(a[0])
		if err != nil {
			return "", err
		}
		n, ok, err := MomentNum(m, count, sum, sumSq)
		if err == nil && !ok {
			return "NULL", nil
		}
		return show(n, err)
	}, near: beyondDigits}
}

// sums returns the sum and the sum of squares of numbers between blanks.
func sums(list string) (sum, sumSq Num, count int64, err error) {
	for text := range strings.FieldsSeq(list) {
		n, err := ParseNum(text)
		if err != nil {
			return sum, sumSq, 0, err
		}
		square, err := n.Mul(n)
		if err != nil {
			return sum, sumSq, 0, err
		}
		if sum, err = sum.Add(n); err != nil {
			return sum, sumSq, 0, err
		}
		if sumSq, err = sumSq.Add(square); err != nil {
			return sum, sumSq, 0, err
		}
		count++
	}
	return sum, sumSq, count, nil
}

func show(n Num, err error) (string, error) { return n.String(), err }

func unaryNum(f func(Num) (Num, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		n, err := ParseNum(a[0])
		if err != nil {
			return "", err
		}
		return show(f(n))
	}
}

func twoNums(a []string) (n, m Num, err error) {
	if n, err = ParseNum(a[0]); err == nil {
		m, err = ParseNum(a[1])
	}
	return n, m, err
}

func binaryNum(f func(n, m Num) (Num, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		n, m, err := twoNums(a)
		if err != nil {
			return "", err
		}
		return show(f(n, m))
	}
}

func scaledNum(f func(n Num, scale int) (Num, error)) func([]string) (string, error) {
	return func(a []string) (string, error) {
		n, err := ParseNum(a[0])
		if err != nil {
			return "", err
		}
		scale, err := strconv.Atoi(a[1])
		if err != nil {
			return "", err
		}
		return show(f(n, scale))
	}
}

func intOfNum(bits int) func([]string) (string, error) {
	return func(a []string) (string, error) {
		n, err := ParseNum(a[0])
		if err != nil {
			return "", err
		}
		x, err := n.Int(bits)
		return strconv.FormatInt(x, 10), err
	}
}

// beyondDigits accepts the overflow of a Num where PostgreSQL's answer has more
// digits than a Num holds.
func beyondDigits(got, want string) bool {
	if got != "!22003 value overflows numeric format" || strings.HasPrefix(want, "!") {
		return false
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(want, "-"), ".")
	return len(strings.TrimLeft(whole+fraction, "0")) > MaxDigits || len(fraction) > maxScale
}

// powerNearOne accepts the last digit of a power very near 1, where PostgreSQL
// rounds an inexact result.
func powerNearOne(got, want string) bool {
	n, err := ParseNum(got)
	if err != nil {
		return beyondDigits(got, want)
	}
	m, err := ParseNum(want)
	if err != nil || n.Scale != m.Scale {
		return false
	}
	diff, err := n.Sub(m)
	if err != nil || diff.Coef != Int128Of(1) && diff.Coef != Int128Of(-1) {
		return false
	}
	return math.Abs(n.Float64()-1) < 1e-10
}

// randomDigits draws up to n digits, often few and often round ones.
func randomDigits(r *rand.Rand, n int) string {
	digits := make([]byte, 1+r.IntN(1+r.IntN(n)))
	for i := range digits {
		digits[i] = byte('0' + r.IntN(10))
	}
	switch r.IntN(6) {
	case 0: // a run of nines or zeros
		fill := "09"[r.IntN(2)]
		for i := r.IntN(len(digits)); i < len(digits); i++ {
			digits[i] = fill
		}
	case 1:
		digits[len(digits)-1] = '5'
	}
	return string(digits)
}

// randomNum draws a numeric of at most 38 digits.
func randomNum(r *rand.Rand) string {
	total := []int{3, 8, 18, 38}[r.IntN(4)]
	text := randomDigits(r, total)
	if left := total - len(text); left > 0 && r.IntN(3) > 0 {
		text += "." + randomDigits(r, left)
	} else if r.IntN(8) == 0 {
		text = "0." + strings.Repeat("0", r.IntN(20)) + randomDigits(r, 18)
	}
	if r.IntN(3) == 0 {
		text = "-" + text
	}
	return text
}

// randomNumText draws text that is mostly a numeric.
func randomNumText(r *rand.Rand) string {
	text := randomNum(r)
	if r.IntN(2) == 0 {
		text += "e" + strconv.Itoa(r.IntN(40)-20)
	}
	switch r.IntN(6) {
	case 0:
		text = " " + text + "  "
	case 1:
		i := r.IntN(len(text))
		text = text[:i] + string("+-.eE x_"[r.IntN(8)]) + text[i+r.IntN(2):]
	}
	return text
}

func randomScale(r *rand.Rand) string { return strconv.Itoa(r.IntN(50) - 20) }

func randomFloat(r *rand.Rand) string {
	f := r.NormFloat64()
	switch r.IntN(3) {
	case 0:
		f *= float64(int64(1) << r.IntN(62))
	case 1:
		f, _ = strconv.ParseFloat(randomNum(r), 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// randomNums draws a few numbers, which often share a scale.
func randomNums(r *rand.Rand) string {
	var list []string
	scale := r.IntN(5)
	for range 1 + r.IntN(8) {
		text := strconv.Itoa(r.IntN(1 + r.IntN(1_000_000)))
		if r.IntN(5) == 0 {
			scale = r.IntN(5)
		}
		if scale > 0 {
			text += "." + strings.Repeat("0", r.IntN(scale)) + strconv.Itoa(r.IntN(10))
		}
		if r.IntN(4) == 0 {
			text = "-" + text
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// randomLogArgument draws numbers that are often near 1.
func randomLogArgument(r *rand.Rand) string {
	switch r.IntN(3) {
	case 0:
		return "1." + strings.Repeat("0", r.IntN(15)) + randomDigits(r, 10)
	case 1:
		return "0." + strings.Repeat("9", r.IntN(15)) + randomDigits(r, 10)
	}
	return randomNum(r)
}

func randomNumExponent(r *rand.Rand) string {
	text := strconv.Itoa(r.IntN(80) - 40)
	if r.IntN(2) == 0 {
		text += "." + randomDigits(r, 6)
	}
	if r.IntN(10) == 0 {
		return randomNum(r)
	}
	return text
}

func randomNumBase(r *rand.Rand) string {
	text := strconv.Itoa(r.IntN(60) - 10)
	switch r.IntN(4) {
	case 0:
		text = randomLogArgument(r)
	case 1, 2:
		text += "." + randomDigits(r, 6)
	}
	return text
}
