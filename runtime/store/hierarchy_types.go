package store

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ElementType is the type of the elements of a hierarchy over columns of these types: that
// of all of them, bigint of integers or text of texts that differ. It fails with 42804
// where they do not go together, and with 0A000 where elements cannot be of their type.
func ElementType(types ...algebra.Type) (algebra.Type, error) {
	t := types[0]
	for _, other := range types[1:] {
		switch {
		case t == other:
		case t.IsInteger() && other.IsInteger():
			t = algebra.TInt64
		case t.Kind == algebra.Text && other.Kind == algebra.Text && !t.IsChar() && !other.IsChar():
			t = algebra.TText
		default:
			return t, value.Errorf(value.CodeDatatypeMismatch, "the elements of a hierarchy cannot be of both type %v and type %v", t, other)
		}
	}
	whole := storedAsInts(t) && (t.Kind != algebra.Decimal || t.Precision <= 18)
	text := t.Kind == algebra.Text && !t.IsVector() && (!t.IsChar() || t.Length > 0)
	if whole || text {
		return t, nil
	}
	return t, value.Errorf(value.CodeFeatureNotSupported, "the elements of a hierarchy cannot be of type %v", t)
}

// WeightType is the type of the weights of a hierarchy whose edges have weights of a type.
// Products of whole numbers are whole; those of others have as many decimals as they need.
// It fails with 42804 for what is no number.
func WeightType(t algebra.Type) (algebra.Type, error) {
	switch {
	case t.IsFloat():
		return algebra.TFloat64, nil
	case t.IsInteger() || t.Kind == algebra.Decimal && t.Scale == 0:
		return WholeWeight, nil
	case t.IsExact():
		return algebra.TNumeric, nil
	}
	return t, value.Errorf(value.CodeDatatypeMismatch, "the weights of a hierarchy cannot be of type %v", t)
}

// WholeWeight is the type of weights that are whole numbers.
var WholeWeight = algebra.TDecimal(38, 0)
