package algebra

import (
	"fmt"
	"strings"
	"unique"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Type is an SQL type.
type Type struct {
	Kind      Kind
	Elem      Kind  // Array: the kind of its elements, whose parameters follow; Text: that of a vector's numbers
	Precision uint8 // Decimal: total digits, 1..38; time types: see TimeModifier
	Scale     uint8 // Decimal: digits after the point, 0..Precision; Interval: see TimeModifier
	Length    int32 // Text: the n of varchar(n) and character(n) in characters, 0 for no limit
	// Padded makes a Text character(n), which is shown with blanks up to its length, and
	// whose values have none at their end. Without a length it is bpchar, whose values
	// have the blanks that are shown; they do not count where it is compared.
	Padded bool
	Alias  Alias // Int64 and Text, and arrays of them: the type of catalogs that it is
	Enum   *EnumType
	Row    Row // Record: its name and fields
}

// IsChar reports whether values of the type are of character(n) or bpchar. Arrays of
// them have the texts of their elements with the blanks that are shown.
func (t Type) IsChar() bool { return t.Kind == Text && t.Padded }

// The types without parameters.
var (
	TUnknown     = Type{Kind: Unknown}
	TBool        = Type{Kind: Bool}
	TInt16       = Type{Kind: Int16}
	TInt32       = Type{Kind: Int32}
	TInt64       = Type{Kind: Int64}
	TFloat64     = Type{Kind: Float64}
	TFloat32     = Type{Kind: Float32}
	TNumeric     = Type{Kind: Numeric}
	TText        = Type{Kind: Text}
	TBPChar      = Type{Kind: Text, Padded: true}
	TDate        = Type{Kind: Date}
	TTimestamp   = Type{Kind: Timestamp}
	TTimestampTZ = Type{Kind: TimestampTZ}
	TInterval    = Type{Kind: Interval}
	TJSON        = Type{Kind: JSONText}
	TJSONB       = Type{Kind: JSONBinary}
	TUUID        = Type{Kind: UUID}
	TBytea       = Type{Kind: Bytea}
	TJSONPath    = Type{Kind: JSONPath}
	TTime        = Type{Kind: Time}
	TOID         = TAlias(OID)
)

// TDecimal is numeric(precision, scale).
func TDecimal(precision, scale uint8) Type {
	return Type{Kind: Decimal, Precision: precision, Scale: scale}
}

// TEnum is the type of the values of an enum.
func TEnum(e *EnumType) Type { return Type{Kind: Enum, Enum: e} }

// TArray is the type of arrays of elements of a type that is none itself.
func TArray(elem Type) Type {
	elem = elem.Plain()
	elem.Kind, elem.Elem = Array, elem.Kind
	return elem
}

// TVector is int2vector or oidvector: a text of numbers with blanks between them, which
// is also an array whose first subscript is 0.
func TVector(elem Kind) Type { return Type{Kind: Text, Elem: elem} }

// IsVector reports whether the type is int2vector or oidvector.
func (t Type) IsVector() bool { return t.Kind == Text && t.Elem != Unknown }

// Element is the type of an array's elements.
func (t Type) Element() Type {
	t.Kind, t.Elem = t.Elem, Unknown
	return t
}

// IsString reports whether values of the type are held as strings: texts are, and
// arrays, JSON, uuids and rows, which are held as what PostgreSQL writes of them.
func (t Type) IsString() bool {
	return t.Kind == Text || t.Kind == Array || t.Kind == UUID || t.Kind == Bytea || t.Kind == Record || t.Kind == JSONPath || t.IsJSON()
}

// IsJSON reports whether the type is json or jsonb.
func (t Type) IsJSON() bool { return t.Kind == JSONText || t.Kind == JSONBinary }

// String is the type's name as PostgreSQL writes it.
func (t Type) String() string {
	switch {
	case t.Kind == Array:
		return t.Element().String() + "[]"
	case t.IsVector() && t.Elem == Int16:
		return "int2vector"
	case t.IsVector():
		return "oidvector"
	case t.Alias != NoAlias:
		return t.Alias.String()
	case t.Kind == Enum:
		return t.Enum.String()
	case t.Row != (Row{}):
		return t.Row.name()
	case t.Kind == Decimal:
		return fmt.Sprintf("numeric(%d,%d)", t.Precision, t.Scale)
	case t.Padded && t.Length > 0:
		return fmt.Sprintf("character(%d)", t.Length)
	case t.Padded:
		return "bpchar"
	case t.Kind == Text && t.Length > 0:
		return fmt.Sprintf("varchar(%d)", t.Length)
	case t.HasTimeModifier():
		return t.timeName()
	}
	return kinds[t.Kind].name
}

// IsInteger reports whether the type is one of the three integer types.
func (t Type) IsInteger() bool { return t.Kind == Int16 || t.Kind == Int32 || t.Kind == Int64 }

// IsExact reports whether the type is an exact numeric, integer or not.
func (t Type) IsExact() bool { return t.IsInteger() || t.Kind == Decimal || t.Kind == Numeric }

// IsNumber reports whether arithmetic is defined on the type.
func (t Type) IsNumber() bool { return t.IsExact() || t.IsFloat() }

// SameNumber reports whether a cast between two kinds takes the number that a value is
// held as for one of the other: a time of UTC for one without time zone, and microseconds
// for a number of them.
func SameNumber(a, b Kind) bool { return isMicros(a) && isMicros(b) }

func isMicros(k Kind) bool { return k == Timestamp || k == TimestampTZ || k == Time || k == Int64 }

// CanBeInfinite reports whether infinity and -infinity are of the type, as numbers beyond
// all others.
func CanBeInfinite(t Type) bool {
	return t.Kind == Date || t.Kind == Timestamp || t.Kind == TimestampTZ
}

// FiniteBounds are the first and the last day or moment of a type of dates or timestamps, as numbers.
func FiniteBounds(t Type) (least, greatest int64) {
	if t.Kind == Date {
		return value.MinDate, value.MaxDate
	}
	return value.MinTimestamp, value.MaxTimestamp
}

// IsFloat reports whether the type is one of the two floating types.
func (t Type) IsFloat() bool { return t.Kind == Float64 || t.Kind == Float32 }

// TAlias is the type of an alias.
func TAlias(a Alias) Type {
	if a >= Char {
		return Type{Kind: Text, Alias: a}
	}
	return Type{Kind: Int64, Alias: a}
}

// AliasNamed is the alias whose type has a name; NoAlias for other types.
func AliasNamed(name string) Alias {
	for a := OID; int(a) < len(aliases); a++ {
		if aliases[a].name == name {
			return a
		}
	}
	return NoAlias
}

// IntervalFields are what the values of an interval can be made of; what a Type keeps of
// them is the place in this list.
var IntervalFields = []string{
	"", "year", "month", "day", "hour", "minute", "second",
	"year to month", "day to hour", "day to minute", "day to second",
	"hour to minute", "hour to second", "minute to second",
}

// HasTimeModifier reports whether the type can have a modifier of times: so many digits of
// a second, and the fields of an interval.
func (t Type) HasTimeModifier() bool {
	return t.Kind == Timestamp || t.Kind == TimestampTZ || t.Kind == Time || t.Kind == Interval
}

// TimeModifier is how many digits a second has in values of a time type, -1 where the type
// does not say it, and which fields an interval has, "" for all.
func (t Type) TimeModifier() (digits int, fields string) {
	return int(t.Precision) - 1, IntervalFields[t.Scale]
}

// Plain is a time type without its modifier; other types are given back.
func (t Type) Plain() Type {
	if t.HasTimeModifier() {
		t.Precision, t.Scale = 0, 0
	}
	return t
}

// timeName is the name of a time type with its modifier.
func (t Type) timeName() string {
	digits, fields := t.TimeModifier()
	words, zone, _ := strings.Cut(kinds[t.Kind].name, " ")
	if fields != "" {
		words += " " + fields
	}
	if digits >= 0 {
		words += fmt.Sprintf("(%d)", digits)
	}
	if zone != "" {
		words += " " + zone
	}
	return words
}

// Row is the name and the fields of a row type. Equal ones are the same list, so that types
// compare by ==.
type Row struct{ first unique.Handle[rowPart] }

// Field is a column of a row type.
type Field struct {
	Name string
	Type Type
}

// rowPart is the name of a row type, or a field of it, and the fields behind.
type rowPart struct {
	Field
	rest Row
}

// TRow is the type of rows of a name, "record" where they have none of their own, with fields.
func TRow(name string, fields []Field) Type {
	var row Row
	for i := len(fields) - 1; i >= 0; i-- {
		row = Row{unique.Make(rowPart{fields[i], row})}
	}
	return Type{Kind: Record, Row: Row{unique.Make(rowPart{Field{Name: name}, row})}}
}

// name is the type's name.
func (r Row) name() string { return r.first.Value().Name }

// Fields are those of a row type that TRow made.
func (t Type) Fields() (fields []Field) {
	for at := t.Row.first.Value().rest; at != (Row{}); at = at.first.Value().rest {
		fields = append(fields, at.first.Value().Field)
	}
	return fields
}
