package cubeloom

import (
	"context"
	"fmt"
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

// TestExplainAlternatives holds that EXPLAIN names what a rule weighed, with rows and
// costs, which it took and why, by its options RULES and FUSION and as JSON.
func TestExplainAlternatives(t *testing.T) {
	ctx := context.Background()
	db, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	for _, sql := range []string{
		"CREATE TABLE cells (base int NOT NULL, value int NOT NULL, wide bigint NOT NULL)",
		"INSERT INTO cells SELECT g % 10, g % 100, 9000000000000000000 FROM generate_series(1, 20000) AS s(g)",
		"CREATE TABLE edges (base int NOT NULL, target int NOT NULL, weight int NOT NULL)",
		"INSERT INTO edges SELECT g % 10, g % 40, g % 3 FROM generate_series(1, 400) AS s(g)",
	} {
		if _, err := s.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	const from = " FROM cells JOIN edges ON cells.base = edges.base GROUP BY target"
	for _, c := range []struct{ sql, want, taken string }{
		{"EXPLAIN (RULES) SELECT target, sum(value * weight)" + from, "of at most 0.5 that pay", "cells by base: 10 rows"},
		{"EXPLAIN (FUSION) SELECT target, sum(value * weight)" + from, "alternatives of rule push_aggregates", "cells by base: 10 rows"},
		{"EXPLAIN (RULES) SELECT target, sum(wide * weight)" + from, "not taken early: nothing proves that no product or sum overflows", "after all joins only"},
	} {
		res, err := s.Query(ctx, c.sql)
		if err != nil {
			t.Fatal(err)
		}
		text, taken := "", ""
		for cur := res.Cursor(); cur.Next(); {
			text += cur.Text(0) + "\n"
			if strings.HasPrefix(cur.Text(0), "    taken") {
				taken = cur.Text(0)
			}
		}
		if !strings.Contains(text, c.want) || !strings.Contains(taken, c.taken) {
			t.Errorf("%s\ntook %q in\n%s", c.sql, taken, text)
		}
	}
	res, err := s.Query(ctx, "EXPLAIN (RULES, FORMAT json) SELECT target, sum(value * weight)"+from)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for cur := res.Cursor(); cur.Next(); {
		text += cur.Text(0) + "\n"
	}
	for _, want := range []string{`"offers"`, `"taken": true`, `"estimated_nanoseconds"`, `"reason"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestExplainOrderOfJoins holds that EXPLAIN (RULES) names the orders of joins that were
// compared, the cheapest as the one that was taken.
func TestExplainOrderOfJoins(t *testing.T) {
	ctx := context.Background()
	db, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	for _, sql := range []string{
		"CREATE TABLE a AS SELECT g::int AS x, g::int % 10 AS y FROM generate_series(1, 20000) AS s(g)",
		"CREATE TABLE b AS SELECT g::int AS y FROM generate_series(1, 10) AS s(g)",
		"CREATE TABLE c AS SELECT g::int AS x FROM generate_series(1, 3000) AS s(g)",
	} {
		if _, err := s.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	explain := func(query string) string {
		t.Helper()
		res, err := s.Query(ctx, "EXPLAIN (RULES) "+query)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for cur := res.Cursor(); cur.Next(); {
			lines = append(lines, cur.Text(0))
		}
		return strings.Join(lines, "\n")
	}
	text := explain("SELECT count(*) FROM b JOIN a USING (y) JOIN c USING (x)")
	for _, want := range []string{"order of joins: the cheapest of all orders", "taken  a ⋈ c ⋈ b", "a ⋈ b ⋈ c"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	many := "SELECT count(*) FROM a AS a0"
	for i := range 13 {
		many += fmt.Sprintf(" JOIN b AS b%d ON a0.y = b%d.y", i, i)
	}
	if text := explain(many); !strings.Contains(text, "taken  greedy (again and again") || !strings.Contains(text, "too many relations to compare all orders") {
		t.Errorf("no greedy order in\n%s", text)
	}
}
