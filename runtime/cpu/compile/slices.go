package compile

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// unary applies f to each row that is not NULL.
func unary[A, R any](f func(A) (R, error)) apply {
	return func(fr *frame) {
		a, am, dst, null := vector.Of[A](fr.args[0]), fr.args[0].Mask(), vector.Of[R](fr.dst), fr.dst.Null
		for _, i := range fr.rows() {
			if null != nil && null[i] != 0 {
				continue
			}
			r, err := f(a[int(i)&am])
			if err != nil {
				panic(err)
			}
			dst[i] = r
		}
	}
}

// infallible applies f, which cannot fail, to each row that is not NULL.
func infallible[A, R any](f func(A) R) apply {
	return func(fr *frame) {
		a, am, dst, null := vector.Of[A](fr.args[0]), fr.args[0].Mask(), vector.Of[R](fr.dst), fr.dst.Null
		for _, i := range fr.rows() {
			if null == nil || null[i] == 0 {
				dst[i] = f(a[int(i)&am])
			}
		}
	}
}

// zip applies f to each row without a NULL.
func zip[A, B, R any](f func(A, B) (R, error)) apply {
	return func(fr *frame) {
		a, am := vector.Of[A](fr.args[0]), fr.args[0].Mask()
		b, bm, dst, null := vector.Of[B](fr.args[1]), fr.args[1].Mask(), vector.Of[R](fr.dst), fr.dst.Null
		for _, i := range fr.rows() {
			if null != nil && null[i] != 0 {
				continue
			}
			r, err := f(a[int(i)&am], b[int(i)&bm])
			if err != nil {
				panic(err)
			}
			dst[i] = r
		}
	}
}

// The loops below are those of functions whose cost grows with their arguments.

// metered is unary for such a function.
func metered[A, R any](f func(*value.Meter, A) R) apply {
	return func(fr *frame) {
		a, am, dst := vector.Of[A](fr.args[0]), fr.args[0].Mask(), vector.Of[R](fr.dst)
		fr.valid(func(i int) { dst[i] = f(fr.meter, a[i&am]) })
	}
}

// metered2 is zip for such a function.
func metered2[A, B, R any](f func(*value.Meter, A, B) R) apply {
	return func(fr *frame) {
		a, am := vector.Of[A](fr.args[0]), fr.args[0].Mask()
		b, bm, dst := vector.Of[B](fr.args[1]), fr.args[1].Mask(), vector.Of[R](fr.dst)
		fr.valid(func(i int) { dst[i] = f(fr.meter, a[i&am], b[i&bm]) })
	}
}

// metered3 is zip3 for such a function.
func metered3[A, B, C, R any](f func(*value.Meter, A, B, C) R) apply {
	return func(fr *frame) {
		a, am := vector.Of[A](fr.args[0]), fr.args[0].Mask()
		b, bm := vector.Of[B](fr.args[1]), fr.args[1].Mask()
		c, cm, dst := vector.Of[C](fr.args[2]), fr.args[2].Mask(), vector.Of[R](fr.dst)
		fr.valid(func(i int) { dst[i] = f(fr.meter, a[i&am], b[i&bm], c[i&cm]) })
	}
}
