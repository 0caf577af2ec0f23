package cubeloom

import (
	"context"
	"strings"
	"testing"
)

// TestExplainRules holds that EXPLAIN (RULES) shows of each rule the lines that
// it took away and those that it made.
func TestExplainRules(t *testing.T) {
	db, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	res, err := db.Session().Query(context.Background(), "EXPLAIN (RULES) SELECT x FROM (VALUES (1, 2), (3, 4)) AS v (x, y), generate_series(1, 3) AS g WHERE x = g AND y > 1 + 1")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for cur := res.Cursor(); cur.Next(); {
		lines = append(lines, cur.Text(0))
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{
		"bound algebra\n", "rule push_filters: ", "rule join_keys: ", "optimized algebra\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	_, rule, _ := strings.Cut(text, "rule join_keys: ")
	rule, _, _ = strings.Cut(rule, "\n\n")
	if taken, made := strings.Count(rule, "\n- "), strings.Count(rule, "\n+ "); taken != 1 || made != 1 {
		t.Errorf("%d lines taken away and %d made in\n%s", taken, made, rule)
	}
}
