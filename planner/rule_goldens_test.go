package planner

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/rewrite"
)

// ruleCase is a query of testdata/rules with what a rule does to its plan.
type ruleCase struct {
	comment string // why the rule fires, or why it must not
	query   string
	changes string // the lines that the rule takes away and makes, or "unchanged"
}

// unchanged is what a case says whose plan the rule leaves as it is.
const unchanged = "unchanged\n"

// TestRuleGoldens holds what each rule does to the queries of testdata/rules: every
// rule has a case that it changes, and one that looks alike and that it must leave.
// A rule that runs twice has one file.
func TestRuleGoldens(t *testing.T) {
	cat := loadCatalog(t, "testdata/small.catalog")
	for _, rule := range rewrite.Rules() {
		if strings.HasSuffix(rule.Name, "_again") {
			continue
		}
		t.Run(rule.Name, func(t *testing.T) {
			path := "testdata/rules/" + rule.Name + ".txt"
			cases := readRuleCases(t, path)
			for i, c := range cases {
				got := ruleChanges(t, cat, c.query, rule.Name)
				wasLeft := c.changes == unchanged
				if isLeft := got == unchanged; c.changes != "" && isLeft != wasLeft {
					t.Errorf("%s\n%s\nchanged: %t, want %t\n%s", c.comment, c.query, !isLeft, !wasLeft, got)
					continue // -update may not turn a case round
				}
				if got != c.changes && !*update {
					t.Errorf("%s\n%s\ngot\n%swant\n%s", c.comment, c.query, got, c.changes)
				}
				cases[i].changes = got
			}
			isLeft := func(c ruleCase) bool { return c.changes == unchanged }
			if !slices.ContainsFunc(cases, isLeft) {
				t.Error("no counter-example")
			}
			if !slices.ContainsFunc(cases, func(c ruleCase) bool { return !isLeft(c) }) {
				t.Error("no case that the rule changes")
			}
			if *update {
				writeRuleCases(t, path, cases)
			}
		})
	}
}

// ruleChanges returns the changed lines of the plan each time that the rule ran.
func ruleChanges(t *testing.T, cat Catalog, query, rule string) string {
	t.Helper()
	plan, err := Build(parseQuery(t, query), cat, Options{Verify: true, Trace: true, Random: func() int64 { return 1 }})
	if err != nil {
		t.Fatal(query, err)
	}
	var out strings.Builder
	before := plan.Bound
	for _, step := range plan.Steps {
		if step.Changed && strings.TrimSuffix(step.Rule, "_again") == rule {
			lines := algebra.Diff(algebra.FormatWithIDs(before), algebra.FormatWithIDs(step.After))
			out.WriteString(strings.Join(lines, "\n") + "\n")
		}
		before = step.After
	}
	if out.Len() == 0 {
		return unchanged
	}
	return out.String()
}

// readRuleCases reads cases with an empty line between them: lines of comment that
// begin with #, a line of SQL, and the changes. Changes that are missing are written
// by -update.
func readRuleCases(t *testing.T, path string) []ruleCase {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []ruleCase
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		var c ruleCase
		for strings.HasPrefix(block, "#") {
			line, rest, _ := strings.Cut(block, "\n")
			c.comment += line + "\n"
			block = rest
		}
		c.query, c.changes, _ = strings.Cut(block+"\n", "\n")
		if c.comment == "" || c.query == "" {
			t.Fatalf("%s: a case without a comment or a query", path)
		}
		cases = append(cases, c)
	}
	return cases
}

func writeRuleCases(t *testing.T, path string, cases []ruleCase) {
	t.Helper()
	var blocks []string
	for _, c := range cases {
		blocks = append(blocks, c.comment+c.query+"\n"+c.changes)
	}
	if err := os.WriteFile(path, []byte(strings.Join(blocks, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}
