package tests

import (
	"context"
	"testing"
)

// TestSharedMemoryIsShared has filters of keys, rows that wait and slots of groups take the shared
// memory of a block together. Of tables as long as those of SSB at scale 100 the slots, whose number
// a dictionary tells when the kernel runs, did not see what the others take; the device refused the launch.
func TestSharedMemoryIsShared(t *testing.T) {
	db := openNullEngine(t)
	for _, q := range []string{
		"CREATE TABLE part AS SELECT (n - 1)::int AS partkey, 'B#' || n % 1000 AS brand, 'C#' || n % 25 AS category FROM generate_series(1, 1400000) g(n)",
		"CREATE TABLE supplier AS SELECT (n - 1)::int AS suppkey, 'R#' || n % 5 AS region FROM generate_series(1, 200000) g(n)",
		"CREATE TABLE days AS SELECT (n - 1)::int AS datekey, (1992 + n / 366)::int AS year FROM generate_series(1, 2556) g(n)",
		`CREATE TABLE lineorder AS SELECT (n * 79 % 1400000 + 1)::int AS partkey, (n * 31 % 200000 + 1)::int AS suppkey,
			(n % 2556 + 1)::int AS orderdate, (n % 1000)::int AS revenue FROM generate_series(1, 4000000) g(n)`,
		"ANALYZE",
		"SET device = cuda", "SET device_fallback = off", "SET filter_strategy = exact", "SET pack_strategy = pack",
	} {
		if _, err := db.Query(context.Background(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	const star = ` FROM lineorder, days, part, supplier WHERE lineorder.orderdate - 1 = days.datekey AND lineorder.partkey - 1 = part.partkey
		AND lineorder.suppkey - 1 = supplier.suppkey AND category = 'C#12' AND region = 'R#1' `
	for _, q := range []string{
		"SELECT sum(revenue), year, brand" + star + "GROUP BY year, brand",
		"SELECT sum(revenue), brand" + star + "GROUP BY brand",
		"SELECT sum(revenue), count(*), min(revenue), year, brand, region" + star + "GROUP BY year, brand, region",
		"SELECT sum(revenue)" + star,
	} {
		if _, err := db.Query(context.Background(), q); err != nil {
			t.Errorf("%s: %v", q, err)
		}
	}
}
