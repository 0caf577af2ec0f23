package scope

import "github.com/cubeloom/cubeloom/planner/algebra"

// DomainOf is the domain of an expression; nil where it is of none, or is a column of no table.
func (b *Binder) DomainOf(e algebra.Expr) *algebra.Domain {
	if d, known := b.Domains[e]; known {
		return d
	}
	if ref, ok := e.(*algebra.ColumnRef); ok {
		return b.domainsOf[ref.Column.ID]
	}
	return nil
}

// Undomained is an expression of a domain as one of the type of the domain's values.
func (b *Binder) Undomained(e algebra.Expr) algebra.Expr {
	if b.DomainOf(e) == nil {
		return e
	}
	switch of := e.(type) {
	case *algebra.ColumnRef:
		plain := *of
		b.Domains[&plain] = nil
		return &plain
	case *algebra.Case:
		plain := *of
		return &plain
	}
	return e
}

// NoteDomain says of which domain a column of a table is that is read.
func (b *Binder) NoteDomain(c algebra.Column, d *algebra.Domain) {
	if d != nil {
		b.domainsOf[c.ID] = d
	}
}

// HasDomains reports whether anything is of a domain.
func (b *Binder) HasDomains() bool { return len(b.Domains)+len(b.domainsOf) > 0 }
