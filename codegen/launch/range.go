package launch

import "math"

// interval is where a number lies.
type interval struct{ lo, hi int64 }

var (
	anyNumber = interval{math.MinInt64, math.MaxInt64}
	natural   = interval{0, math.MaxInt64}
)

// hull is where a number lies that lies in one of two intervals.
func (i interval) hull(o interval) interval { return interval{min(i.lo, o.lo), max(i.hi, o.hi)} }

// widened leaves no end where it has moved since before, but for 0.
func (i interval) widened(before interval) interval {
	if i.lo < before.lo && i.lo >= 0 {
		i.lo = 0
	} else if i.lo < before.lo {
		i.lo = math.MinInt64
	}
	if i.hi > before.hi {
		i.hi = math.MaxInt64
	}
	return i
}

// symbolMin is the least value of a symbol where that is not 0.
var symbolMin = map[Symbol]int64{SMs: 1, FewRows: 1}

// interval is where the result of an operation lies.
func (op Op) interval(x []interval) interval {
	switch op {
	case Add:
		return interval{saturatingAdd(x[0].lo, x[1].lo), saturatingAdd(x[0].hi, x[1].hi)}
	case Sub:
		return interval{saturatingSub(x[0].lo, x[1].hi), saturatingSub(x[0].hi, x[1].lo)}
	case Mul, Div:
		return op.corners(x[0], x[1])
	case Min:
		return interval{min(x[0].lo, x[1].lo), min(x[0].hi, x[1].hi)}
	case Max:
		return interval{max(x[0].lo, x[1].lo), max(x[0].hi, x[1].hi)}
	case Select:
		return interval{min(x[1].lo, x[2].lo), max(x[1].hi, x[2].hi)}
	case Eq, Ne, Lt, Le:
		return interval{0, 1}
	case CeilPow2:
		return interval{2, 1 << 62}
	case FloorPow2:
		return interval{1, 1 << 62}
	case CTZ:
		return interval{0, 64}
	case Distinct:
		return interval{0, math.MaxInt64}
	}
	return anyNumber
}

// corners is the interval of a product or a quotient, which has its ends where the
// operands have theirs. A divisor is not 0 within its interval.
func (op Op) corners(x, y interval) interval {
	out := interval{math.MaxInt64, math.MinInt64}
	for _, a := range []int64{x.lo, x.hi} {
		for _, b := range []int64{y.lo, y.hi} {
			v := op.Do(&[5]int64{a, b})
			out = interval{min(out.lo, v), max(out.hi, v)}
		}
	}
	return out
}
