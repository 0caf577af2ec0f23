// Package rewrite improves plans by rules. Each rule takes a whole plan and
// returns one that has the same result columns (names and types; the IDs may
// change) and the same rows. The rules are rows of a table; one loop runs, times, disables and
// verifies them.
package rewrite

import (
	"fmt"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Rule is one row of the table of rules.
type Rule struct {
	Name string
	// Why says why the rule stands where it does.
	Why   string
	apply func(*context, algebra.Node) algebra.Node
	of    scope
	// always is set where the other rules need what the rule makes: it is never
	// left out.
	always bool
}

// Rules are the rules in the order in which they run.
func Rules() []Rule {
	return []Rule{
		{"fold_constants", "first, so that the others see the simplest conditions", foldConstants, part, false},
		{"unnest", "before all rules that move something: none of them looks into subqueries", unnest, part, true},
		{"randoms", "when subqueries have become nodes, and before anything moves: behind it random() is a function of columns", randoms, part, true},
		{"fold_constants_again", "what subqueries became is simple too, and may be known", foldConstants, part, false},
		{"decimal_sums", "when constants are folded, and before projects are merged: it adds one", decimalSums, part, false},
		{"sum_constants", "when constants are folded, and before projects are merged: it adds one", sumConstants, part, false},
		{"factor_ors", "before filters are pushed: what it takes out of an OR may be the key of a join", factorOrs, part, false},
		{"merge_projects", "before filters are pushed, so that they meet fewer projects on their way", mergeProjects, part, false},
		{"derived_keys", "when keys are computed where they are keys, and before filters are pushed and groups estimated", derivedKeys, part, false},
		{"prune_columns", "when nothing but joins is left to be found out, and before the rules that go over the columns of every node: most queries read few of a table's", pruneColumns, part, false},
		{"restrict_ors", "after factor_ors, and before filters are pushed, which brings the new ones to their tables", restrictOrs, part, false},
		{"inner_joins", "before filters are pushed: an inner join lets more of them through than an outer one", innerJoins, part, false},
		{"infer_filters", "before filters are pushed, which brings the new ones to their tables", inferFilters, part, false},
		{"push_filters", "before keys are found: it brings the conditions to the joins that they join", pushFilters, part, false},
		{"anti_joins", "when conditions have come to stand right above their joins", antiJoins, part, false},
		{"fold_pushed", "right after conditions have been pushed, and before anything is estimated: it leaves out what has no rows", foldPushed, part, false},
		{"share_with", "when the conditions of each reference stand at it, and before joins are ordered: a reference may become one of them", shareWith, statement, true},
		{"first_rows", "when conditions have come to stand right above their windows", firstRows, part, false},
		{"join_keys", "before joins are ordered by their keys", joinKeys, part, false},
		{"distinct", "after filters have passed set operations, which become aggregates here", distinct, part, false},
		{"prune_sets", "after filters on GROUPING have reached the aggregates", pruneSets, part, false},
		{"limits", "before joins are ordered, so that estimates know of them", pushLimits, part, false},
		{"numbered_keys", "after filters have passed aggregates, and distinct, which makes some; before groups are estimated", numberedKeys, part, false},
		{"reduce_groups", "after filters have reached their tables, and before joins are ordered: it adds one", reduceGroups, part, false},
		{"order_joins", "when conditions and keys stand at their joins", orderJoins, part, false},
		{"push_aggregates", "after joins are ordered: it weighs the joins as they will be run", pushAggregates, part, false},
		{"join_parts", "when joins are ordered, and it is known what is aggregated before them", joinParts, part, false},
		{"order_filters", "when all conditions are where they stay", orderFilters, part, false},
		{"remove_noops", "after the rules that leave empty inputs and idle nodes behind", removeNoops, part, false},
		{"prune_columns_again", "late, when it is known who reads what", pruneColumns, part, false},
		{"merge_projects_again", "after pruning, which leaves projects that pass columns on", mergeProjects, part, false},
		{"recursions", "when no rule makes or copies one any more", recursions, finish, true},
		{"refresh_nullability", "late: it notes in every reference what the plan now says of its column", refreshNullability, finish, false},
		{"share_subplans", "behind all rules that change a node: no other rule may change a node in one of its places alone", shareSubplans, finish, false},
		{"plan_with", "when it is known which columns are read; behind it a node is an input of several", planWith, statement, true},
	}
}

// rules is the list that is made once.
var rules = sync.OnceValue(Rules)

// Run applies the rules to a plan. An error is the refusal of a construct, or
// the defect of a rule, which it names.
func Run(n algebra.Node, opts Options) (_ algebra.Node, _ []Step, err error) {
	defer sqlstate.Catch(&err)
	ctx := &context{opts: opts, lastID: opts.LastID, est: opts.Estimates, run: Run}
	ctx.through = ctx.rulesOf
	steps := make([]Step, 0, len(rules()))
	if opts.Verify {
		if err := algebra.Verify(n); err != nil {
			return nil, nil, fmt.Errorf("the binder made a bad plan: %w", err)
		}
	}
	start := time.Now()
	for _, rule := range rules() {
		if opts.Disable[rule.Name] && !rule.always {
			continue
		}
		opts.Meter.Must(nodeWork)
		after := rule.apply(ctx, n)
		if ctx.err != nil {
			return nil, nil, ctx.err
		}
		end := time.Now()
		step := Step{Rule: rule.Name, Time: end.Sub(start), Changed: after != n, Decisions: ctx.decisions}
		start, ctx.decisions = end, nil
		if opts.Trace {
			step.After = after
		}
		steps = append(steps, step)
		if opts.Verify {
			if err := verifyStep(n, after); err != nil {
				return nil, nil, fmt.Errorf("rule %s made a bad plan: %w", rule.Name, err)
			}
		}
		n = after
	}
	return n, steps, nil
}

// rulesOf runs the rules of a scope over a plan that is part of another one.
func (c *context) rulesOf(n algebra.Node, of scope) algebra.Node {
	for _, rule := range rules() {
		if rule.of != of || c.opts.Disable[rule.Name] && !rule.always {
			continue
		}
		c.opts.Meter.Must(nodeWork)
		after := rule.apply(c, n)
		if c.err != nil {
			return n
		}
		if c.opts.Verify {
			if err := verifyStep(n, after); err != nil {
				c.err = fmt.Errorf("rule %s made a bad plan: %w", rule.Name, err)
			}
		}
		n = after
	}
	return n
}

// verifyStep checks a plan and that its result is that of the plan before.
func verifyStep(before, after algebra.Node) error {
	if before == after {
		return nil
	}
	if err := algebra.Verify(after); err != nil {
		return err
	}
	want, got := before.Columns(), after.Columns()
	if len(want) != len(got) {
		return fmt.Errorf("%d result columns became %d", len(want), len(got))
	}
	for i := range want {
		if want[i].Name != got[i].Name || want[i].Type != got[i].Type {
			return fmt.Errorf("result column %s of type %s became %s of type %s",
				want[i].Name, want[i].Type, got[i].Name, got[i].Type)
		}
	}
	return nil
}
