package compile

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// conversions are the closures of OpConvert by the types that they change
// between; scale is Aux.Scale.
type conversions map[[2]kernel.Type]func(scale int) apply

// addConversions registers OpConvert.
func (t opTable) addConversions() {
	table := make(conversions)
	table.addIntegers()
	table.addDecimals()
	table.addTexts()
	for pair := range table {
		t[opKey{kernel.OpConvert, pair[0]}] = operation{make: func(c *Compiler, in *kernel.Compute) apply {
			from, to := c.Kernel.Values[in.Args[0]].Type, c.Kernel.Values[in.Dst].Type
			convert, ok := table[[2]kernel.Type{from, to}]
			if !ok {
				panic(value.Errorf(value.CodeFeatureNotSupported, "conversion from %s to %s is not supported", from, to))
			}
			return convert(in.Aux.Scale)
		}}
	}
}

// always makes a conversion that knows no scale.
func always(run apply) func(int) apply { return func(int) apply { return run } }

func (t conversions) addIntegers() {
	t[[2]kernel.Type{kernel.I32, kernel.I64}] = always(widen[int32, int64])
	t[[2]kernel.Type{kernel.I32, kernel.I128}] = always(infallible(func(a int32) value.Int128 { return value.Int128Of(int64(a)) }))
	t[[2]kernel.Type{kernel.I64, kernel.I128}] = always(infallible(value.Int128Of))
	t[[2]kernel.Type{kernel.I32, kernel.F64}] = always(widen[int32, float64])
	t[[2]kernel.Type{kernel.Bool, kernel.I32}] = always(infallible(func(a uint8) int32 { return int32(a) }))
	t[[2]kernel.Type{kernel.I32, kernel.Bool}] = always(infallible(func(a int32) uint8 { return vector.B2u(a != 0) }))
	t[[2]kernel.Type{kernel.I64, kernel.I32}] = always(narrow)
	t[[2]kernel.Type{kernel.I128, kernel.I64}] = always(unary(func(a value.Int128) (int64, error) {
		return int64(a.Lo), intRange(a.IsInt64(), 64)
	}))
	t[[2]kernel.Type{kernel.I128, kernel.I32}] = always(unary(func(a value.Int128) (int32, error) {
		return int32(a.Lo), intRange(a.IsInt64() && int64(a.Lo) == int64(int32(a.Lo)), 32)
	}))
	t[[2]kernel.Type{kernel.F64, kernel.I32}] = always(unary(func(a float64) (int32, error) {
		x, err := value.FloatToInt(a, 32)
		return int32(x), err
	}))
}

// intRange is PostgreSQL's range error unless ok.
func intRange(ok bool, bits int) error {
	if ok {
		return nil
	}
	return value.ErrIntRange(bits)
}

// narrow converts integers of 64 bits to integers of 32, and looks for the row that does not fit only
// where one does not.
func narrow(f *frame) {
	a, m, dst := vector.Of[int64](f.args[0]), f.args[0].Mask(), vector.Of[int32](f.dst)
	bad := int64(0)
	if f.sel == nil && m != 0 {
		dst = dst[:f.n]
		for i, x := range a[:len(dst)] {
			dst[i] = int32(x)
			bad |= x ^ int64(int32(x))
		}
	} else {
		for _, i := range f.rows() {
			x := a[int(i)&m]
			dst[i] = int32(x)
			bad |= x ^ int64(int32(x))
		}
	}
	if bad != 0 {
		f.valid(func(i int) { sqlstate.Check(value.CheckInt(a[i&m], 32)) })
	}
}

// widen converts integers to integers of 64 bits or to double precision.
func widen[A int32 | int64, R int64 | float64](f *frame) {
	a, m, dst := vector.Of[A](f.args[0]), f.args[0].Mask(), vector.Of[R](f.dst)[:f.n]
	if f.sel == nil && m != 0 {
		a = a[:len(dst)]
		for i := range dst {
			dst[i] = R(a[i])
		}
		return
	}
	for _, i := range f.rows() {
		dst[i] = R(a[int(i)&m])
	}
}

// addDecimals registers the conversions of integers of a scale to and from
// numeric and double precision.
func (t conversions) addDecimals() {
	t[[2]kernel.Type{kernel.I32, kernel.Num}] = always(infallible(func(a int32) value.Num { return value.NumOf(int64(a)) }))
	t[[2]kernel.Type{kernel.I64, kernel.Num}] = func(scale int) apply {
		return infallible(func(a int64) value.Num {
			return value.Num{Coef: value.Int128Of(a), Scale: uint8(scale)}
		})
	}
	t[[2]kernel.Type{kernel.I128, kernel.Num}] = func(scale int) apply {
		return infallible(func(a value.Int128) value.Num { return value.Num{Coef: a, Scale: uint8(scale)} })
	}
	t[[2]kernel.Type{kernel.I64, kernel.F64}] = func(scale int) apply {
		if scale == 0 {
			return widen[int64, float64]
		}
		return decimalsToFloats(scale)
	}
	t[[2]kernel.Type{kernel.I128, kernel.F64}] = func(scale int) apply {
		return infallible(func(a value.Int128) float64 {
			return value.Num{Coef: a, Scale: uint8(scale)}.Float64()
		})
	}
	t[[2]kernel.Type{kernel.Num, kernel.I32}] = always(unary(func(a value.Num) (int32, error) {
		x, err := a.Int(32)
		return int32(x), err
	}))
	t[[2]kernel.Type{kernel.Num, kernel.I64}] = func(scale int) apply {
		return unary(func(a value.Num) (int64, error) { return unscaled64(a, scale) })
	}
	t[[2]kernel.Type{kernel.Num, kernel.I128}] = func(scale int) apply {
		return unary(func(a value.Num) (value.Int128, error) { return a.Unscaled(scale) })
	}
	t[[2]kernel.Type{kernel.Num, kernel.F64}] = always(infallible(value.Num.Float64))
	t[[2]kernel.Type{kernel.F64, kernel.Num}] = always(unary(value.NumFromFloat64))
	t[[2]kernel.Type{kernel.F64, kernel.I64}] = func(scale int) apply { return floatToInt64(scale) }
	t[[2]kernel.Type{kernel.F64, kernel.I128}] = func(scale int) apply {
		return unary(func(a float64) (value.Int128, error) {
			n, err := value.NumFromFloat64(a)
			if err != nil {
				return value.Int128{}, err
			}
			return n.Unscaled(scale)
		})
	}
}

// decimalsToFloats converts decimals of a scale to double precision. Where both are exact in double
// precision, a number and the power of ten that divides it, the quotient is the nearest.
func decimalsToFloats(scale int) apply {
	const exact = 1 << 53
	power := math.Pow10(scale)
	return func(f *frame) {
		a, m, dst := vector.Of[int64](f.args[0]), f.args[0].Mask(), vector.Of[float64](f.dst)
		for _, i := range f.rows() {
			x := a[int(i)&m]
			if x < -exact || x > exact || scale > maxExactPower {
				dst[i] = value.Num{Coef: value.Int128Of(x), Scale: uint8(scale)}.Float64()
				continue
			}
			dst[i] = float64(x) / power
		}
	}
}

// maxExactPower is the greatest power of ten that is exact in double precision.
const maxExactPower = 22

// unscaled64 is a numeric as a 64-bit integer of a scale.
func unscaled64(a value.Num, scale int) (int64, error) {
	if scale == 0 {
		return a.Int(64)
	}
	x, err := a.Unscaled(scale)
	if err == nil && !x.IsInt64() {
		err = errNumericRange()
	}
	return int64(x.Lo), err
}

// floatToInt64 rounds half to even for integers; decimals go by way of numeric.
func floatToInt64(scale int) apply {
	if scale == 0 {
		return unary(func(a float64) (int64, error) { return value.FloatToInt(a, 64) })
	}
	return unary(func(a float64) (int64, error) {
		n, err := value.NumFromFloat64(a)
		if err != nil {
			return 0, err
		}
		return unscaled64(n, scale)
	})
}

// addTexts registers the conversions of texts to decimals.
func (t conversions) addTexts() {
	t[[2]kernel.Type{kernel.Str, kernel.Num}] = always(unary(value.ParseNum))
	t[[2]kernel.Type{kernel.Str, kernel.I64}] = func(scale int) apply {
		return unary(func(a string) (int64, error) {
			n, err := value.ParseNum(a)
			if err != nil {
				return 0, err
			}
			return unscaled64(n, scale)
		})
	}
	t[[2]kernel.Type{kernel.Str, kernel.I128}] = func(scale int) apply {
		return unary(parseUnscaled(scale))
	}
}
