package pgcatalog

import "github.com/cubeloom/cubeloom/planner/algebra"

// UserType is a type that a statement has made, and what the store calls it.
type UserType struct {
	Of       algebra.UserType
	StoreKey string
}

// domain is the type as a domain; nil of any other, and of one of the system, which is nil.
func (t *UserType) domain() *algebra.Domain {
	if t == nil {
		return nil
	}
	d, _ := t.Of.(*algebra.Domain)
	return d
}
