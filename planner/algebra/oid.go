package algebra

// row is what clients know the type by.
func (t Type) row() aliasRow {
	switch {
	case t.Kind == Array:
		return aliasRow{oid: t.Element().row().array, size: -1}
	case t.IsVector() && t.Elem == Int16:
		return aliasRow{oid: 22, array: 1006, size: -1}
	case t.IsVector():
		return aliasRow{oid: 30, array: 1013, size: -1}
	case t.Alias != NoAlias:
		return aliases[t.Alias]
	case t.Kind == Enum:
		return aliasRow{t.Enum.Name, t.Enum.OID, t.Enum.OID + 1, 4}
	case t.Padded:
		return aliasRow{oid: 1042, array: 1014, size: -1}
	case t.Kind == Text && t.Length > 0:
		return aliasRow{oid: 1043, array: 1015, size: -1}
	}
	k := kinds[t.Kind]
	return aliasRow{k.name, k.oid, k.array, k.size}
}

// OID is the type's OID in pg_type.
func (t Type) OID() uint32 { return t.row().oid }

// Size is what pg_type says a value takes, in bytes, -1 where that varies.
func (t Type) Size() int { return t.row().size }

// OfOID is the type that clients mean by an OID, without precision and length; ok is
// false where there is none that values of clients can have.
func OfOID(oid uint32) (t Type, ok bool) {
	if oid == 0 || oid == 705 {
		return TUnknown, true
	}
	known := []Type{TBPChar, TOID, TAlias(Char), TAlias(Name), {Kind: Text, Length: 1}}
	for k := Bool; int(k) < len(kinds); k++ {
		if k != Decimal && k != Array && k != Record && k != Enum {
			known = append(known, Type{Kind: k})
		}
	}
	for _, t := range known {
		row := t.row()
		t.Length = 0
		switch oid {
		case row.oid:
			return t, true
		case row.array:
			return TArray(t), true
		}
	}
	return TUnknown, false
}
