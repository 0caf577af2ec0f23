package store

import (
	"context"
	"fmt"
	"hash/fnv"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Enum is the type of a key, nil where there is none.
func (s *State) Enum(key string) *algebra.EnumType {
	if e, ok := s.Lookup(key).(*Enum); ok {
		return e.Of
	}
	return nil
}

// ResolveEnum is Resolve of the name of a type.
func (s *State) ResolveEnum(name, path []string) *algebra.EnumType {
	if e, ok := s.resolve(name, path, TypeKey).(*Enum); ok {
		return e.Of
	}
	return nil
}

// Enums are all types, by name.
func (s *State) Enums() (list []*algebra.EnumType) {
	for _, o := range s.Objects() {
		if e, ok := o.(*Enum); ok {
			list = append(list, e.Of)
		}
	}
	return list
}

// EnumKey is the key of a type.
func EnumKey(e *algebra.EnumType) string { return TypeKey(e.Schema, e.Name) }

// NewTypeOID is an OID for a type of a name: the same wherever it is free.
func (s *State) NewTypeOID(key string) uint32 {
	const first, span = 1 << 15, 1<<30 - 1<<15 // pairs of OIDs above those of the system
	h := fnv.New32a()
	h.Write([]byte(key))
	taken := map[uint32]bool{}
	for _, e := range s.Enums() {
		taken[e.OID] = true
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

// TypedBy calls f with the columns of a type, and those of its arrays.
func (s *State) TypedBy(e *algebra.EnumType, f func(t *Table, column int)) {
	for _, o := range s.Objects() {
		t, ok := o.(*Table)
		if !ok {
			continue
		}
		for i, c := range t.def.Columns {
			if c.Type.Enum == e {
				f(t, i)
			}
		}
	}
}

// LockTypes keeps others from changing the types of columns until the transaction ends. It fails
// with 40001 where somebody has changed one.
func (tx *Tx) LockTypes(ctx context.Context, columns []Column) error {
	for _, c := range columns {
		e := c.Type.Enum
		if e == nil {
			continue
		}
		key := EnumKey(e)
		if err := tx.LockDefinition(ctx, key, true); err != nil {
			return err
		}
		if tx.Latest().Enum(key) != e {
			return value.Errorf(value.CodeSerializationFailure, "could not serialize access due to concurrent update")
		}
	}
	return nil
}

// typed says of each column of dropped types on what it depends, but for those of dropped tables.
func (tx *Tx) typed(gone map[string]bool) (lines []string) {
	state := tx.State()
	for _, e := range state.Enums() {
		key := EnumKey(e)
		if !gone[key] {
			continue
		}
		state.TypedBy(e, func(t *Table, column int) {
			if !gone[KeyOf(t)] {
				lines = append(lines, fmt.Sprintf("column %s of %s %s depends on type %s",
					t.def.Columns[column].Name, KindOf(t), tx.written(t), tx.written(state.Lookup(key))))
			}
		})
	}
	return lines
}
