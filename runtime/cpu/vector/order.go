package vector

import (
	"math"

	"github.com/cubeloom/cubeloom/sql/value"
)

// IntervalMicros is an interval's length in microseconds, for comparisons: a month
// counts as 30 days and a day as 24 hours.
func IntervalMicros(s value.Interval) value.Int128 {
	days := int64(s.Months)*30 + int64(s.Days)
	sum := value.Mul64(days, 24*60*60*1_000_000)
	return sum.AddWrap(value.Int128Of(s.Micros))
}

func CompareIntervals(x, y value.Interval) int { return IntervalMicros(x).Cmp(IntervalMicros(y)) }

// OrderedFloat maps PostgreSQL's order of double precision to unsigned order:
// zeros are equal, and not a number is above all.
func OrderedFloat(x float64) uint64 {
	if x != x {
		return math.MaxUint64
	}
	b := math.Float64bits(x + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// FloatOf is the number that orderedFloat has mapped to b.
func FloatOf(b uint64) float64 {
	if b>>63 != 0 {
		return math.Float64frombits(b ^ 1<<63)
	}
	return math.Float64frombits(^b)
}

func absolute(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
