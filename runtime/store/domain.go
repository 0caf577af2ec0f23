package store

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Domain is the domain of a key, nil where there is none.
func (s *State) Domain(key string) *algebra.Domain {
	d, _ := typeOf(s.Lookup(key)).(*algebra.Domain)
	return d
}

// DomainOf is the domain of an OID, nil where there is none.
func (s *State) DomainOf(oid uint32) *algebra.Domain {
	d, _ := s.UserTypeOf(oid).(*algebra.Domain)
	return d
}

// DomainsOver are the domains that are of another one.
func (s *State) DomainsOver(d *algebra.Domain) (list []*algebra.Domain) {
	for _, t := range s.UserTypes() {
		if over, ok := t.(*algebra.Domain); ok && over.Over != nil && over.Over.OID == d.OID {
			list = append(list, over)
		}
	}
	return list
}

// Domained calls f with the columns of a domain and of those that are of it.
func (s *State) Domained(d *algebra.Domain, f func(t *Table, column int)) {
	s.TypedBy(d, f)
	for _, over := range s.DomainsOver(d) {
		s.Domained(over, f)
	}
}

// LockDomain locks a domain to define it, the domains that are of it, and the tables with columns of them.
// It fails with 42704 where there is no such type.
func (tx *Tx) LockDomain(ctx context.Context, key string) (err error) {
	defer sqlstate.Catch(&err)
	t, _, err := tx.LockType(ctx, key)
	sqlstate.Check(err)
	if d, ok := t.(*algebra.Domain); ok {
		for _, over := range tx.State().DomainsOver(d) {
			sqlstate.Check(tx.LockDomain(ctx, UserTypeKey(over)))
		}
	}
	return nil
}

// ReplaceDomain gives a domain that LockDomain has locked another definition, also in those that are of it.
// It fails with 42710 where there is a type of its name.
func (tx *Tx) ReplaceDomain(ctx context.Context, old, next *algebra.Domain) (err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(tx.renameType(ctx, old, next))
	for _, over := range slices.Clone(tx.State().DomainsOver(old)) {
		changed := *over
		changed.Over = next
		sqlstate.Check(tx.ReplaceDomain(ctx, over, &changed))
	}
	return nil
}
