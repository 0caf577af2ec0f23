package algebra

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// MaxSecondDigits is how many digits a second has after its point.
const MaxSecondDigits = 6

// fieldBits are the bits of fields in the modifier of PostgreSQL's interval.
var fieldBits = map[string]int{"year": 2, "month": 1, "day": 3, "hour": 10, "minute": 11, "second": 12}

// WithTime is a time type with so many digits of a second, all where negative, and
// with fields, "" for all.
func (t Type) WithTime(digits int, fields string) Type {
	t.Precision = uint8(digits + 1)
	t.Scale = uint8(slices.Index(IntervalFields, fields))
	return t
}

// Cut is an interval as the modifier of its type has it.
func (t Type) Cut(iv value.Interval) value.Interval {
	digits, fields := t.TimeModifier()
	if digits < 0 && fields == "" {
		return iv
	}
	if digits < 0 {
		digits = MaxSecondDigits
	}
	return iv.DownTo(LastField(fields), int64(digits))
}

// Rounded is a value of a time type, in microseconds, as the modifier of its type has it.
func (t Type) Rounded(micros int64) int64 {
	digits, _ := t.TimeModifier()
	switch {
	case digits < 0:
		return micros
	case t.Kind == Time:
		return value.RoundToDigits(micros, int64(digits))
	}
	return value.RoundMicros(micros, int64(digits))
}

// LastField is the last one of an interval's fields.
func LastField(fields string) string { return fields[strings.LastIndexByte(fields, ' ')+1:] }

// timeTypmod is the modifier of a time type as PostgreSQL's catalogs have it, -1 for none.
func (t Type) timeTypmod() int32 {
	const allDigits, allFields = 0xFFFF, 0x7FFF
	digits, fields := t.TimeModifier()
	if t.Kind != Interval || digits < 0 && fields == "" {
		return int32(digits)
	}
	typmod, first, last := 0, "", ""
	if digits < 0 {
		digits = allDigits
	}
	if first, last, _ = strings.Cut(fields, " to "); fields == "" {
		return int32(allFields<<16 | digits)
	}
	order := IntervalFields[1:7]
	from := slices.Index(order, first)
	for _, field := range order[from : max(from, slices.Index(order, last))+1] {
		typmod |= 1 << fieldBits[field]
	}
	return int32(typmod<<16 | digits)
}

// Typmod is the modifier of a type as PostgreSQL's catalogs have it, -1 for none.
func (t Type) Typmod() int32 {
	switch {
	case t.Kind == Text && t.Length > 0 && t.Alias == NoAlias:
		return t.Length + 4
	case t.Kind == Decimal:
		return int32(t.Precision)<<16 + int32(t.Scale) + 4
	case t.HasTimeModifier():
		return t.timeTypmod()
	}
	return -1
}
