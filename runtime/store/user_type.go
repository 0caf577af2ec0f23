package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// typeOf is the type that an object is; nil of any other, and of none.
func typeOf(o Object) algebra.UserType {
	if t, ok := o.(*UserType); ok {
		return t.Of
	}
	return nil
}

// ResolveType is Resolve of the name of a type.
func (s *State) ResolveType(name, path []string) algebra.UserType {
	return typeOf(s.resolve(name, path, TypeKey))
}

// UserTypes are all types that statements have made, by name. The caller must not change them.
func (s *State) UserTypes() []algebra.UserType {
	s.types.once.Do(func() {
		s.types.byOID = map[uint32]algebra.UserType{}
		for _, key := range slices.Sorted(maps.Keys(s.objects)) {
			if t := typeOf(s.objects[key]); t != nil {
				s.types.list, s.types.byOID[t.ID().OID] = append(s.types.list, t), t
			}
		}
	})
	if s.reader != nil && len(s.types.list) > 0 {
		s.reader.read(catalogTarget)
	}
	return s.types.list
}

// UserTypeOf is the type of an OID; nil where there is none.
func (s *State) UserTypeOf(oid uint32) algebra.UserType {
	if oid == 0 {
		return nil
	}
	s.UserTypes()
	return s.types.byOID[oid]
}

// UserTypeKey is the key of a type.
func UserTypeKey(t algebra.UserType) string { return TypeKey(t.ID().Schema, t.ID().Name) }

// NewTypeOID is an OID for a type of a name: the same wherever it is free.
func (s *State) NewTypeOID(key string) uint32 {
	const first, span = 1 << 15, 1<<30 - 1<<15 // pairs of OIDs above those of the system
	h := fnv.New32a()
	h.Write([]byte(key))
	taken := map[uint32]bool{}
	for _, t := range s.UserTypes() {
		taken[t.ID().OID] = true
	}
	at := h.Sum32() % span
	for taken[2*(first+at)] {
		at = (at + 1) % span
	}
	return 2 * (first + at)
}

// typeTaken fails with 42710 where an object would be a type of a name that there is: a table or view has a
// type of its name.
func (s *State) typeTaken(o Object) error {
	other := TypeKey(o.Schema(), o.Name())
	switch KindOf(o) {
	case KindSequence, KindFunction:
		return nil
	case KindType:
		other = KeyIn(o.Schema(), o.Name())
	}
	found := s.Lookup(other)
	if found == nil || KindOf(found) == KindSequence {
		return nil
	}
	err := errTypeTaken(o.Name())
	if KindOf(o) != KindType {
		err.Hint = "A relation has an associated type of the same name, so you must use a name that doesn't conflict with any existing type."
	}
	return err
}

func errTypeTaken(name string) *value.Error {
	return value.Errorf(value.CodeDuplicateObject, "type %q already exists", name)
}

// LockTypes keeps others from changing the types of columns until the transaction ends. It fails
// with 40001 where somebody has changed one.
func (tx *Tx) LockTypes(ctx context.Context, columns []Column) error {
	for _, c := range columns {
		t := tx.State().UserTypeOfColumn(&c)
		if t == nil {
			continue
		}
		key := UserTypeKey(t)
		if err := tx.LockDefinition(ctx, key, true); err != nil {
			return err
		}
		if typeOf(tx.Latest().Lookup(key)) != t {
			return value.Errorf(value.CodeSerializationFailure, "could not serialize access due to concurrent update")
		}
	}
	return nil
}

// UserTypeOfColumn is the type of a column, or of the elements of its arrays, that a statement has made; nil
// for a type of the system.
func (s *State) UserTypeOfColumn(c *Column) algebra.UserType {
	switch {
	case c.Type.Enum != nil:
		return c.Type.Enum
	case c.Domain != 0:
		return s.UserTypeOf(c.Domain)
	}
	return nil
}

// TypedBy calls f with the columns of a type, and those of its arrays.
func (s *State) TypedBy(typ algebra.UserType, f func(t *Table, column int)) {
	for _, o := range s.Objects() {
		t, ok := o.(*Table)
		if !ok {
			continue
		}
		for i, c := range t.def.Columns {
			if e := c.Type.Enum; e != nil && typ == algebra.UserType(e) || c.Domain != 0 && c.Domain == typ.ID().OID {
				f(t, i)
			}
		}
	}
}

// typed says of each column of dropped types on what it depends, but for those of dropped tables.
func (tx *Tx) typed(gone map[string]bool) (lines []string) {
	state := tx.State()
	for _, typ := range state.UserTypes() {
		key := UserTypeKey(typ)
		if !gone[key] {
			continue
		}
		state.TypedBy(typ, func(t *Table, column int) {
			if !gone[KeyOf(t)] {
				lines = append(lines, fmt.Sprintf("column %s of %s %s depends on type %s",
					t.def.Columns[column].Name, KindOf(t), tx.written(t), tx.written(state.Lookup(key))))
			}
		})
	}
	return lines
}
