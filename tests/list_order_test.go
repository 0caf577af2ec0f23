package tests

import (
	"fmt"
	"testing"
)

// TestListsKeepTheOrder holds that lists without an order of their own have their items in the order of the rows
// that they are made of, over many blocks and workers, by few groups and many.
func TestListsKeepTheOrder(t *testing.T) {
	db := openEngine(t)
	mustQuery(t, db, "SET threads = 3")
	mustQuery(t, db, "CREATE TABLE items AS SELECT i, (i::bigint * 7919 % 100003)::int AS x, i % 7 AS few, i % 50000 AS many, (i % 40000)::text AS texts FROM generate_series(1, 700000) s(i)")
	for _, key := range []string{"few", "many", "texts", "1"} {
		for made, of := range map[string]string{"items": "i", "(SELECT * FROM items ORDER BY x, i) s": "x, i"} {
			got := mustQuery(t, db, fmt.Sprintf("SELECT count(*) FROM (SELECT %[1]s AS k, array_agg(i) AS a FROM %[2]s GROUP BY 1) p "+
				"JOIN (SELECT %[1]s AS k, array_agg(i ORDER BY %[3]s) AS b FROM items GROUP BY 1) q USING (k) WHERE a <> b", key, made, of))
			if fmt.Sprint(got.Rows) != "[[0]]" {
				t.Errorf("by %s of %s: %v groups are in another order", key, made, got.Rows)
			}
		}
	}
}
