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
