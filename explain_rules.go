package cubeloom

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/rewrite"
)

// explainedRule is a rewrite rule that changed the plan.
type explainedRule struct {
	Name string `json:"name"`
	Why  string `json:"why"`  // it stands where it does
	Plan string `json:"plan"` // after the rule
	// Changes is the plan after the rule with what the rule took away: lines begin
	// with "- " where they were there before only, with "+ " where they are new,
	// and with blanks otherwise.
	Changes []string `json:"changes"`
}

// changedRules lists the rules that changed the plan.
func changedRules(plan *planner.Plan) []explainedRule {
	why := make(map[string]string)
	for _, rule := range rewrite.Rules() {
		why[rule.Name] = rule.Why
	}
	var rules []explainedRule
	before := algebra.Format(plan.Bound)
	for _, step := range plan.Steps {
		if !step.Changed {
			continue
		}
		after := algebra.Format(step.After)
		rules = append(rules, explainedRule{
			Name: step.Rule, Why: why[step.Rule], Plan: after, Changes: changedLines(planLines(before), planLines(after)),
		})
		before = after
	}
	return rules
}

func planLines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// changedLines marks the lines of two texts by a longest common subsequence: what
// only one of them has, and what both have.
func changedLines(before, after []string) []string {
	common := make([][]int, len(before)+1) // of the texts from a line on
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for k := len(after) - 1; k >= 0; k-- {
			if before[i] == after[k] {
				common[i][k] = common[i+1][k+1] + 1
			} else {
				common[i][k] = max(common[i+1][k], common[i][k+1])
			}
		}
	}
	var out []string
	i, k := 0, 0
	for i < len(before) || k < len(after) {
		switch {
		case i < len(before) && k < len(after) && before[i] == after[k]:
			out = append(out, "  "+after[k])
			i, k = i+1, k+1
		case k == len(after) || i < len(before) && common[i+1][k] >= common[i][k+1]:
			out = append(out, "- "+before[i])
			i++
		default:
			out = append(out, "+ "+after[k])
			k++
		}
	}
	return out
}

// writeRules writes the plan as it was bound, what each rule changed in it, and
// the plan that this led to.
func (e *explained) writeRules(out *strings.Builder, plan *planner.Plan) {
	fmt.Fprintf(out, "bound algebra\n%s\n", algebra.Format(plan.Bound))
	for _, rule := range e.Rules {
		fmt.Fprintf(out, "rule %s: %s\n%s\n\n", rule.Name, rule.Why, strings.Join(rule.Changes, "\n"))
	}
	fmt.Fprintf(out, "optimized algebra\n%s\n", algebra.Format(plan.Root))
}
