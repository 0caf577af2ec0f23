package algebra

import (
	"slices"
	"strings"
)

// Domain is a type that CREATE DOMAIN has made: that of the values of another type, Base, which fulfil
// conditions. Expressions know no domains: a cast to one computes the conditions of a value of the base.
type Domain struct {
	TypeID
	Base    Type
	Over    *Domain // the domain that it is of, whose conditions come first; nil for none
	NotNull bool
	Default string // the text of the expression that columns have by default; "" for none
	Checks  []DomainCheck
}

// DomainCheck is a CHECK constraint of a domain: the text of an expression that has VALUE in the place of
// the value. NotValid says that older rows may have values of which it is false.
type DomainCheck struct {
	Name, Text string
	NotValid   bool   `json:",omitempty"`
	Comment    string `json:",omitempty"`
}

// DomainOID is the OID of a domain; 0 for nil.
func DomainOID(d *Domain) uint32 {
	if d == nil {
		return 0
	}
	return d.OID
}

// Refuses reports whether NULL is no value of the domain.
func (d *Domain) Refuses() bool { return d.NotNull || d.Over != nil && d.Over.Refuses() }

// AllChecks are the constraints of values in the order in which they are looked at: those of the domains that
// this one is of first, and those of each by name.
func (d *Domain) AllChecks() []DomainCheck {
	own := slices.SortedFunc(slices.Values(d.Checks), func(a, b DomainCheck) int { return strings.Compare(a.Name, b.Name) })
	if d.Over == nil {
		return own
	}
	return append(d.Over.AllChecks(), own...)
}
