package store

import (
	"context"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Deferred is the check of a FOREIGN KEY constraint that waits for the end of the transaction.
type Deferred struct {
	Child string // the key of the table that has the constraint
	Key   *algebra.ForeignKey
	Table string // the key of the table whose rows were changed
	Held  *runtime.Hold
	Check func(context.Context) error
}

// deferral is what a transaction has put off, and what SET CONSTRAINTS has said.
type deferral struct {
	checks []Deferred
	all    *bool // of all constraints that named has not; nil: as each is by default
	named  map[string]bool
}

func (d *deferral) clone() deferral {
	return deferral{slices.Clip(d.checks), d.all, maps.Clone(d.named)}
}

// constraintName names a constraint among those of all tables.
func constraintName(child string, k *algebra.ForeignKey) string { return child + "\x00" + k.Name }

// free fails with 55006 where a check of a table waits, which command would harm.
func (d *deferral) free(key, command string) error {
	if slices.ContainsFunc(d.checks, func(d Deferred) bool { return d.Table == key }) {
		return value.Errorf(value.CodeObjectInUse, "cannot %s %q because it has pending trigger events", command, NameOf(key))
	}
	return nil
}
