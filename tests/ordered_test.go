package tests

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	orderedTables  = flag.Int("ordered.tables", 4, "number of random tables in the order of a key")
	orderedQueries = flag.Int("ordered.queries", 12, "number of random groupings of each of them")
	orderedSeed    = flag.Uint64("ordered.seed", 1, "seed of the tables and of their queries")
)

// ascendingKey is a random expression of the number of a row, from 0 on, that never gets
// less: a group a row, one group, runs that end at the ends of vectors, morsels and
// blocks, and runs of all lengths.
func ascendingKey(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	key := pick("g", "7", "g / 2", "g / 16", "g / 1024", "(g + 5) / 1024", "g / 16384", "(g + 1) / 16384", "g / 131072", "(g + 3) / 131072", "sqrt(g)",
		fmt.Sprintf("g / %d + g / %d * %d", 1+rng.IntN(40), 1+rng.IntN(9000), rng.IntN(1<<16)))
	return pick(
		fmt.Sprintf("(%s)::integer - %d", key, rng.IntN(1000)),
		fmt.Sprintf("(%s)::bigint * %d - 5", key, 1+rng.Int64N(1<<28)),
		fmt.Sprintf("date '1999-12-31' + (%s)::integer %% 100000", pick("0", "sqrt(g)", "g / 1000")))
}

// orderedTable makes a table of one of some numbers of rows in the order of k, and one with a
// row for each k.
func orderedTable(rng *rand.Rand, numbers ...int) (made []string, rows int) {
	rows = numbers[rng.IntN(len(numbers))]
	return []string{
		fmt.Sprintf(`CREATE TABLE r AS SELECT %s AS k, g AS id, g %% 97 AS i, CASE WHEN g %% 11 > 0 THEN g::bigint * 1000003 END AS b,
			CASE WHEN g %% 5 > 0 THEN 't' || g %% 31 END AS t, 'long ' || g * 7 %% 1009 || repeat('x', g %% 9) AS s, (g %% 100)::numeric(12,2) / 4 AS n,
			(g * 37 %% 1000)::double precision / 4 AS f, g %% 3 = 0 AS o, CASE WHEN g %% 7 > 1 THEN g * interval '1 minute' END AS v,
			g %% 50 * 0.125 AS u FROM generate_series(0, %d) AS x(g)`, ascendingKey(rng), rows-1),
		"CREATE TABLE d AS SELECT k, 'name ' || k AS name, count(*) % 5 AS size, CASE WHEN max(id) % 3 > 0 THEN max(id) END AS maybe FROM r GROUP BY k ORDER BY k",
	}, rows
}

// orderedQuery is a random grouping in the order of k, of which the strategy ordered does
// not know less than that of hash tables. Where sorted is set it ends in that order.
func orderedQuery(rng *rand.Rand) (sql string, sorted bool) {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var columns []string
	for range 1 + rng.IntN(4) {
		column := pick("count(*)", "count(b)", "sum(i)", "sum(b)", "sum(n)", "sum(f)", "sum(u)", "sum(v)", "min(i)", "max(b)", "min(t)", "max(s)", "max(f)", "min(u)", "max(v)",
			"avg(i)", "avg(n)", "stddev(i)", "var_pop(u)", "bool_and(o)", "bool_or(i > 90)", "bit_xor(id)", "count(DISTINCT i)", "sum(DISTINCT b)", "count(DISTINCT t)",
			"count(DISTINCT u)", "percentile_cont(0.25) WITHIN GROUP (ORDER BY f)", "approx_count_distinct(i) > 0", "min(r.k)", "max(id)", "corr(i, f) IS NULL")
		if rng.IntN(4) == 0 && !strings.Contains(column, "IS NULL") && !strings.Contains(column, ">") {
			column += " FILTER (WHERE " + pick("i > 40", "t = 't3'", "b IS NULL", "id < 0") + ")"
		}
		columns = append(columns, column)
	}
	keys, from := []string{"r.k"}, "r"
	if rng.IntN(3) == 0 {
		from = pick("r JOIN d ON d.k = r.k", "r LEFT JOIN d ON d.k = r.k", "r JOIN d ON d.k = r.k AND d.size < 4")
		keys = append(keys, pick("name", "size", "maybe"))
		if rng.IntN(2) == 0 {
			slices.Reverse(keys)
		}
	}
	if rng.IntN(3) == 0 {
		from += pick(" WHERE i < 50", " WHERE i = 13", " WHERE id < 0", " WHERE id > 100000", " WHERE t IS NOT NULL")
	}
	list := strings.Join(keys, ", ")
	sql = fmt.Sprintf("SELECT %s, %s FROM %s GROUP BY %s", list, strings.Join(columns, ", "), from, list)
	if rng.IntN(3) == 0 {
		sorted = true
		sql += " ORDER BY r.k"
		if rng.IntN(2) == 0 {
			sql += fmt.Sprintf(" LIMIT %d OFFSET %d", rng.IntN(3000), rng.IntN(100))
		}
	}
	return sql, sorted
}

// TestOrderedAggregation compares groups that are runs of rows with those of hash tables,
// in the order in which they come where that is asked for.
func TestOrderedAggregation(t *testing.T) {
	e := openEngine(t)
	rng := rand.New(rand.NewPCG(*orderedSeed, 17))
	run := func(sql string) *reference.Result {
		t.Helper()
		res, err := e.Query(context.Background(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return res
	}
	applied := 0
	for range *orderedTables {
		made, rows := orderedTable(rng, 0, 1, 5, 1024, 3000, 140_000, 300_000)
		for _, sql := range made {
			run(sql)
		}
		for range *orderedQueries {
			sql, sorted := orderedQuery(rng)
			run(fmt.Sprintf("SET threads = %d", 1+rng.IntN(4)))
			vectors := []int{1024, 1024, 100, 7} // the last ones make many morsels
			if rows > 100_000 {
				vectors = vectors[:3]
			}
			run(fmt.Sprintf("SET vector_rows = %d", vectors[rng.IntN(len(vectors))]))
			run("SET aggregate_strategy = hash")
			want := run(sql)
			run("SET aggregate_strategy = ordered")
			got, err := e.Query(context.Background(), sql)
			switch {
			case err == nil:
				applied++
			case e.SQLState(err) != "0A000" || rows > 0 && !strings.Contains(sql, "JOIN"):
				t.Fatalf("%s\n%s: %v", made[0], sql, err)
			default: // a join reads rows in another order, and the order of none is not known
				run("SET aggregate_strategy = auto")
				got = run(sql)
			}
			if !sorted {
				got, want = got.Sorted(), want.Sorted()
			}
			if got.String() != want.String() {
				t.Errorf("%s\n%s\nrows %d, hashed %d", made[0], sql, len(got.Rows), len(want.Rows))
			}
		}
		run("RESET aggregate_strategy")
		run("DROP TABLE r")
		run("DROP TABLE d")
	}
	t.Logf("%d of %d queries had runs", applied, *orderedTables**orderedQueries)
	if applied < *orderedTables**orderedQueries/2 {
		t.Errorf("only %d queries had runs", applied)
	}
}

// TestOrderedAggregationIsRefused forces runs of rows where there are none.
func TestOrderedAggregationIsRefused(t *testing.T) {
	e := openEngine(t)
	ctx := context.Background()
	for _, sql := range []string{
		"CREATE TABLE up AS SELECT g / 3 AS k, g AS id, g % 4 AS x, -g AS down, 't' || g AS t FROM generate_series(0, 99) g",
		"CREATE TABLE nulls AS SELECT nullif(g, 99) AS k FROM generate_series(0, 99) g",
		"SET aggregate_strategy = ordered",
	} {
		if _, err := e.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	for sql, why := range map[string]string{
		"SELECT x, count(*) FROM up GROUP BY x":                                        "the rows come in the order of none of the keys",
		"SELECT down, count(*) FROM up GROUP BY down":                                  "the rows come in the order of none of the keys",
		"SELECT t, count(*) FROM up GROUP BY t":                                        "the rows come in the order of none of the keys",
		"SELECT k, count(*) FROM nulls GROUP BY k":                                     "the rows come in the order of none of the keys",
		"SELECT k + 1, count(*) FROM up GROUP BY k + 1":                                "the rows come in the order of none of the keys",
		"SELECT k, x, count(*) FROM up GROUP BY k, x":                                  "x does not depend on k, in whose order the rows come",
		"SELECT k, x, count(*) FROM up GROUP BY ROLLUP (k, x)":                         "x does not depend on k, in whose order the rows come",
		"SELECT a.id, count(b.id) FROM up a LEFT JOIN up b ON a.x = b.x GROUP BY a.id": "the rows come in the order of none of the keys",
	} {
		_, err := e.Query(ctx, sql)
		var failure *cubeloom.Error
		if !errors.As(err, &failure) || failure.Code != "0A000" || !strings.Contains(failure.Message, why) {
			t.Errorf("%s: %v, want %q", sql, err, why)
		}
	}
	for _, sql := range []string{
		"SELECT id, k, x, t, count(*) FROM up GROUP BY id, k, x, t",
		"SELECT k, count(*) FROM up GROUP BY ROLLUP (k)",
		"SELECT DISTINCT k FROM up WHERE x > 1",
		"SELECT k, k * 2, x.c FROM (SELECT k, count(*) c FROM up GROUP BY k) x GROUP BY k, k * 2, x.c",
	} {
		if _, err := e.Query(ctx, sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestOrderedRowsAreNotSorted looks for the sorts that the order of groups makes needless.
func TestOrderedRowsAreNotSorted(t *testing.T) {
	e := openEngine(t)
	if _, err := e.Query(context.Background(), "CREATE TABLE up AS SELECT g / 3 AS k, g AS id, g % 4 AS x FROM generate_series(0, 999) g"); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]string{
		"SELECT k, count(*) FROM up GROUP BY k ORDER BY k":                                          "ordered",
		"SELECT k, count(*) AS n FROM up GROUP BY k ORDER BY k, n":                                  "ordered",
		"SELECT k, count(*) FROM up GROUP BY k HAVING sum(x) > 4 ORDER BY k NULLS FIRST":            "ordered",
		"SELECT DISTINCT k FROM up ORDER BY k":                                                      "ordered",
		"SELECT id, x FROM up WHERE x > 1 ORDER BY id, x":                                           "ordered",
		"SELECT k, x FROM up ORDER BY k, x":                                                         "full",
		"SELECT k, count(*) FROM up GROUP BY k ORDER BY k DESC":                                     "full",
		"SELECT k, count(*) AS n FROM up GROUP BY k ORDER BY n, k":                                  "full",
		"SELECT k, count(*) FROM up GROUP BY ROLLUP (k) ORDER BY k":                                 "full",
		"SELECT k, count(*) FROM up GROUP BY k UNION ALL SELECT k, 0 FROM up GROUP BY k ORDER BY k": "full",
		"SELECT x, count(*) FROM up GROUP BY x ORDER BY x":                                          "full",
	} {
		taken := ""
		for _, d := range explainedDecisions(t, e, workload.Query{SQL: sql}) {
			if d.Of == "sort" {
				taken = d.Taken().Strategy
			}
		}
		if taken != want {
			t.Errorf("%s: the sort is %q, want %q", sql, taken, want)
		}
	}
}
