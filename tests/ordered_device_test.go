//go:build device

package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/codegen/cuda/aggregate/ordered"
	"github.com/cubeloom/cubeloom/tests/device"
)

// setRunForm forces a random form of grouping runs of rows on a device, each part of it now
// and then.
func setRunForm(rng *rand.Rand, run func(sql string)) {
	for setting, names := range map[string][]string{
		"ordered_kernels": ordered.KernelNames(), "ordered_updates": {"chunked", "variable", "array", "tile"}, "ordered_rows": {"4"},
	} {
		value := "auto"
		if rng.IntN(2) == 0 {
			value = names[rng.IntN(len(names))]
		}
		run(fmt.Sprintf("SET %s = '%s'", setting, value))
	}
}

// TestDeviceOrderedAggregation compares groups that are runs of rows on a device with those
// of hash tables on the CPU, in the order in which they come where that is asked for.
func TestDeviceOrderedAggregation(t *testing.T) {
	t.Parallel() // most of the time goes into compiling
	e := openDeviceEngine(t)
	rng := rand.New(rand.NewPCG(*orderedSeed, 18))
	run := func(sql string) string {
		t.Helper()
		res, err := e.Query(context.Background(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return res.String()
	}
	applied := 0
	for range *orderedTables {
		run("SET device = cpu")
		made, _ := orderedTable(rng, 1, 1024, 3000, 5000)
		for _, sql := range made {
			run(sql)
		}
		for range *orderedQueries / 2 {
			sql, sorted := orderedQuery(rng)
			run("SET device = cpu")
			run("SET aggregate_strategy = hash")
			want, err := e.Query(context.Background(), sql)
			if err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			run("SET device = auto")
			run("SET device = cuda")
			run("SET aggregate_strategy = ordered")
			setRunForm(rng, func(sql string) { run(sql) })
			got, err := e.Query(context.Background(), sql)
			if err != nil && e.SQLState(err) == "0A000" {
				continue // a join reads rows in another order, DISTINCT is split
			}
			if err != nil {
				t.Fatalf("%s\n%s: %v", made[0], sql, err)
			}
			if strings.Contains(run("EXPLAIN ANALYZE "+sql), "kernels, updates") {
				applied++
			}
			if !sorted {
				got, want = got.Sorted(), want.Sorted()
			}
			if got.String() != want.String() {
				t.Errorf("%s\n%s\nby %s kernels, updates %s, %s rows\non the device:\n%s\non the CPU:\n%s", made[0], sql,
					run("SHOW ordered_kernels"), run("SHOW ordered_updates"), run("SHOW ordered_rows"), got, want)
			}
		}
		run("SET device = cpu")
		run("DROP TABLE r")
		run("DROP TABLE d")
	}
	t.Logf("%d of %d queries had runs on the device", applied, *orderedTables*(*orderedQueries/2))
	if applied == 0 {
		t.Error("no query had runs on the device")
	}
}

// TestTilesInOrder writes rows of two tiles in their order, again and again: how many rows come before the
// chunk was read by threads that came late when the tile behind had counted already.
func TestTilesInOrder(t *testing.T) {
	t.Parallel()
	e := openDeviceEngine(t)
	executeAll(t, &e.engine, []string{
		"SET device = cpu",
		"CREATE TABLE r AS SELECT g / 2 AS k, g % 97 AS i, (g * 37 % 1000)::float8 / 4 AS f FROM generate_series(0, 4999) AS x(g)",
		"CREATE TABLE d AS SELECT k, CASE WHEN k % 3 > 0 THEN k END AS maybe FROM r GROUP BY k ORDER BY k",
	})
	const query = "SELECT maybe, r.k, sum(f) FILTER (WHERE i > 40), min(i) FROM r JOIN d ON d.k = r.k GROUP BY maybe, r.k ORDER BY r.k LIMIT 2437 OFFSET 21"
	run := func() string {
		r, err := e.Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		return r.String()
	}
	want := run()
	executeAll(t, &e.engine, []string{"SET device = cuda", "SET aggregate_strategy = ordered"})
	for range 60 {
		if got := run(); got != want {
			t.Fatalf("on the device:\n%s\non the CPU:\n%s", got, want)
		}
	}
}

// TestStreamingRuns groups runs of rows that lie across the chunks of a table which does not
// fit the device's memory, by each number of kernels.
func TestStreamingRuns(t *testing.T) {
	t.Parallel()
	s := openSmall(t, cubeloom.Options{OpenDevice: device.OpenerOf(t, device.Limits{Memory: 2 * smallMemory}), PageLockedLimit: -1})
	query(t, s, `CREATE TABLE runs AS SELECT (i / 700)::int AS k, i / 20 AS often, i AS id, i * 1000003 AS long, i / 20 * 10000000019 AS far, i / 8.0::float8 AS f,
		CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS b FROM generate_series(1::bigint, 12000) AS s(i)`)
	query(t, s, "SET aggregate_strategy = ordered")
	for _, kernels := range ordered.KernelNames() {
		query(t, s, "SET ordered_kernels = "+kernels)
		for _, text := range []string{
			"SELECT k, count(*), sum(long), min(f), count(b) FROM runs GROUP BY k",
			"SELECT often, sum(f), var_pop(id) FROM runs WHERE b GROUP BY often ORDER BY often",
			"SELECT far, count(*) FROM runs GROUP BY far",
			"SELECT k, sum(long) FROM runs WHERE id BETWEEN 3000 AND 3100 OR id > 11990 GROUP BY k",
		} {
			compareStreamed(t, s, text)
			query(t, s, "SET device = cuda")
			_, plan := query(t, s, "EXPLAIN ANALYZE "+text)
			if !strings.Contains(plan, "streamed") || !strings.Contains(plan, "ordered: "+kernels+" kernels") {
				t.Errorf("%s does not stream runs by %s kernels:\n%s", text, kernels, plan)
			}
		}
	}
}
