package cubeloom

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// explainer opens a database, runs statements, and returns what shows the text that
// EXPLAIN with options has of a query.
func explainer(t *testing.T, statements ...string) func(options, query string) string {
	t.Helper()
	db, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := db.Session()
	run := func(sql string) string {
		t.Helper()
		res, err := s.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Close()
		var lines []string
		for cur := res.Cursor(); len(res.Columns) > 0 && cur.Next(); {
			lines = append(lines, cur.Text(0))
		}
		return strings.Join(lines, "\n")
	}
	for _, sql := range statements {
		run(sql)
	}
	return func(options, query string) string {
		t.Helper()
		return run("EXPLAIN (" + options + ") " + query)
	}
}

// contains fails where a text lacks one of some parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// TestExplainRules holds that EXPLAIN (RULES) shows of each rule the lines that
// it took away and those that it made.
func TestExplainRules(t *testing.T) {
	text := explainer(t)("RULES", "SELECT x FROM (VALUES (1, 2), (3, 4)) AS v (x, y), generate_series(1, 3) AS g WHERE x = g AND y > 1 + 1")
	contains(t, text, "bound algebra\n", "rule push_filters: ", "rule join_keys: ", "optimized algebra\n")
	_, rule, _ := strings.Cut(text, "rule join_keys: ")
	rule, _, _ = strings.Cut(rule, "\n\n")
	if taken, made := strings.Count(rule, "\n- "), strings.Count(rule, "\n+ "); taken != 1 || made != 1 {
		t.Errorf("%d lines taken away and %d made in\n%s", taken, made, rule)
	}
}

// TestExplainAlternatives holds that EXPLAIN names what a rule weighed, with rows and
// costs, which it took and why, by its options RULES and FUSION and as JSON.
func TestExplainAlternatives(t *testing.T) {
	explain := explainer(t,
		"CREATE TABLE cells (base int NOT NULL, value int NOT NULL, wide bigint NOT NULL)",
		"INSERT INTO cells SELECT g % 10, g % 100, 9000000000000000000 FROM generate_series(1, 20000) AS s(g)",
		"CREATE TABLE edges (base int NOT NULL, target int NOT NULL, weight int NOT NULL)",
		"INSERT INTO edges SELECT g % 10, g % 40, g % 3 FROM generate_series(1, 400) AS s(g)",
	)
	const from = " FROM cells JOIN edges ON cells.base = edges.base GROUP BY target"
	for _, c := range []struct{ options, sql, want, taken string }{
		{"RULES", "SELECT target, sum(value * weight)" + from, "of at most 0.5 that pay", "cells by base: 10 rows"},
		{"FUSION", "SELECT target, sum(value * weight)" + from, "alternatives of rule push_aggregates", "cells by base: 10 rows"},
		{"RULES", "SELECT target, sum(wide * weight)" + from, "not taken early: nothing proves that no product or sum overflows", "after all joins only"},
	} {
		text, taken := explain(c.options, c.sql), ""
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, "    taken") {
				taken = line
			}
		}
		if !strings.Contains(text, c.want) || !strings.Contains(taken, c.taken) {
			t.Errorf("%s\ntook %q in\n%s", c.sql, taken, text)
		}
	}
	contains(t, explain("RULES, FORMAT json", "SELECT target, sum(value * weight)"+from),
		`"offers"`, `"taken": true`, `"estimated_nanoseconds"`, `"reason"`)
}

// TestExplainOrderOfJoins holds that EXPLAIN (RULES) names the orders of joins that were
// compared, the cheapest as the one that was taken.
func TestExplainOrderOfJoins(t *testing.T) {
	explain := explainer(t,
		"CREATE TABLE a AS SELECT g::int AS x, g::int % 10 AS y FROM generate_series(1, 20000) AS s(g)",
		"CREATE TABLE b AS SELECT g::int AS y FROM generate_series(1, 10) AS s(g)",
		"CREATE TABLE c AS SELECT g::int AS x FROM generate_series(1, 3000) AS s(g)",
	)
	contains(t, explain("RULES", "SELECT count(*) FROM b JOIN a USING (y) JOIN c USING (x)"),
		"order of joins: the cheapest of all orders", "taken  a ⋈ c ⋈ b", "a ⋈ b ⋈ c")
	many := "SELECT count(*) FROM a AS a0"
	for i := range 13 {
		many += fmt.Sprintf(" JOIN b AS b%d ON a0.y = b%d.y", i, i)
	}
	contains(t, explain("RULES", many), "taken  greedy (again and again", "too many relations to compare all orders")
}

// TestExplainComputedLimits holds that a LIMIT which is computed when the query begins is the plan
// of the literal, and that EXPLAIN leaves what fails to the run.
func TestExplainComputedLimits(t *testing.T) {
	explain := explainer(t, "CREATE TABLE t AS SELECT x FROM generate_series(1, 100) AS g(x)")
	plan := func(query string) string {
		text, _, _ := strings.Cut(explain("FUSION", query), "planned, woven")
		return text
	}
	for literal, computed := range map[string]string{
		"SELECT x FROM t ORDER BY x LIMIT 10":                        "SELECT x FROM t ORDER BY x LIMIT (SELECT 10)",
		"SELECT x FROM t ORDER BY x LIMIT 5 OFFSET 2":                "SELECT x FROM t ORDER BY x LIMIT (SELECT count(*) / 20 FROM t) OFFSET (SELECT 2)",
		"SELECT DISTINCT x FROM t ORDER BY x LIMIT 10":               "SELECT DISTINCT x FROM t ORDER BY x LIMIT (SELECT 9) + 1",
		"SELECT x FROM t ORDER BY x FETCH FIRST 10 ROWS WITH TIES":   "SELECT x FROM t ORDER BY x FETCH FIRST (SELECT 10) ROWS WITH TIES",
		"SELECT x FROM t LIMIT 10":                                   "WITH n AS (SELECT 10 AS m) SELECT x FROM t LIMIT (SELECT m FROM n)",
		"SELECT * FROM (SELECT x FROM t ORDER BY x LIMIT NULL) AS a": "SELECT * FROM (SELECT x FROM t ORDER BY x LIMIT (SELECT NULL::int)) AS a",
	} {
		if want, got := plan(literal), plan(computed); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", computed, got, want)
		}
	}
	contains(t, plan("SELECT x FROM t ORDER BY x LIMIT (SELECT -1)"), "row count")
}
