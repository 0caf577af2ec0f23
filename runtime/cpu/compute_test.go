package cpu

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// opCase is an operation with a reference that computes one row, none of the
// operands being NULL unless lenient is set.
type opCase struct {
	op      kernel.Op
	args    []kernel.Type
	res     kernel.Type
	aux     kernel.Aux
	checked bool
	small   bool // operands for which an unchecked operation cannot overflow
	lenient bool
	want    func(args []any) (any, error)
}

// bigOf is an integer cell.
func bigOf(x any) *big.Int {
	if n, ok := x.(int); ok {
		return big.NewInt(int64(n))
	}
	return x.(value.Int128).Big()
}

// fitted makes a cell of type t of an integer, or the error of its type.
func fitted(t kernel.Type, x *big.Int) (any, error) {
	switch {
	case t == kernel.I128:
		if v, ok := value.Int128FromBig(x); ok {
			return v, nil
		}
		return nil, value.Errorf(value.CodeNumericOutOfRange, "numeric field overflow")
	case !x.IsInt64():
		return nil, value.ErrIntRange(map[kernel.Type]int{kernel.I32: 32, kernel.I64: 64}[t])
	case t == kernel.I32:
		return int(x.Int64()), value.CheckInt(x.Int64(), 32)
	}
	return int(x.Int64()), nil
}

// integerCases are the operations on integers, by big integers.
func integerCases() []opCase {
	var cases []opCase
	ops := map[kernel.Op]func(z, a, b *big.Int) *big.Int{
		kernel.OpAdd: (*big.Int).Add, kernel.OpSub: (*big.Int).Sub, kernel.OpMul: (*big.Int).Mul,
	}
	for op, f := range ops {
		for _, t := range []kernel.Type{kernel.I32, kernel.I64, kernel.I128} {
			for _, checked := range []bool{true, false} {
				cases = append(cases, opCase{op: op, args: []kernel.Type{t, t}, res: t, checked: checked, small: !checked,
					want: func(args []any) (any, error) {
						return fitted(t, f(new(big.Int), bigOf(args[0]), bigOf(args[1])))
					}})
			}
		}
	}
	cases = append(cases, opCase{op: kernel.OpMul, args: []kernel.Type{kernel.I64, kernel.I64}, res: kernel.I128,
		want: func(args []any) (any, error) {
			return fitted(kernel.I128, new(big.Int).Mul(bigOf(args[0]), bigOf(args[1])))
		}})
	for _, t := range []kernel.Type{kernel.I32, kernel.I64, kernel.I128} {
		for op, f := range map[kernel.Op]func(z, a, b *big.Int) *big.Int{kernel.OpDiv: (*big.Int).Quo, kernel.OpMod: (*big.Int).Rem} {
			if op == kernel.OpDiv && t == kernel.I128 {
				continue
			}
			cases = append(cases, opCase{op: op, args: []kernel.Type{t, t}, res: t, checked: true,
				want: func(args []any) (any, error) {
					if bigOf(args[1]).Sign() == 0 {
						return nil, value.Errorf(value.CodeDivisionByZero, "division by zero")
					}
					return fitted(t, f(new(big.Int), bigOf(args[0]), bigOf(args[1])))
				}})
		}
		cases = append(cases, opCase{op: kernel.OpNeg, args: []kernel.Type{t}, res: t, checked: true,
			want: func(args []any) (any, error) { return fitted(t, new(big.Int).Neg(bigOf(args[0]))) }})
		cases = append(cases, opCase{op: kernel.OpAbs, args: []kernel.Type{t}, res: t, checked: true,
			want: func(args []any) (any, error) { return fitted(t, new(big.Int).Abs(bigOf(args[0]))) }})
	}
	return cases
}

// rescaleCases multiply and divide by powers of ten.
func rescaleCases() []opCase {
	var cases []opCase
	for _, k := range []int{0, 2, 5, -1, -4} {
		for _, small := range []bool{true, false} {
			cases = append(cases,
				opCase{op: kernel.OpRescale, args: []kernel.Type{kernel.I64}, res: kernel.I64, aux: kernel.Aux{Scale: k}, checked: !small, small: small,
					want: func(args []any) (any, error) {
						r, ok := value.Rescale64(int64(args[0].(int)), k)
						if !ok {
							return nil, value.Errorf(value.CodeNumericOutOfRange, "numeric field overflow")
						}
						return int(r), nil
					}},
				opCase{op: kernel.OpRescale, args: []kernel.Type{kernel.I128}, res: kernel.I128, aux: kernel.Aux{Scale: k}, checked: !small, small: small,
					want: func(args []any) (any, error) {
						r, ok := args[0].(value.Int128).Rescale(k)
						if !ok {
							return nil, value.Errorf(value.CodeNumericOutOfRange, "numeric field overflow")
						}
						return r, nil
					}})
		}
	}
	return cases
}

// orderCases are the comparisons of every type that has an order.
func orderCases() []opCase {
	var cases []opCase
	for _, t := range sortableTypes {
		for _, op := range []kernel.Op{kernel.OpEq, kernel.OpNe, kernel.OpLt, kernel.OpLe, kernel.OpGt, kernel.OpGe, kernel.OpDistinct} {
			if t == kernel.Code {
				continue
			}
			cases = append(cases, opCase{op: op, args: []kernel.Type{t, t}, res: kernel.Bool, lenient: op == kernel.OpDistinct,
				want: func(args []any) (any, error) { return compare3(op, args[0], args[1]) == 1, nil }})
		}
	}
	return cases
}

// floatCases are arithmetic on double precision and conversions to it.
func floatCases() []opCase {
	f := []kernel.Type{kernel.F64, kernel.F64}
	two := func(g func(a, b float64) (float64, error)) func([]any) (any, error) {
		return func(args []any) (any, error) { return g(args[0].(float64), args[1].(float64)) }
	}
	return []opCase{
		{op: kernel.OpAdd, args: f, res: kernel.F64, want: two(value.AddFloat64)},
		{op: kernel.OpSub, args: f, res: kernel.F64, want: two(value.SubFloat64)},
		{op: kernel.OpMul, args: f, res: kernel.F64, want: two(value.MulFloat64)},
		{op: kernel.OpDiv, args: f, res: kernel.F64, want: two(value.DivFloat64)},
		{op: kernel.OpConvert, args: f[:1], res: kernel.I32, want: func(args []any) (any, error) {
			x, err := value.FloatToInt(args[0].(float64), 32)
			return int(x), err
		}},
		{op: kernel.OpConvert, args: []kernel.Type{kernel.I64}, res: kernel.F64, want: func(args []any) (any, error) {
			return float64(args[0].(int)), nil
		}},
		{op: kernel.OpConvert, args: []kernel.Type{kernel.I32}, res: kernel.I64, want: func(args []any) (any, error) {
			return args[0], nil
		}},
		{op: kernel.OpConvert, args: []kernel.Type{kernel.I64}, res: kernel.I32, checked: true, want: func(args []any) (any, error) {
			return args[0], value.CheckInt(int64(args[0].(int)), 32)
		}},
		{op: kernel.OpConvert, args: []kernel.Type{kernel.I64}, res: kernel.Num, aux: kernel.Aux{Scale: 2}, want: func(args []any) (any, error) {
			return dec(int64(args[0].(int)), 2), nil
		}},
		{op: kernel.OpConvert, args: []kernel.Type{kernel.Num}, res: kernel.I64, aux: kernel.Aux{Scale: 1}, want: func(args []any) (any, error) {
			x, err := args[0].(value.Num).Unscaled(1)
			return int(x.Lo), err
		}},
	}
}

// otherCases are NULL tests, text, and what makes NULLs.
func otherCases() []opCase {
	text := []kernel.Type{kernel.Str}
	pair := []kernel.Type{kernel.Bool, kernel.Bool}
	return []opCase{
		{op: kernel.OpAnd, args: pair, res: kernel.Bool, lenient: true, want: func(args []any) (any, error) {
			switch {
			case args[0] == false || args[1] == false:
				return false, nil
			case args[0] == nil || args[1] == nil:
				return nil, nil
			}
			return true, nil
		}},
		{op: kernel.OpOr, args: pair, res: kernel.Bool, lenient: true, want: func(args []any) (any, error) {
			switch {
			case args[0] == true || args[1] == true:
				return true, nil
			case args[0] == nil || args[1] == nil:
				return nil, nil
			}
			return false, nil
		}},
		{op: kernel.OpNot, args: pair[:1], res: kernel.Bool, want: func(args []any) (any, error) { return args[0] == false, nil }},
		{op: kernel.OpIsNull, args: []kernel.Type{kernel.I64}, res: kernel.Bool, lenient: true, want: func(args []any) (any, error) { return args[0] == nil, nil }},
		{op: kernel.OpIsTrue, args: []kernel.Type{kernel.Bool}, res: kernel.Bool, lenient: true, want: func(args []any) (any, error) { return args[0] == true, nil }},
		{op: kernel.OpIsFalse, args: []kernel.Type{kernel.Bool}, res: kernel.Bool, lenient: true, want: func(args []any) (any, error) { return args[0] == false, nil }},
		{op: kernel.OpUpper, args: text, res: kernel.Str, want: func(args []any) (any, error) { return value.Upper(nil, args[0].(string)), nil }},
		{op: kernel.OpLength, args: text, res: kernel.I32, want: func(args []any) (any, error) { return value.Length(nil, args[0].(string)), nil }},
		{op: kernel.OpConcat, args: []kernel.Type{kernel.Str, kernel.Str}, res: kernel.Str, want: func(args []any) (any, error) { return args[0].(string) + args[1].(string), nil }},
		{op: kernel.OpSubstring, args: []kernel.Type{kernel.Str, kernel.I32, kernel.I32}, res: kernel.Str, want: func(args []any) (any, error) {
			return value.Substring(nil, args[0].(string), int64(args[1].(int)), int64(args[2].(int)))
		}},
		{op: kernel.OpLike, args: []kernel.Type{kernel.Str, kernel.Str, kernel.Str}, res: kernel.Bool, want: func(args []any) (any, error) {
			like, err := value.NewLike(nil, args[1].(string), args[2].(string), false)
			if err != nil {
				return nil, err
			}
			return like.Match(nil, args[0].(string))
		}},
		{op: kernel.OpDecode, args: []kernel.Type{kernel.Code}, res: kernel.Str, want: func(args []any) (any, error) { return args[0], nil }},
		{op: kernel.OpAvgNum, args: []kernel.Type{kernel.I64, kernel.I64}, res: kernel.Num, aux: kernel.Aux{Scale: 2}, small: true, want: func(args []any) (any, error) {
			if args[1] == 0 {
				return nil, nil
			}
			return value.Avg(dec(int64(args[0].(int)), 2), int64(args[1].(int)))
		}},
		{op: kernel.OpExtractDate, args: []kernel.Type{kernel.I32}, res: kernel.I32, aux: kernel.Aux{Field: "year"}, small: true, want: func(args []any) (any, error) {
			return int(value.ExtractDate(value.Year, int32(args[0].(int)))), nil
		}},
		{op: kernel.OpFormat, args: []kernel.Type{kernel.Num}, res: kernel.Str, want: func(args []any) (any, error) { return args[0].(value.Num).String(), nil }},
	}
}

// operand makes a cell: for small cases one whose product with another fits.
func (tc *opCase) operand(rng *rand.Rand, t kernel.Type) any {
	x := randomCell(rng, t)
	if x == nil || !tc.small {
		return x
	}
	switch t {
	case kernel.I128:
		return i128(rng.Int64N(1<<40) - 1<<39)
	case kernel.I32, kernel.I64:
		return rng.IntN(20000) - 10000
	}
	return x
}

// sameCell compares results; not a number is the same as itself.
func sameCell(a, b any) bool {
	if x, ok := a.(float64); ok && math.IsNaN(x) {
		y, ok := b.(float64)
		return ok && math.IsNaN(y)
	}
	return a == b
}

// TestOperations computes every case on batches of each shape: all rows or a
// selection, each operand varying or constant, with NULLs, and compares each
// row with the reference. An error must be raised just when an active row has
// it, and must be that of such a row.
func TestOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var cases []opCase
	for _, group := range [][]opCase{integerCases(), rescaleCases(), orderCases(), floatCases(), otherCases()} {
		cases = append(cases, group...)
	}
	for _, tc := range cases {
		t.Run(fmt.Sprintf("%s%v%s", tc.op, tc.args, tc.res), func(t *testing.T) {
			for range 60 {
				tc.run(t, rng)
			}
		})
	}
}

func (tc *opCase) run(t *testing.T, rng *rand.Rand) {
	rows := 1 + rng.IntN(20)
	b := &vector.Batch{Rows: rows}
	cells := make([][]any, len(tc.args))
	in := &kernel.Compute{Op: tc.op, Dst: kernel.ValueID(len(tc.args)), Aux: tc.aux, Checked: tc.checked, Pos: 7}
	for i, typ := range tc.args {
		in.Args = append(in.Args, kernel.ValueID(i))
		n := rows
		if rng.IntN(3) == 0 {
			n = 1
		}
		cells[i] = make([]any, n)
		for j := range cells[i] {
			cells[i][j] = tc.operand(rng, typ)
		}
		v := vectorOf(typ, cells[i], dictionaryOf(cells[i]))
		v.Const = n == 1
		b.Vals = append(b.Vals, v)
	}
	b.Vals = append(b.Vals, nil)
	if rng.IntN(2) == 0 {
		b.Sel = []int32{}
		for i := range rows {
			if rng.IntN(2) == 0 {
				b.Sel = append(b.Sel, int32(i))
			}
		}
		if len(b.Sel) == 0 {
			return
		}
	}
	f := funcOf(append(tc.args[:len(tc.args):len(tc.args)], tc.res), len(tc.args), nil, &kernel.Materialize{})
	c := compile.New(&exec.Worker{Rows: rows, Run: &exec.Run{Kernel: f}}, compile.NewShared(f, nil))
	step := c.InPlace(kernel.Block{in})
	tc.check(t, b, cells, sqlstate.Run(func() { step(b) }))
}

// check compares what a step made with the reference.
func (tc *opCase) check(t *testing.T, b *vector.Batch, cells [][]any, got error) {
	t.Helper()
	failures := map[string]bool{}
	for _, i := range b.ActiveRows() {
		args := make([]any, len(cells))
		hasNull := false
		for j := range cells {
			args[j] = cells[j][min(int(i), len(cells[j])-1)]
			hasNull = hasNull || args[j] == nil
		}
		var want any
		var err error
		if !hasNull || tc.lenient {
			want, err = tc.want(args)
		}
		if err != nil {
			failures[err.Error()] = true
			continue
		}
		if got == nil {
			if x := cell(b.Vals[len(cells)], int(i)); !sameCell(x, want) {
				t.Fatalf("%s%v gives %v, want %v", tc.op, args, x, want)
			}
		}
	}
	switch {
	case got == nil && len(failures) > 0:
		t.Fatalf("no error, want one of %v", failures)
	case got != nil:
		var e *value.Error
		if !errors.As(got, &e) || !failures[e.Error()] || e.Pos != 7 {
			t.Fatalf("error %v (%+v), want one of %v", got, e, failures)
		}
	}
}
