package cpu

import "github.com/cubeloom/cubeloom/sql/value"

// The slice of a vector that its type uses, for operations generic in the type.

func bools(v *Vector) []uint8              { return v.Bool }
func int32s(v *Vector) []int32             { return v.I32 }
func int64s(v *Vector) []int64             { return v.I64 }
func int128s(v *Vector) []value.Int128     { return v.I128 }
func floats(v *Vector) []float64           { return v.F64 }
func nums(v *Vector) []value.Num           { return v.Num }
func intervals(v *Vector) []value.Interval { return v.Intervals }
func texts(v *Vector) []string             { return v.Str }
func codes(v *Vector) []uint32             { return v.Code }

// access gives the slice of a vector for one element type.
type access[T any] func(*Vector) []T

// unary applies f to each row that is not NULL.
func unary[A, R any](arg access[A], res access[R], f func(A) (R, error)) apply {
	return func(fr *frame) error {
		a, am, dst := arg(fr.args[0]), fr.args[0].mask(), res(fr.dst)
		return fr.valid(func(i int) (err error) {
			dst[i], err = f(a[i&am])
			return err
		})
	}
}

// infallible applies f, which cannot fail, to each row that is not NULL.
func infallible[A, R any](arg access[A], res access[R], f func(A) R) apply {
	return unary(arg, res, func(a A) (R, error) { return f(a), nil })
}

// zip applies f to each row without a NULL.
func zip[A, B, R any](first access[A], second access[B], res access[R], f func(A, B) (R, error)) apply {
	return func(fr *frame) error {
		a, am := first(fr.args[0]), fr.args[0].mask()
		b, bm, dst := second(fr.args[1]), fr.args[1].mask(), res(fr.dst)
		return fr.valid(func(i int) (err error) {
			dst[i], err = f(a[i&am], b[i&bm])
			return err
		})
	}
}

// The loops below are those of functions whose cost grows with their arguments.

// metered is unary for such a function.
func metered[A, R any](arg access[A], res access[R], f func(*value.Meter, A) (R, error)) apply {
	return func(fr *frame) error {
		a, am, dst := arg(fr.args[0]), fr.args[0].mask(), res(fr.dst)
		return fr.valid(func(i int) (err error) {
			dst[i], err = f(fr.meter, a[i&am])
			return err
		})
	}
}

// metered2 is zip for such a function.
func metered2[A, B, R any](first access[A], second access[B], res access[R], f func(*value.Meter, A, B) (R, error)) apply {
	return func(fr *frame) error {
		a, am := first(fr.args[0]), fr.args[0].mask()
		b, bm, dst := second(fr.args[1]), fr.args[1].mask(), res(fr.dst)
		return fr.valid(func(i int) (err error) {
			dst[i], err = f(fr.meter, a[i&am], b[i&bm])
			return err
		})
	}
}

// metered3 is zip3 for such a function.
func metered3[A, B, C, R any](first access[A], second access[B], third access[C], res access[R], f func(*value.Meter, A, B, C) (R, error)) apply {
	return func(fr *frame) error {
		a, am := first(fr.args[0]), fr.args[0].mask()
		b, bm := second(fr.args[1]), fr.args[1].mask()
		c, cm, dst := third(fr.args[2]), fr.args[2].mask(), res(fr.dst)
		return fr.valid(func(i int) (err error) {
			dst[i], err = f(fr.meter, a[i&am], b[i&bm], c[i&cm])
			return err
		})
	}
}
