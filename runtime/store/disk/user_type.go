package disk

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// addType adds a type that a statement has made.
func (m *manifest) addType(t algebra.UserType) {
	id := t.ID()
	switch t := t.(type) {
	case *algebra.EnumType:
		m.Enums = append(m.Enums, enumEntry{Schema: id.Schema, Name: id.Name, OID: id.OID, Labels: t.Labels})
	case *algebra.Domain:
		var base encoder
		encodeTypeKind(&base, t.Base)
		entry := domainEntry{Schema: id.Schema, Name: id.Name, OID: id.OID, Base: base.b, NotNull: t.NotNull, Default: t.Default, Checks: t.Checks}
		if t.Over != nil {
			entry.Over = t.Over.OID
		}
		m.Domains = append(m.Domains, entry)
	}
}

// decodeDomains are the domains that a manifest has.
func decodeDomains(entries []domainEntry) (objects []store.Object, err error) {
	made := map[uint32]*algebra.Domain{}
	for _, e := range entries {
		d := &decoder{b: e.Base}
		made[e.OID] = &algebra.Domain{
			TypeID: algebra.TypeID{Schema: e.Schema, Name: e.Name, OID: e.OID}, Base: decodeTypeKind(d),
			NotNull: e.NotNull, Default: e.Default, Checks: e.Checks,
		}
		if d.err != nil {
			return nil, d.err
		}
	}
	for _, e := range entries {
		made[e.OID].Over = made[e.Over]
		objects = append(objects, &store.UserType{Of: made[e.OID]})
	}
	return objects, nil
}

// encodeDomains writes of which domains columns are.
func encodeDomains(e *encoder, columns []store.Column) {
	for _, c := range columns {
		e.uint(uint64(c.Domain))
	}
}

// haveDomains reports whether a column is of a domain.
func haveDomains(columns []store.Column) bool {
	for _, c := range columns {
		if c.Domain != 0 {
			return true
		}
	}
	return false
}

// decodeDomainsOf reads of which domains columns are; files of tables without any end before them.
func decodeDomainsOf(d *decoder, columns []store.Column) {
	if len(d.b) == 0 {
		return
	}
	for i := range columns {
		columns[i].Domain = uint32(d.uint())
	}
}
