package runtime

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

func errBinary() error { return value.Errorf(value.CodeInvalidBinary, "incorrect binary data format") }

// ParseBinary reads a value of SQL type t in PostgreSQL's binary format. It
// fails with 22P03 where the bytes do not have the format; whether a decimal or
// a text suits t's precision or length is for the caller to check, but for
// elements of arrays.
func ParseBinary(b []byte, t algebra.Type) (value.Value, error) {
	integer := func(i int64) (value.Value, error) { return value.Value{Kind: value.Int, I: i}, nil }
	if t.Kind == algebra.Int64 && t.Alias != algebra.NoAlias && len(b) == 4 {
		return integer(int64(binary.BigEndian.Uint32(b)))
	}
	if size := t.Kind.Size(); size >= 0 && len(b) != size {
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
		days := int32(binary.BigEndian.Uint32(b))
		if !value.IsFiniteDate(days) {
			return integer(int64(days))
		}
		days, err := value.DateOf(int64(days) + epochDays)
		return value.Value{Kind: value.Int, I: int64(days)}, err
	case algebra.Timestamp, algebra.TimestampTZ:
		micros := int64(binary.BigEndian.Uint64(b))
		switch {
		case !value.IsFiniteTimestamp(micros):
			return integer(micros)
		case micros < value.MinTimestamp-epochMicros, micros > value.MaxTimestamp-epochMicros:
			return value.Value{}, value.Errorf(value.CodeDatetimeOverflow, "timestamp out of range")
		}
		return integer(micros + epochMicros)
	case algebra.Time:
		micros := int64(binary.BigEndian.Uint64(b))
		return value.Value{Kind: value.Int, I: micros}, value.CheckTime(micros)
	case algebra.Interval:
		return value.Value{Kind: value.Intervals, Interval: value.Interval{
			Micros: int64(binary.BigEndian.Uint64(b)),
			Days:   int32(binary.BigEndian.Uint32(b[8:])),
			Months: int32(binary.BigEndian.Uint32(b[12:])),
		}}, nil
	}
	switch t.Kind {
	case algebra.Array:
		return parseArray(b, t)
	case algebra.UUID:
		return value.Value{Kind: value.Text, S: string(value.AppendUUID(nil, b))}, nil
	case algebra.Bytea:
		return value.Value{Kind: value.Text, S: value.HeldBytea(nil, b)}, nil
	}
	if t.Kind == algebra.JSONBinary || t.Kind == algebra.JSONPath {
		if len(b) == 0 || b[0] != jsonbVersion {
			return value.Value{}, value.Errorf(value.CodeInternal, "unsupported %s version number %d", t, b[:min(len(b), 1)])
		}
		b = b[1:]
	}
	text := string(b)
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return value.Value{}, value.Errorf(value.CodeUntranslatable, "invalid byte sequence for encoding \"UTF8\"")
	}
	switch {
	case t.Kind == algebra.Enum:
		return t.Enum.Parse(text)
	case t.Kind == algebra.JSONPath:
		return value.ReadJSONPath(nil, text)
	case t.IsJSON():
		return value.ReadJSON(nil, text, t.Kind == algebra.JSONBinary)
	}
	return value.Value{Kind: value.Text, S: text}, nil
}

// jsonbVersion is the byte before a value of jsonb or jsonpath in binary.
const jsonbVersion = 1

// isHeld reports whether a type's values are held as texts that are no part of its binary format.
func isHeld(t algebra.Type) bool {
	return t.Kind == algebra.JSONBinary || t.Kind == algebra.JSONPath || t.Kind == algebra.UUID || t.Kind == algebra.Bytea
}

// appendHeld appends such a value.
func appendHeld(dst []byte, text string, t algebra.Type) []byte {
	switch t.Kind {
	case algebra.UUID:
		return value.AppendUUIDBytes(dst, text)
	case algebra.Bytea:
		return value.AppendBytea(nil, dst, text)
	}
	return long.AppendText(append(dst, jsonbVersion), text)
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

// An array in binary is the number of its dimensions, 0 for an empty array,
// whether it has NULLs, the OID of its elements, the number of elements and the
// lower bound of each dimension, and the elements: the length of each and its
// bytes, -1 for NULL.
const (
	arrayHeader    = 12
	arrayDimension = 8
)

// The OIDs of types that are narrower than those that they become.
const (
	oidOID    = 26
	oidFloat4 = 700
)

// otherElements are OIDs that elements of a kind may come as beside that which they are
// sent as.
var otherElements = map[algebra.Kind][]uint32{
	algebra.Int64: {20, oidOID}, algebra.Float64: {oidFloat4}, algebra.Text: {25, 1043, 1042, 19, 18},
}

// isArrays reports whether a chunk holds arrays, and not NULLs alone.
func isArrays(chunk *Chunk, t algebra.Type) bool {
	return t.Kind == algebra.Array && chunk.Nulls < chunk.Rows && (chunk.Type == kernel.Str || chunk.Type == kernel.Code)
}

// appendArray appends an array of type t, whose elements are written as element has them.
func appendArray(dst []byte, array string, t algebra.Type, element value.Shown) []byte {
	items := value.SplitArray(nil, array)
	nulls := uint32(0)
	if slices.ContainsFunc(items, func(item value.Item) bool { return item.Null }) {
		nulls = 1
	}
	dimensions := uint32(min(len(items), 1))
	for _, x := range []uint32{dimensions, nulls, t.Element().OID()} {
		dst = binary.BigEndian.AppendUint32(dst, x)
	}
	if dimensions == 0 {
		return dst
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(items)))
	dst = binary.BigEndian.AppendUint32(dst, uint32(value.ArrayLowerBound(array)))
	for _, item := range items {
		if item.Null {
			dst = binary.BigEndian.AppendUint32(dst, math.MaxUint32)
			continue
		}
		at := len(dst)
		v, err := element.Parse(item.Text, false)
		dst = appendItem(append(dst, 0, 0, 0, 0), item.Text, t.Element(), v, err)
		binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	}
	return dst
}

// appendItem appends an element or a field, which is v unless its text is what is sent.
func appendItem(dst []byte, text string, t algebra.Type, v value.Value, err error) []byte {
	switch {
	case isHeld(t):
		return appendHeld(dst, text, t)
	case err != nil || v.Kind == value.Text || t.Kind == algebra.Enum:
		return long.AppendText(dst, text)
	case t.Kind == algebra.Int64 && t.Alias != algebra.NoAlias:
		return appendInt32(dst, v.I)
	}
	switch t.Kind {
	case algebra.Bool:
		return appendBinaryBool(dst, v.B)
	case algebra.Int16:
		return appendInt16(dst, v.I)
	case algebra.Int32:
		return appendInt32(dst, v.I)
	case algebra.Float64:
		return appendBinaryFloat(dst, v.F)
	case algebra.Float32:
		return appendBinaryReal(dst, v.F)
	case algebra.Decimal, algebra.Numeric:
		return appendNumeric(dst, v.Num)
	case algebra.Date:
		return appendBinaryDate(dst, v.I)
	case algebra.Timestamp, algebra.TimestampTZ:
		return appendBinaryTimestamp(dst, v.I)
	case algebra.Interval:
		return appendBinaryInterval(dst, v.Interval)
	}
	return appendInt64(dst, v.I)
}

// parseArray reads what appendArray writes, with elements that suit t.
func parseArray(b []byte, t algebra.Type) (value.Value, error) {
	if len(b) < arrayHeader {
		return value.Value{}, errBinary()
	}
	dimensions, oid := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[8:])
	if want := t.Element().OID(); oid != want && !slices.Contains(otherElements[t.Elem], oid) {
		return value.Value{}, value.Errorf(value.CodeDatatypeMismatch, "binary data has array element type %d instead of expected %d", oid, want)
	}
	b = b[arrayHeader:]
	switch {
	case dimensions == 0 && len(b) == 0:
		return value.Value{Kind: value.Text, S: "{}"}, nil
	case dimensions > 1 && dimensions <= 6:
		return value.Value{}, value.Errorf(value.CodeFeatureNotSupported, "arrays of several dimensions are not supported")
	case dimensions != 1 || len(b) < arrayDimension:
		return value.Value{}, errBinary()
	}
	count, lower := uint64(binary.BigEndian.Uint32(b)), int64(int32(binary.BigEndian.Uint32(b[4:])))
	b = b[arrayDimension:]
	if count > uint64(len(b))/4 {
		return value.Value{}, errBinary()
	}
	if lower > math.MaxInt32-int64(count) {
		return value.Value{}, value.Errorf(value.CodeProgramLimit, "array lower bound is too large: %d", lower)
	}
	items := make([]value.Item, count)
	element := algebra.ElementOf(t)
	for i := range items {
		if len(b) < 4 {
			return value.Value{}, errBinary()
		}
		size := binary.BigEndian.Uint32(b)
		b = b[4:]
		if items[i].Null = size == math.MaxUint32; items[i].Null {
			continue
		}
		if uint64(size) > uint64(len(b)) {
			return value.Value{}, errBinary()
		}
		v, err := parseItem(b[:size], oid, t.Element())
		if err == nil {
			v, err = element.Convert(v, element, false)
		}
		if err != nil {
			return value.Value{}, err
		}
		items[i].Text = element.Text(v)
		b = b[size:]
	}
	if len(b) > 0 {
		return value.Value{}, errBinary()
	}
	return value.Value{Kind: value.Text, S: value.JoinArrayFrom(nil, lower, items)}, nil
}

// parseItem reads an element that was sent with an OID.
func parseItem(b []byte, oid uint32, t algebra.Type) (value.Value, error) {
	switch {
	case oid == oidOID && len(b) == 4:
		return value.Value{Kind: value.Int, I: int64(binary.BigEndian.Uint32(b))}, nil
	case oid == oidFloat4 && len(b) == 4:
		return value.Value{Kind: value.Float, F: float64(math.Float32frombits(binary.BigEndian.Uint32(b)))}, nil
	case oid == oidOID, oid == oidFloat4:
		return value.Value{}, errBinary()
	}
	return ParseBinary(b, t)
}
