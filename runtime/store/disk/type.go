package disk

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// paddedKind marks character(n).
const paddedKind = 1 << 16

// encodeType writes a type.
func encodeType(e *encoder, t algebra.Type) {
	encodeTypeKind(e, t)
	encodeEnum(e, t)
}

// encodeTypeKind writes a type but for which enum it is.
func encodeTypeKind(e *encoder, t algebra.Type) {
	kinds := uint64(t.Kind) | uint64(t.Elem)<<8
	if t.Padded {
		kinds |= paddedKind
	}
	e.uint(kinds)
	e.uint(uint64(t.Precision))
	e.uint(uint64(t.Scale))
	e.uint(uint64(t.Length))
}

// encodeEnum writes which enum a type is, or its elements are, by its key; nothing of other types.
func encodeEnum(e *encoder, t algebra.Type) {
	if t.Enum != nil {
		e.text(store.UserTypeKey(t.Enum))
	}
}

// decodeType reads a type; enums are there by their keys.
func decodeType(d *decoder, enums map[string]*algebra.EnumType) algebra.Type {
	t := decodeTypeKind(d)
	decodeEnum(d, &t, enums)
	return t
}

func decodeTypeKind(d *decoder) algebra.Type {
	kinds := d.uint()
	return algebra.Type{
		Kind: algebra.Kind(kinds), Elem: algebra.Kind(kinds >> 8),
		Precision: uint8(d.uint()), Scale: uint8(d.uint()), Length: int32(d.uint()), Padded: kinds&paddedKind != 0,
	}
}

func decodeEnum(d *decoder, t *algebra.Type, enums map[string]*algebra.EnumType) {
	if t.Kind != algebra.Enum && t.Elem != algebra.Enum {
		return
	}
	if t.Enum = enums[d.text()]; t.Enum == nil {
		d.fail()
	}
}
