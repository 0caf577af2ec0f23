package planner

import "github.com/cubeloom/cubeloom/planner/algebra"

// castContext says who asks for a conversion: the language, an INSERT, or the
// user. Each may do what those before it may.
type castContext uint8

const (
	implicitCast castContext = iota
	assignmentCast
	explicitCast
	noCast // not even explicitly
)

// castNeeds gives the weakest context in which a conversion between two kinds
// is allowed: PostgreSQL's table of casts.
func castNeeds(from, to algebra.Kind) castContext {
	if from == algebra.Decimal {
		from = algebra.Numeric
	}
	if to == algebra.Decimal {
		to = algebra.Numeric
	}
	number := func(k algebra.Kind) bool { return numericRank[k] > 0 }
	switch {
	case from == to || from == algebra.Unknown:
		return implicitCast
	case number(from) && number(to):
		if numericRank[from] < numericRank[to] {
			return implicitCast
		}
		return assignmentCast
	case from == algebra.Date && isMoment(to), from == algebra.Timestamp && to == algebra.TimestampTZ:
		return implicitCast
	case isMoment(from) && isMoment(to):
		return assignmentCast
	case to == algebra.Text:
		return assignmentCast
	case from == algebra.Text:
		return explicitCast
	case from == algebra.Bool && to == algebra.Int32, from == algebra.Int32 && to == algebra.Bool:
		return explicitCast
	}
	return noCast
}

// conversionNeeds is castNeeds of two types; an array is converted as its elements
// are.
func conversionNeeds(from, to algebra.Type) castContext {
	if to.Kind == algebra.Array && (from.Kind == algebra.Array || from.IsVector()) {
		return castNeeds(from.Elem, to.Elem)
	}
	return castNeeds(from.Kind, to.Kind)
}

// numericRank orders the kinds of numbers by what they convert to implicitly.
var numericRank = map[algebra.Kind]int{
	algebra.Int16: 1, algebra.Int32: 2, algebra.Int64: 3, algebra.Numeric: 4, algebra.Decimal: 4, algebra.Float32: 5, algebra.Float64: 6,
}

// typeName is a type as messages about operators write it: without parameters.
func typeName(t algebra.Type) string {
	switch {
	case t.Kind == algebra.Array:
		return typeName(t.Element()) + "[]"
	case t.Kind == algebra.Decimal:
		return "numeric"
	case t.Padded:
		return "character"
	case t.Kind == algebra.Text && t.Length > 0:
		return "character varying"
	case t.Kind == algebra.Timestamp:
		return "timestamp without time zone"
	}
	return t.String()
}

// widerType is the common type of two types.
func widerType(a, b algebra.Type) (algebra.Type, bool) {
	switch {
	case a == b || b.Kind == algebra.Unknown:
		return a, true
	case a.Kind == algebra.Unknown:
		return b, true
	case a.IsChar() && b.Kind == algebra.Text:
		return algebra.TBPChar, true
	case a.Kind == algebra.Text && b.Kind == algebra.Text:
		return algebra.TText, true
	case a.Kind == algebra.Array && b.Kind == algebra.Array:
		return widerArray(a, b)
	case a.IsNumber() && b.IsNumber():
		return widerNumber(a, b), true
	case castNeeds(b.Kind, a.Kind) == implicitCast:
		return a, true
	case castNeeds(a.Kind, b.Kind) == implicitCast:
		return b, true
	}
	return a, false
}

func widerNumber(a, b algebra.Type) algebra.Type {
	if numericRank[a.Kind] < numericRank[b.Kind] {
		a, b = b, a
	}
	if isInt64(a) {
		return widerAlias(a, b)
	}
	if a.Kind != algebra.Decimal {
		return a
	}
	if b = asDecimal(b); b.Kind == algebra.Decimal && a.Scale == b.Scale {
		return algebra.TDecimal(max(a.Precision, b.Precision), a.Scale)
	}
	return algebra.TNumeric
}

// asDecimal is the narrowest numeric(p,s) that holds every integer of a type;
// other types are given back.
func asDecimal(t algebra.Type) algebra.Type {
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

func isTextual(e algebra.Expr) bool {
	k := e.Type().Kind
	return k == algebra.Text || k == algebra.Unknown
}

func isInt64(t algebra.Type) bool { return t.Kind == algebra.Int64 }

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

func isMoment(k algebra.Kind) bool {
	return k == algebra.Date || k == algebra.Timestamp || k == algebra.TimestampTZ
}

// widerArray is the common type of two arrays.
func widerArray(a, b algebra.Type) (algebra.Type, bool) {
	elem, ok := widerType(a.Element(), b.Element())
	if !ok {
		return a, false
	}
	return algebra.TArray(elem), true
}

// sameElements reports whether operators take two arrays for those of one type: texts and
// character(n) are of different ones.
func sameElements(a, b algebra.Type) bool {
	return exactKind(a.Element()) == exactKind(b.Element()) && a.Padded == b.Padded
}

func exactKind(t algebra.Type) algebra.Kind {
	if t.Kind == algebra.Decimal {
		return algebra.Numeric
	}
	return t.Kind
}

// isPreferred tells which type of a category PostgreSQL prefers.
func isPreferred(k algebra.Kind) bool {
	return k == algebra.Float64 || k == algebra.Text || k == algebra.Bool || k == algebra.Interval || k == algebra.TimestampTZ
}
