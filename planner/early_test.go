package planner

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// TestEarly holds what rule push_aggregates makes of each query of testdata/early.sql:
// the alternatives, why one was taken, and the plan. A query whose comment begins with
// "not:" must stay as it is.
func TestEarly(t *testing.T) {
	text, err := os.ReadFile("testdata/early.sql")
	if err != nil {
		t.Fatal(err)
	}
	cat := loadCatalog(t, "testdata/cubes.catalog")
	var out strings.Builder
	comment := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "--") {
			comment = line
			continue
		}
		plan, err := Build(parseQuery(t, strings.TrimSuffix(line, ";")), cat, Options{Verify: true, Weigh: true})
		if err != nil {
			t.Fatal(line, err)
		}
		short, err := Build(parseQuery(t, strings.TrimSuffix(line, ";")), cat, Options{})
		if err != nil {
			t.Fatal(line, err)
		}
		if algebra.Format(short.Root) != algebra.Format(plan.Root) {
			t.Errorf("%s\nhas another plan where the alternatives are not kept\n%s", line, algebra.Format(short.Root))
		}
		fmt.Fprintf(&out, "%s\n%s\n", comment, line)
		for _, step := range plan.Steps {
			if step.Rule != "push_aggregates" {
				continue
			}
			for _, d := range step.Decisions {
				fmt.Fprintf(&out, "%s: %s\n  %s\n", d.Of, d.Reason, strings.Join(d.Lines(), "\n  "))
			}
		}
		fmt.Fprintf(&out, "%s\n", algebra.Format(plan.Root))
		if early := ruleChanged(plan, "push_aggregates"); early == strings.Contains(comment, "not:") {
			t.Errorf("%s\n%s\naggregates early: %v", comment, line, early)
		}
	}
	goldenPlan(t, "testdata/early.plan", out.String())
}
