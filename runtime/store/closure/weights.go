package closure

import "github.com/cubeloom/cubeloom/sql/value"

// Exact multiplies and adds numbers exactly, with the scales that PostgreSQL computes. A
// number of more than 38 digits loses zeros behind its point, and is refused with 22003
// where that is not enough.
var Exact = Arithmetic[value.Num]{One: value.NumOf(1), Mul: exactly(value.Num.Mul), Add: exactly(value.Num.Add)}

// exactly does again with as few zeros as possible what has too many digits.
func exactly(op func(a, b value.Num) (value.Num, error)) func(a, b value.Num) (value.Num, error) {
	return func(a, b value.Num) (value.Num, error) {
		out, err := op(a, b)
		if err != nil {
			out, err = op(a.Normalize(), b.Normalize())
		}
		return out, err
	}
}

// Double multiplies and adds numbers of double precision. What becomes infinite, or zero
// by being too small, is refused with 22003, as PostgreSQL does.
var Double = Arithmetic[float64]{One: 1, Mul: value.MulFloat64, Add: value.AddFloat64}
