package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// topTable has more rows than a bound of the first ones is looked for among, in an order and
// against it, equal ones, and types of all sizes with NULLs.
const topTable = `CREATE TABLE r AS SELECT g AS up, -g AS down, 7 AS same, g % 3 AS few, (g::bigint * 1000003 % 100000007)::integer AS i,
	CASE WHEN g % 7 > 0 THEN g::bigint * 1000003 % 100000007 * 1000000007 END AS b, CASE WHEN g % 3 > 0 THEN g % 5 END AS null_few,
	CASE WHEN g % 6 > 0 THEN (g::bigint * 1000003 % 100000007)::numeric(30,2) * (g - 9000)::numeric / 3 END AS n,
	(g::bigint * 1000003 % 1009)::numeric(38,0) * 1000000000000000000000000 * (CASE WHEN g % 2 = 0 THEN 1 ELSE -1 END) AS w,
	CASE WHEN g % 9 > 0 THEN (g::bigint * 7919 % 20011 - 9000)::double precision / 64 END AS f,
	CASE WHEN g % 4 > 0 THEN 'text ' || g * 31 % 9973 END AS t, 'common prefix ' || g * 7 % 1009 AS s, g % 8 = 3 AS o,
	CASE WHEN g % 11 > 1 THEN g * 37 % 5003 * interval '1 minute' END AS v
	FROM generate_series(0, 39999) AS x(g)`

// TestTop has the first rows of random orders found by keeping only those that a limit lets through, as
// those of all rows in order are: where keys come in order, against it and at random, with NULLs and without.
func TestTop(t *testing.T) {
	ask := openTop(t, 2)
	ask(topTable)
	for seed := range uint64(150) {
		sql := randomTop(rand.New(rand.NewPCG(seed, 2)))
		ask("SET sort_strategy = full")
		want := ask(sql)
		ask("SET sort_strategy = top")
		if got := ask(sql); !slices.EqualFunc(want, got, slices.Equal) {
			t.Errorf("seed %d: %s\ngives %v\ninstead of %v", seed, sql, got, want)
		}
	}
}

// openTop opens a database on the CPU, and returns what asks it.
func openTop(t *testing.T, threads int) func(sql string) [][]reference.Cell {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{Device: "cpu", Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	e := &engine{db, db.Session()}
	return func(sql string) [][]reference.Cell {
		t.Helper()
		res, err := e.Query(context.Background(), sql)
		if err != nil {
			t.Fatalf("%s\n%v", sql, err)
		}
		return res.Rows
	}
}

// TestTopLeavesOutBlocks holds that blocks which come too late are not read, however few rows pass a filter.
func TestTopLeavesOutBlocks(t *testing.T) {
	ask := openTop(t, 1)
	ask("SET sort_strategy = top")
	ask("CREATE TABLE r AS SELECT g AS up, -g AS down, 'text ' || g % 997 AS t FROM generate_series(1, 500000) AS x(g)")
	for _, order := range []string{"up", "down DESC"} {
		plan := fmt.Sprint(ask("EXPLAIN ANALYZE SELECT up FROM r WHERE t LIKE '%7%3%' ORDER BY " + order + " LIMIT 10"))
		if !strings.Contains(plan, "skipped") {
			t.Errorf("ORDER BY %s: no blocks are skipped:\n%s", order, plan)
		}
	}
}

// randomTop is a query of the first rows of an order, of which all keys are selected: rows
// with the same keys may come in any order.
func randomTop(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var keys, order []string
	for range 1 + rng.IntN(3) {
		key := pick("up", "down", "same", "few", "i", "b", "null_few", "n", "w", "f", "t", "s", "o", "v")
		keys = append(keys, key)
		order = append(order, key+pick("", "", " DESC")+pick("", "", " NULLS FIRST", " NULLS LAST"))
	}
	where := pick("", "", "", " WHERE few > 0", " WHERE up < 4200", " WHERE up > 13000", " WHERE i % 101 = 0", " WHERE up < 0", " WHERE up / 4096 % 9 = 0", " WHERE up / 4096 % 9 > 0")
	sql := "SELECT " + strings.Join(keys, ", ") + " FROM r" + where + " ORDER BY " + strings.Join(order, ", ") + " LIMIT " + pick("1", "2", "10", "100", "300", "1000", "1900", "3000")
	if rng.IntN(3) == 0 {
		sql += " OFFSET " + strconv.Itoa(rng.IntN(1200))
	}
	return sql
}
