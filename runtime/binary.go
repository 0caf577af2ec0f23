package runtime

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
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

// codeBinary is the SQLSTATE of a value in a wrong binary format.
const codeBinary = "22P03"

func errBinary() error { return value.Errorf(codeBinary, "incorrect binary data format") }

// binarySizes are the sizes of the types in bytes; those that are not here have
// a varying length.
var binarySizes = map[algebra.Kind]int{
	algebra.Bool: 1, algebra.Int16: 2, algebra.Int32: 4, algebra.Int64: 8, algebra.Float64: 8, algebra.Float32: 4,
	algebra.Date: 4, algebra.Timestamp: 8, algebra.TimestampTZ: 8, algebra.Interval: 16,
}

// ParseBinary reads a value of SQL type t in PostgreSQL's binary format. It
// fails with 22P03 where the bytes do not have the format; whether a decimal or
// a text suits t's precision or length is for the caller to check, but for
// elements of arrays.
func ParseBinary(b []byte, t algebra.Type) (value.Value, error) {
	integer := func(i int64) (value.Value, error) { return value.Value{Kind: value.Int, I: i}, nil }
	if t.Kind == algebra.Int64 && t.Alias != algebra.NoAlias && len(b) == 4 {
		return integer(int64(binary.BigEndian.Uint32(b)))
	}
	if size, fixed := binarySizes[t.Kind]; fixed && len(b) != size {
		return value.Value{}, errBinary()
	}
	switch t.Kind {
	case algebra.Bool:
		return value.Value{Kind: value.Bool, B: b[0] != 0}, nil
	case algebra.Int16:
		return integer(int64(int16(binary.BigEndian.Uint16(b))))
	case algebra.Int32:
		return integer(int64(int32(binary.BigEndian.Uint32(b))))
	case algebra.Int64:
		return integer(int64(binary.BigEndian.Uint64(b)))
	case algebra.Float64:
		return value.Value{Kind: value.Float, F: math.Float64frombits(binary.BigEndian.Uint64(b))}, nil
	case algebra.Float32:
		return value.Value{Kind: value.Float, F: float64(math.Float32frombits(binary.BigEndian.Uint32(b)))}, nil
	case algebra.Decimal, algebra.Numeric:
		n, err := parseNumeric(b)
		return value.Value{Kind: value.Decimal, Num: n}, err
	case algebra.Date:
		return integer(int64(int32(binary.BigEndian.Uint32(b))) + epochDays)
	case algebra.Timestamp, algebra.TimestampTZ:
		micros := int64(binary.BigEndian.Uint64(b))
		if micros > math.MaxInt64-epochMicros {
			return value.Value{}, value.Errorf(value.CodeDatetimeOverflow, "timestamp out of range")
		}
		return integer(micros + epochMicros)
	case algebra.Interval:
		return value.Value{Kind: value.Intervals, Interval: value.Interval{
			Micros: int64(binary.BigEndian.Uint64(b)),
			Days:   int32(binary.BigEndian.Uint32(b[8:])),
			Months: int32(binary.BigEndian.Uint32(b[12:])),
		}}, nil
	}
	if t.Kind == algebra.Array {
		return parseArray(b, t)
	}
	text := string(b)
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return value.Value{}, value.Errorf(value.CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\"")
	}
	return value.Value{Kind: value.Text, S: text}, nil
}

// parseNumeric reads what appendNumeric writes.
func parseNumeric(b []byte) (value.Num, error) {
	if len(b) < 8 || len(b)%2 != 0 || (len(b)-8)/2 != int(binary.BigEndian.Uint16(b)) {
		return value.Num{}, errBinary()
	}
	weight := int(int16(binary.BigEndian.Uint16(b[2:])))
	sign, scale := binary.BigEndian.Uint16(b[4:]), int(binary.BigEndian.Uint16(b[6:]))
	switch {
	case sign&numericSpecial == numericSpecial:
		return value.Num{}, value.Errorf(value.CodeFeatureNotSupported, "NaN and infinite numerics are not supported")
	case sign != 0 && sign != numericNegative:
		return value.Num{}, errBinary()
	case scale > math.MaxUint8 || weight > 40 || weight < -100:
		return value.Num{}, value.Errorf(value.CodeNumericOutOfRange, "value overflows numeric format")
	}
	coef, base := new(big.Int), big.NewInt(10000)
	for i := 8; i < len(b); i += 2 {
		d := binary.BigEndian.Uint16(b[i:])
		if d >= 10000 {
			return value.Num{}, errBinary()
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
