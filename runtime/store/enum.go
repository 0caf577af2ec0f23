package store

import "github.com/cubeloom/cubeloom/planner/algebra"

// Enum is the enum of a key, nil where there is none.
func (s *State) Enum(key string) *algebra.EnumType {
	e, _ := typeOf(s.Lookup(key)).(*algebra.EnumType)
	return e
}
