package store

import (
	"context"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Defers reports whether a constraint of a table, by its key, waits for the end of the transaction.
func (tx *Tx) Defers(child string, k *algebra.ForeignKey) bool {
	if !k.Deferrable {
		return false
	}
	if said, named := tx.deferral.named[constraintName(child, k)]; named {
		return said
	}
	if tx.deferral.all != nil {
		return *tx.deferral.all
	}
	return k.Deferred
}

// Defer puts off a check.
func (tx *Tx) Defer(d Deferred) { tx.deferral.checks = append(tx.deferral.checks, d) }

// SetConstraint is SET CONSTRAINTS of a deferrable constraint.
func (tx *Tx) SetConstraint(child string, k *algebra.ForeignKey, deferred bool) {
	if tx.deferral.named == nil {
		tx.deferral.named = map[string]bool{}
	}
	tx.deferral.named[constraintName(child, k)] = deferred
}

// SetConstraints is SET CONSTRAINTS ALL.
func (tx *Tx) SetConstraints(deferred bool) { tx.deferral.all, tx.deferral.named = &deferred, nil }

// HasDeferred reports whether checks wait for the end of the transaction.
func (tx *Tx) HasDeferred() bool { return len(tx.deferral.checks) > 0 }

// CheckDeferred runs the checks that wait, in the order in which they were put off: at the end of the
// transaction all of them, else those whose constraints no longer do. The first that fails ends it.
func (tx *Tx) CheckDeferred(ctx context.Context, atEnd bool) error {
	checks := tx.deferral.checks
	tx.deferral.checks = nil
	for i := range checks {
		d := &checks[i]
		if !atEnd && tx.Defers(d.Child, d.Key) {
			tx.Defer(*d)
			continue
		}
		if err := d.Check(ctx); err != nil {
			return err
		}
	}
	return nil
}
