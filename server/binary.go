package server

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
)

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

// appendBinary appends a value that is not NULL in the binary format of its
// type.
func appendBinary(dst []byte, v value.Value, t cubeloom.ColumnType) []byte {
	switch t.Kind {
	case algebra.Bool:
		if v.B {
			return append(dst, 1)
		}
		return append(dst, 0)
	case algebra.Int16:
		return binary.BigEndian.AppendUint16(dst, uint16(v.I))
	case algebra.Int32:
		return binary.BigEndian.AppendUint32(dst, uint32(v.I))
	case algebra.Int64:
		return binary.BigEndian.AppendUint64(dst, uint64(v.I))
	case algebra.Float64:
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(v.F))
	case algebra.Decimal, algebra.Numeric:
		return appendNumeric(dst, v.Num)
	case algebra.Date:
		return binary.BigEndian.AppendUint32(dst, uint32(v.I-epochDays))
	case algebra.Timestamp:
		return binary.BigEndian.AppendUint64(dst, uint64(v.I-epochMicros))
	case algebra.Interval:
		dst = binary.BigEndian.AppendUint64(dst, uint64(v.Interval.Micros))
		dst = binary.BigEndian.AppendUint32(dst, uint32(v.Interval.Days))
		return binary.BigEndian.AppendUint32(dst, uint32(v.Interval.Months))
	}
	return append(dst, v.S...)
}

// appendNumeric appends a numeric: the number of digits to the base of 10000,
// the weight of the first, the sign, the scale, and the digits.
func appendNumeric(dst []byte, n value.Num) []byte {
	digits := n.Abs().Coef.Append(nil)
	scale := int(n.Scale)
	// Both sides of the point are filled up to whole digits of the base.
	for len(digits) <= scale {
		digits = append([]byte{'0'}, digits...)
	}
	for whole := len(digits) - scale; whole%4 != 0; whole++ {
		digits = append([]byte{'0'}, digits...)
	}
	whole := (len(digits) - scale) / 4
	for len(digits)%4 != 0 {
		digits = append(digits, '0')
	}
	groups := make([]uint16, len(digits)/4)
	for i := range groups {
		for _, d := range digits[4*i : 4*i+4] {
			groups[i] = groups[i]*10 + uint16(d-'0')
		}
	}
	weight := whole - 1
	for len(groups) > 0 && groups[0] == 0 {
		groups, weight = groups[1:], weight-1
	}
	for len(groups) > 0 && groups[len(groups)-1] == 0 {
		groups = groups[:len(groups)-1]
	}
	if len(groups) == 0 {
		weight = 0
	}
	sign := uint16(0)
	if n.Sign() < 0 {
		sign = numericNegative
	}
	for _, word := range append([]uint16{uint16(len(groups)), uint16(weight), sign, uint16(scale)}, groups...) {
		dst = binary.BigEndian.AppendUint16(dst, word)
	}
	return dst
}

// errBinary is PostgreSQL's error for a value of a wrong size.
func errBinary(what string) error {
	return value.Errorf(codeBinary, "incorrect binary data format in %s", what)
}

// binarySizes are the sizes of what clients may send, by OID; those that are not
// here have a varying length.
var binarySizes = map[uint32]int{
	oidBool: 1, oidInt2: 2, oidInt4: 4, oidInt8: 8, oidOID: 4, oidFloat4: 4, oidFloat8: 8,
	oidDate: 4, oidTimestamp: 8, oidTimestampTZ: 8, oidInterval: 16,
}

// parseBinary reads a value in the binary format of the type with an OID; what
// names it in messages.
func parseBinary(b []byte, oid uint32, what string) (value.Value, error) {
	if size, fixed := binarySizes[oid]; fixed && len(b) != size {
		return value.Value{}, errBinary(what)
	}
	integer := func(i int64) (value.Value, error) { return value.Value{Kind: value.Int, I: i}, nil }
	switch oid {
	case oidBool:
		return value.Value{Kind: value.Bool, B: b[0] != 0}, nil
	case oidInt2:
		return integer(int64(int16(binary.BigEndian.Uint16(b))))
	case oidInt4:
		return integer(int64(int32(binary.BigEndian.Uint32(b))))
	case oidOID:
		return integer(int64(binary.BigEndian.Uint32(b)))
	case oidInt8:
		return integer(int64(binary.BigEndian.Uint64(b)))
	case oidFloat4:
		return value.Value{Kind: value.Float, F: float64(math.Float32frombits(binary.BigEndian.Uint32(b)))}, nil
	case oidFloat8:
		return value.Value{Kind: value.Float, F: math.Float64frombits(binary.BigEndian.Uint64(b))}, nil
	case oidNumeric:
		n, err := parseNumeric(b, what)
		return value.Value{Kind: value.Decimal, Num: n}, err
	case oidDate:
		return integer(int64(int32(binary.BigEndian.Uint32(b))) + epochDays)
	case oidTimestamp, oidTimestampTZ:
		micros := int64(binary.BigEndian.Uint64(b))
		if micros > math.MaxInt64-epochMicros {
			return value.Value{}, value.Errorf(value.CodeDatetimeOverflow, "timestamp out of range")
		}
		return integer(micros + epochMicros)
	case oidInterval:
		return value.Value{Kind: value.Spans, Interval: value.Interval{
			Micros: int64(binary.BigEndian.Uint64(b)),
			Days:   int32(binary.BigEndian.Uint32(b[8:])),
			Months: int32(binary.BigEndian.Uint32(b[12:])),
		}}, nil
	}
	text, err := validText(b)
	return value.Value{Kind: value.Text, S: text}, err
}

// parseNumeric reads what appendNumeric writes.
func parseNumeric(b []byte, what string) (value.Num, error) {
	if len(b) < 8 || len(b)%2 != 0 || (len(b)-8)/2 != int(binary.BigEndian.Uint16(b)) {
		return value.Num{}, errBinary(what)
	}
	weight := int(int16(binary.BigEndian.Uint16(b[2:])))
	sign, scale := binary.BigEndian.Uint16(b[4:]), int(binary.BigEndian.Uint16(b[6:]))
	switch {
	case sign&numericSpecial == numericSpecial:
		return value.Num{}, value.Errorf(value.CodeFeatureNotSupported, "NaN and infinite numerics are not supported")
	case sign != 0 && sign != numericNegative:
		return value.Num{}, errBinary(what)
	case scale > math.MaxUint8 || weight > 40 || weight < -100:
		return value.Num{}, value.Errorf(value.CodeNumericOutOfRange, "value overflows numeric format")
	}
	coef, base := new(big.Int), big.NewInt(10000)
	for i := 8; i < len(b); i += 2 {
		d := binary.BigEndian.Uint16(b[i:])
		if d >= 10000 {
			return value.Num{}, errBinary(what)
		}
		coef.Add(coef.Mul(coef, base), big.NewInt(int64(d)))
	}
	// The last digit stands for 10000^(weight-groups+1).
	exponent := 4*(weight-(len(b)-8)/2+1) + scale
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil)
	if exponent >= 0 {
		coef.Mul(coef, power)
	} else {
		coef.Quo(coef, power)
	}
	if sign == numericNegative {
		coef.Neg(coef)
	}
	wide, ok := value.Int128FromBig(coef)
	if !ok {
		return value.Num{}, value.Errorf(value.CodeNumericOutOfRange, "value overflows numeric format")
	}
	// Zero plus the number checks that it has at most 38 digits.
	return value.Num{Coef: wide, Scale: uint8(scale)}.Add(value.Num{Scale: uint8(scale)})
}
