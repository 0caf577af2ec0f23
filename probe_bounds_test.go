package cubeloom

import (
	"fmt"
	"strings"
	"testing"
)

// TestProbeBounds holds that a scan skips the blocks in which no row finds anything in
// a hash table, by the least and the greatest of its keys, and only where rows that
// find nothing are dropped. The table cells is in the order of k, five blocks of it.
func TestProbeBounds(t *testing.T) {
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
	run("CREATE TABLE cells (k int, big bigint NOT NULL, v int NOT NULL)")
	run("INSERT INTO cells SELECT g / 10 - 20000, 9000000000000 - g, 1 FROM generate_series(0, 649999) AS s(g)")
	run("CREATE TABLE map (k int, big bigint, name text NOT NULL)")
	run("INSERT INTO map SELECT g, 9000000000000 - g * 10, 'n' || g % 3 FROM generate_series(-20000, 44999) AS s(g)")
	run("INSERT INTO map VALUES (-20000, 1, 'twice'), (NULL, 1, 'none'), (44999, 1, 'twice')")
	for _, c := range []struct {
		sql     string
		skipped bool
	}{
		{"SELECT count(*), sum(cells.v) FROM cells JOIN map ON cells.k = map.k WHERE map.name = 'twice' AND map.k < 0", true},
		{"SELECT count(*), sum(cells.k) FROM cells JOIN map ON cells.k = map.k WHERE map.name LIKE 'n%' AND map.k BETWEEN 40 AND 60", true},
		{"SELECT count(*) FROM cells JOIN map ON cells.big = map.big AND cells.v = 1 WHERE map.name LIKE 'n%' AND map.k + 0 > 44990", true},
		{"SELECT count(*), sum(v) FROM cells WHERE k IN (SELECT k FROM map WHERE name = 'twice' AND k % 7 = 0)", true},
		{"SELECT count(*), sum(cells.v) FROM cells JOIN map ON cells.k = map.k WHERE map.name = 'nobody' AND map.k + 0 > 0", true},
		{"SELECT count(*), count(map.k) FROM cells LEFT JOIN map ON cells.k = map.k AND map.name = 'twice'", false},
		{"SELECT count(*), sum(v) FROM cells WHERE NOT EXISTS (SELECT 1 FROM map WHERE map.k = cells.k AND name = 'twice' AND map.k + 0 < 0)", false},
		{"SELECT count(*) FROM cells JOIN map ON cells.k IS NOT DISTINCT FROM map.k WHERE map.name IN ('none', 'twice')", false},
	} {
		for _, fusion := range []string{"on", "off"} {
			run("SET fusion = " + fusion)
			run("SET disabled_rules = ''")
			run("SET enable_mergejoin = off")
			got := run(c.sql)
			run("SET disabled_rules = 'push_aggregates,infer_filters,reduce_groups'")
			run("SET enable_mergejoin = on")
			run("SET enable_hashjoin = off")
			if want := run(c.sql); got != want {
				t.Errorf("%s\ngave %s, merged %s", c.sql, got, want)
			}
			run("SET enable_hashjoin = on")
			run("SET enable_mergejoin = off")
			plan := run("EXPLAIN ANALYZE " + c.sql)
			if fusion == "on" && strings.Contains(plan, "skipped") != c.skipped {
				t.Errorf("%s\nblocks skipped: %v\n%s", c.sql, !c.skipped, plan)
			}
		}
	}
	if got, want := run("SELECT count(*) FROM cells JOIN map ON cells.k = map.k WHERE map.name = 'twice'"), fmt.Sprint(20); got != want {
		t.Errorf("%s rows, want %s", got, want)
	}
}
