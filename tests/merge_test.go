package tests

import (
	"context"
	"reflect"
	"testing"
)

// TestMergesAcrossBlocks compares merges with hash joins over tables of several blocks,
// with rows that come in the order of the key and rows that do not.
func TestMergesAcrossBlocks(t *testing.T) {
	e := openEngine(t)
	run := func(sql string) any {
		t.Helper()
		res, err := e.Query(context.Background(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return res.Rows
	}
	for _, sql := range []string{
		"CREATE TABLE o AS SELECT (g * 4)::integer k, g % 1000 d, 'x' || g % 5 s FROM generate_series(1, 200000) g",
		"CREATE TABLE l AS SELECT ((1 + g / 3) * 4)::bigint k, g % 50 q, g % 7 p, 'x' || g % 5 s FROM generate_series(1, 500000) g",
		"CREATE TABLE mixed AS SELECT (g::bigint * 48271 % 900007) k, g % 3 v FROM generate_series(1, 150000) g",
	} {
		run(sql)
	}
	for _, sql := range []string{
		"SELECT count(*), sum(q), sum(d) FROM o JOIN l USING (k) WHERE d < 900",
		"SELECT count(*), sum(q), sum(d), min(o.s) FROM l JOIN o USING (k) WHERE p < d % 7",
		"SELECT count(*), count(o.k), sum(q), max(o.s) FROM l LEFT JOIN o ON o.k = l.k AND o.s = l.s",
		"SELECT count(*), count(l.k), sum(q) FROM o LEFT JOIN l ON o.k = l.k AND p > 3",
		"SELECT count(*), sum(d) FROM o WHERE EXISTS (SELECT FROM l WHERE l.k = o.k AND q < d % 50)",
		"SELECT count(*), sum(q) FROM l WHERE NOT EXISTS (SELECT FROM o WHERE l.k = o.k AND d < 500)",
		"SELECT count(*), sum(v) FROM mixed WHERE k IN (SELECT k FROM l)",
		"SELECT count(*), sum(v), sum(q) FROM mixed JOIN l USING (k)",
		"SELECT count(*), sum(v), count(d), min(s) FROM mixed LEFT JOIN o USING (k)",
		"SELECT count(*), sum(a.q) FROM l a JOIN l b ON a.k = b.k AND a.q < b.q JOIN o ON o.k = b.k",
		"SELECT count(*), sum(k) FROM (SELECT k, s FROM l INTERSECT SELECT k, s FROM o) x",
		"SELECT count(*), sum(k) FROM (SELECT k, s FROM o EXCEPT SELECT k::integer, s FROM l) x",
		"SELECT count(*), sum(k) FROM (SELECT k, d FROM o UNION SELECT k, d FROM o WHERE d > 10) x",
	} {
		for _, rows := range []string{"1024", "7"} {
			run("SET vector_rows = " + rows)
			run("SET enable_mergejoin = off")
			want := run(sql)
			run("SET enable_mergejoin = on")
			run("SET enable_hashjoin = off")
			if got := run(sql); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, vectors of %s rows: a merge gives %v, a hash join %v", sql, rows, got, want)
			}
			run("SET enable_hashjoin = on")
		}
	}
}
