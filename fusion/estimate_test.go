package fusion_test

import (
	"testing"

	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

// TestRowsAreThePlanners holds that the result of a program has the rows that the
// planner estimates.
func TestRowsAreThePlanners(t *testing.T) {
	for name, plan := range plantest.Queries() {
		p := weave(t, plan, fusion.Options{Fusion: true})
		want := max(estimate.New(nil).Rows(plan), 1)
		if got := p.Ops[p.Root].Rows; got != want {
			t.Errorf("%s: %v rows, the planner estimates %v", name, got, want)
		}
	}
}
