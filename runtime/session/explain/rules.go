package explain

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/rewrite"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Rule is a rewrite rule that changed the plan.
type Rule struct {
	Name string `json:"name"`
	Why  string `json:"why"`  // it stands where it does
	Plan string `json:"plan"` // after the rule
	// Changes is the plan after the rule with what the rule took away: lines begin
	// with "- " where they were there before only, with "+ " where they are new,
	// and with blanks otherwise.
	Changes []string `json:"changes"`
	// Decisions are the alternatives that the rule weighed, also where it then changed
	// nothing.
	Decisions []strategy.Decision `json:"decisions,omitempty"`
}

// changedRules lists the rules that changed the plan, and those that weighed
// alternatives.
func changedRules(plan *planner.Plan) []Rule {
	why := make(map[string]string)
	for _, rule := range rewrite.Rules() {
		why[rule.Name] = rule.Why
	}
	var rules []Rule
	before := algebra.Format(plan.Bound)
	for _, step := range plan.Steps {
		if !step.Changed && len(step.Decisions) == 0 {
			continue
		}
		after := algebra.Format(step.After)
		rule := Rule{Name: step.Rule, Why: why[step.Rule], Plan: after, Decisions: step.Decisions}
		if step.Changed {
			rule.Changes = algebra.Diff(before, after)
		}
		rules = append(rules, rule)
		before = after
	}
	return rules
}

// writeAlternatives lists what a rule chose from, with costs and why.
func writeAlternatives(out *strings.Builder, decisions []strategy.Decision) {
	for _, d := range decisions {
		fmt.Fprintf(out, "  %s: %s\n    %s\n", d.Of, d.Reason, strings.Join(d.Lines(), "\n    "))
	}
}
