package cubeloom

import (
	"slices"
	"strings"
	"testing"
)

// TestSeveralPlaces holds that aggregations at several places among joins give the
// answers that one after all joins gives, also where nothing of a group is left by a
// condition that an aggregation in the middle applies.
func TestSeveralPlaces(t *testing.T) {
	db, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	run := func(sql string) []string {
		t.Helper()
		lines := mustRows(t, s, sql)
		slices.Sort(lines)
		return lines
	}
	for _, sql := range []string{
		"CREATE TABLE cells (a int NOT NULL, b int NOT NULL, value int)",
		"INSERT INTO cells SELECT g % 8, g / 8 % 9, CASE WHEN g % 5 > 0 THEN g % 100 - 40 END FROM generate_series(1, 6000) AS s(g)",
		"CREATE TABLE p (a int NOT NULL, target int NOT NULL, w int NOT NULL)",
		"INSERT INTO p SELECT g % 8, g % 3, CASE g % 3 WHEN 0 THEN -1 ELSE g % 7 - 2 END FROM generate_series(1, 48) AS s(g)",
		"CREATE TABLE q (b int NOT NULL, target int NOT NULL, w numeric(4,2))",
		"INSERT INTO q SELECT g % 9, g % 4, CASE WHEN g % 4 > 0 THEN g % 6 - 1.25 END FROM generate_series(1, 540) AS s(g)",
	} {
		run(sql)
	}
	const from = " FROM cells JOIN p ON cells.a = p.a JOIN q ON cells.b = q.b GROUP BY "
	for _, sql := range []string{
		"SELECT p.target, q.target, count(*) FILTER (WHERE p.w > 0)" + from + "p.target, q.target",
		"SELECT p.target, q.target, count(value * p.w) FILTER (WHERE p.w > 0), count(value * q.w)" + from + "p.target, q.target",
		"SELECT p.target, q.target, sum(value * p.w * q.w), avg(value * q.w), min(value * p.w * q.w), max(value * p.w * q.w)" + from + "p.target, q.target",
		"SELECT p.target, q.target, sum(p.w * q.w) FILTER (WHERE p.w > 0), sum(q.w), var_pop(value * p.w)" + from + "CUBE (p.target, q.target)",
	} {
		run("SET disabled_rules = ''")
		early := run(sql)
		if places := strings.Count(strings.Join(run("EXPLAIN (RULES) "+sql), "\n"), ", then "); places == 0 {
			t.Errorf("%s\naggregates at one place", sql)
		}
		run("SET disabled_rules = 'push_aggregates'")
		if late := run(sql); !slices.Equal(early, late) {
			t.Errorf("%s\ngave %v, late %v", sql, early, late)
		}
	}
}

// TestNumericsEarly holds that numbers of type numeric are summed early exactly where
// nothing can get more digits than a numeric has, with the scales of the late sums.
func TestNumericsEarly(t *testing.T) {
	db, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	run := func(sql string) string {
		t.Helper()
		return strings.Join(mustRows(t, s, sql), "\n")
	}
	for _, sql := range []string{
		"CREATE TABLE cells (base int NOT NULL, v bigint NOT NULL, d numeric(12,3), u numeric, large numeric, huge numeric)",
		`INSERT INTO cells SELECT g % 20, g % 977 - 300, g % 500 / 8.0, CASE WHEN g % 7 > 0 THEN round(g / 7.0, g % 4) END,
			1e28 - g, 1e32 - g FROM generate_series(1, 20000) AS x(g)`,
		"CREATE TABLE edges (child int NOT NULL, parent int NOT NULL, weight numeric(5,2) NOT NULL)",
		"INSERT INTO edges SELECT g % 20, 100 + g % 9, g % 13 / 4.0 - 1 FROM generate_series(1, 90) AS x(g)",
		"INSERT INTO edges SELECT 100 + g, 200 + g % 2, CASE g WHEN 4 THEN 0 ELSE 0.05 END FROM generate_series(0, 8) AS x(g)",
		"CREATE HIERARCHY h FROM edges (child, parent, weight)",
	} {
		run(sql)
	}
	const from = " FROM cells JOIN h USING (base) GROUP BY "
	for _, c := range []struct {
		aggs  string
		early bool
	}{
		{"sum(v * weight)", true},
		{"sum(d * weight), avg(d * weight), count(u * weight)", true},
		{"sum(u * weight) FILTER (WHERE weight > 0), avg(u), var_samp(u * weight), stddev_pop(d * weight)", true},
		{"min(d * weight), max(d * weight)", true},
		{"sum(weight), avg(weight), var_pop(weight)", true},
		{"sum(huge)", false},
		{"sum(large * weight), count(*)", false},
	} {
		for _, keys := range []string{"element", "CUBE (element, distance)"} {
			sql := "SELECT element, " + c.aggs + from + keys + " ORDER BY grouping(element), element, 2, 3"
			if strings.Count(c.aggs, "(") == 1 {
				sql = strings.TrimSuffix(sql, ", 3")
			}
			run("SET disabled_rules = ''")
			if plan := run("EXPLAIN (RULES) " + sql); strings.Contains(plan, "    taken  late (") == c.early {
				t.Errorf("%s\nearly: %v\n%s", sql, !c.early, plan)
			}
			got := run(sql)
			run("SET disabled_rules = 'push_aggregates'")
			if want := run(sql); got != want {
				t.Errorf("%s\ngave %s\nlate %s", sql, got, want)
			}
		}
	}
}
