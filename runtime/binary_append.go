package runtime

import (
	"encoding/binary"
	"math"

	"github.com/cubeloom/cubeloom/sql/value"
)

func appendBinaryBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func appendInt16(dst []byte, x int64) []byte { return binary.BigEndian.AppendUint16(dst, uint16(x)) }

func appendInt32(dst []byte, x int64) []byte { return binary.BigEndian.AppendUint32(dst, uint32(x)) }

func appendInt64(dst []byte, x int64) []byte { return binary.BigEndian.AppendUint64(dst, uint64(x)) }

func appendBinaryReal(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint32(dst, math.Float32bits(float32(f)))
}

func appendBinaryFloat(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(f))
}

// appendBinaryDate appends the days since 2000, and infinite dates as they are held.
func appendBinaryDate(dst []byte, days int64) []byte {
	if value.IsFiniteDate(int32(days)) {
		days -= epochDays
	}
	return appendInt32(dst, days)
}

// appendBinaryTimestamp appends the microseconds since 2000, and infinite timestamps as they
// are held.
func appendBinaryTimestamp(dst []byte, micros int64) []byte {
	if value.IsFiniteTimestamp(micros) {
		micros -= epochMicros
	}
	return appendInt64(dst, micros)
}

func appendBinaryInterval(dst []byte, iv value.Interval) []byte {
	dst = appendInt64(dst, iv.Micros)
	dst = binary.BigEndian.AppendUint32(dst, uint32(iv.Days))
	return binary.BigEndian.AppendUint32(dst, uint32(iv.Months))
}

// A numeric in binary is the number of digits to the base of 10000, the weight
// of the first, the sign, the scale, and the digits: baseDigits decimal ones
// each. Digits that are zero are left out at both ends.
const baseDigits = 4

// maxGroups is room for the digits of any numeric: 38 decimal ones, or 255
// behind the point, and both ends filled up to whole groups.
const maxGroups = (math.MaxUint8+38)/baseDigits + 2

// appendNumeric appends a numeric.
func appendNumeric(dst []byte, n value.Num) []byte {
	scale := int(n.Scale)
	sign := uint16(0)
	if n.Sign() < 0 {
		sign, n = numericNegative, n.Abs()
	}
	var groups [maxGroups]uint16
	first, last, whole := len(groups), len(groups), 0
	if n.Coef.Hi == 0 && scale < len(powers) {
		first, whole = narrowGroups(&groups, n.Coef.Lo, scale)
	} else {
		first, whole = wideGroups(&groups, n, scale)
	}
	weight := whole - 1
	for first < last && groups[first] == 0 {
		first, weight = first+1, weight-1
	}
	for first < last && groups[last-1] == 0 {
		last--
	}
	if first == last {
		weight = 0
	}
	dst = binary.BigEndian.AppendUint16(dst, uint16(last-first))
	dst = binary.BigEndian.AppendUint16(dst, uint16(weight))
	dst = binary.BigEndian.AppendUint16(dst, sign)
	dst = binary.BigEndian.AppendUint16(dst, uint16(scale))
	for _, g := range groups[first:last] {
		dst = binary.BigEndian.AppendUint16(dst, g)
	}
	return dst
}

// powers are those of 10.
var powers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16}

// narrowGroups writes the groups of coef·10^-scale to the end of groups, and
// returns the first and how many of them stand before the point. The scale is at
// most 16, so that the fraction filled up to whole groups fits in 64 bits.
func narrowGroups(groups *[maxGroups]uint16, coef uint64, scale int) (first, whole int) {
	at := len(groups)
	integer, fraction := coef, uint64(0)
	if scale > 0 {
		integer = coef / powers[scale]
		fraction = coef - integer*powers[scale]
	}
	filled := (scale + baseDigits - 1) / baseDigits
	fraction *= powers[filled*baseDigits-scale]
	for range filled {
		at--
		groups[at] = uint16(fraction % 10000)
		fraction /= 10000
	}
	point := at
	for ; integer > 0; integer /= 10000 {
		at--
		groups[at] = uint16(integer % 10000)
	}
	return at, point - at
}

// wideGroups is narrowGroups for any numeric that is not negative.
func wideGroups(groups *[maxGroups]uint16, n value.Num, scale int) (first, whole int) {
	var buf [40]byte
	digits := n.Coef.Append(buf[:0])
	at, power := len(groups)-1, (baseDigits-scale%baseDigits)%baseDigits
	groups[at] = 0
	for i := len(digits) - 1; i >= 0; i-- {
		if power == baseDigits {
			at, power = at-1, 0
		}
		groups[at] += uint16(digits[i]-'0') * uint16(powers[power])
		power++
	}
	return at, len(groups) - at - (scale+baseDigits-1)/baseDigits
}

// PostgreSQL counts days and microseconds from 2000-01-01, Cubeloom from
// 1970-01-01.
const (
	epochDays   = 10957
	epochMicros = epochDays * 86_400_000_000
)

// The signs of a numeric in binary.
const (
	numericNegative = 0x4000
	numericSpecial  = 0xC000 // NaN and the infinities begin so
)
