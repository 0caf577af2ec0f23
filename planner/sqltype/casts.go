// Package sqltype knows the types of SQL: their names, which converts to which, and what
// several have in common.
package sqltype

import "github.com/cubeloom/cubeloom/planner/algebra"

// Context says who asks for a conversion: the language, an INSERT, or the
// user.
type Context uint8

// The contexts, each of which may do what those before it may.
const (
	Implicit Context = iota
	Assignment
	Explicit
	NoCast // not even explicitly
)

// CastNeeds returns the weakest context in which a conversion between two kinds
// is allowed: PostgreSQL's table of casts.
func CastNeeds(from, to algebra.Kind) Context {
	if from == algebra.Decimal {
		from = algebra.Numeric
	}
	if to == algebra.Decimal {
		to = algebra.Numeric
	}
	number := func(k algebra.Kind) bool { return numericRank[k] > 0 }
	switch {
	case from == to || from == algebra.Unknown:
		return Implicit
	case number(from) && number(to):
		if numericRank[from] < numericRank[to] {
			return Implicit
		}
		return Assignment
	case from == algebra.Date && IsMoment(to), from == algebra.Timestamp && to == algebra.TimestampTZ:
		return Implicit
	case IsMoment(from) && IsMoment(to):
		return Assignment
	case from == algebra.Time && to == algebra.Interval:
		return Implicit
	case to == algebra.Time && (from == algebra.Timestamp || from == algebra.TimestampTZ || from == algebra.Interval):
		return Assignment
	case to == algebra.Text, from == algebra.JSONText && to == algebra.JSONBinary, from == algebra.JSONBinary && to == algebra.JSONText:
		return Assignment
	case from == algebra.JSONBinary && (number(to) || to == algebra.Bool):
		return Explicit
	case from == algebra.Text && to != algebra.Record:
		return Explicit
	case from == algebra.Bool && to == algebra.Int32, from == algebra.Int32 && to == algebra.Bool:
		return Explicit
	}
	return NoCast
}

// ConversionNeeds is CastNeeds of two types; an array is converted as its elements
// are, and a row to no other.
func ConversionNeeds(from, to algebra.Type) Context {
	enums := from.Enum != nil && to.Enum != nil && from.Enum.OID != to.Enum.OID
	rows := from.Kind == algebra.Record && to.Kind == algebra.Record && from != to
	if enums || rows {
		return NoCast
	}
	if to.Kind == algebra.Array && (from.Kind == algebra.Array || from.IsVector()) {
		return CastNeeds(from.Elem, to.Elem)
	}
	return CastNeeds(from.Kind, to.Kind)
}

// numericRank orders the kinds of numbers by what they convert to implicitly.
var numericRank = map[algebra.Kind]int{
	algebra.Int16: 1, algebra.Int32: 2, algebra.Int64: 3, algebra.Numeric: 4, algebra.Decimal: 4, algebra.Float32: 5, algebra.Float64: 6,
}

// Name is a type as messages about operators write it: without parameters.
func Name(t algebra.Type) string {
	switch {
	case t.Kind == algebra.Array:
		return Name(t.Element()) + "[]"
	case t.Kind == algebra.Decimal:
		return "numeric"
	case t.Padded:
		return "character"
	case t.Kind == algebra.Text && t.Length > 0:
		return "character varying"
	case t.HasTimeModifier() && t != t.Plain():
		return Name(t.Plain())
	case t.Kind == algebra.Timestamp:
		return "timestamp without time zone"
	case t.Kind == algebra.Time:
		return "time without time zone"
	}
	return t.String()
}

// Wider is the common type of two types.
func Wider(a, b algebra.Type) (algebra.Type, bool) {
	switch {
	case a == b || b.Kind == algebra.Unknown:
		return a, true
	case a.Kind == algebra.Unknown:
		return b, true
	case a.Enum != b.Enum, a.Kind == algebra.Record && b.Kind == algebra.Record:
		return a, false
	case (a.Kind == algebra.Time) != (b.Kind == algebra.Time): // an interval is of another category
		return a, false
	case a.IsChar() && b.Kind == algebra.Text:
		return algebra.TBPChar, true
	case a.Kind == algebra.Text && b.Kind == algebra.Text:
		return algebra.TText, true
	case a.Kind == algebra.Array && b.Kind == algebra.Array:
		return widerArray(a, b)
	case a.IsNumber() && b.IsNumber():
		return widerNumber(a, b), true
	case CastNeeds(b.Kind, a.Kind) == Implicit:
		return a.Plain(), true
	case CastNeeds(a.Kind, b.Kind) == Implicit:
		return b.Plain(), true
	}
	return a, false
}

func widerNumber(a, b algebra.Type) algebra.Type {
	if numericRank[a.Kind] < numericRank[b.Kind] {
		a, b = b, a
	}
	if IsInt64(a) {
		return widerAlias(a, b)
	}
	if a.Kind != algebra.Decimal {
		return a
	}
	if b = AsDecimal(b); b.Kind == algebra.Decimal && a.Scale == b.Scale {
		return algebra.TDecimal(max(a.Precision, b.Precision), a.Scale)
	}
	return algebra.TNumeric
}

// AsDecimal is the narrowest numeric(p,s) that holds every integer of a type;
// other types are given back.
func AsDecimal(t algebra.Type) algebra.Type {
	switch t.Kind {
	case algebra.Int16:
		return algebra.TDecimal(5, 0)
	case algebra.Int32:
		return algebra.TDecimal(10, 0)
	case algebra.Int64:
		return algebra.TDecimal(19, 0)
	}
	return t
}

func IsInt64(t algebra.Type) bool { return t.Kind == algebra.Int64 }

// widerAlias is the common type of a number of 64 bits and another integer: identifiers
// prevail, and different ones have their numbers in common.
func widerAlias(a, b algebra.Type) algebra.Type {
	switch {
	case b.Alias == algebra.NoAlias || a.Alias == b.Alias:
		return a
	case a.Alias == algebra.NoAlias:
		return b
	}
	return algebra.TOID
}

func IsMoment(k algebra.Kind) bool {
	return k == algebra.Date || k == algebra.Timestamp || k == algebra.TimestampTZ
}

// widerArray is the common type of two arrays.
func widerArray(a, b algebra.Type) (algebra.Type, bool) {
	elem, ok := Wider(a.Element(), b.Element())
	if !ok {
		return a, false
	}
	return algebra.TArray(elem), true
}

// SameElements reports whether operators take two arrays for those of one type: texts and
// character(n) are of different ones.
func SameElements(a, b algebra.Type) bool {
	return ExactKind(a.Element()) == ExactKind(b.Element()) && a.Padded == b.Padded
}

// ExactKind is the kind of a type, numeric for every exact number with digits.
func ExactKind(t algebra.Type) algebra.Kind {
	if t.Kind == algebra.Decimal {
		return algebra.Numeric
	}
	return t.Kind
}

// IsPreferred reports whether PostgreSQL prefers the type in its category.
func IsPreferred(k algebra.Kind) bool {
	return k == algebra.Float64 || k == algebra.Text || k == algebra.Bool || k == algebra.Interval || k == algebra.TimestampTZ
}

// Rank orders the kinds of numbers by what they convert to implicitly; 0 is no number.
func Rank(k algebra.Kind) int { return numericRank[k] }

// Unlimited is a type without its length, or precision and scale.
func Unlimited(t algebra.Type) algebra.Type {
	if t.Kind == algebra.Decimal {
		return algebra.TNumeric
	}
	if t.Elem == algebra.Decimal {
		t.Elem = algebra.Numeric
	}
	t.Length, t.Precision, t.Scale = 0, 0, 0
	return t
}
