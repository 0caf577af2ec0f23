//go:build device

package tests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	windowQueries = flag.Int("windows.queries", 5, "number of random windows that the device answers beside the CPU")
	windowSeed    = flag.Uint64("windows.seed", 1, "seed of them")
)

// TestDeviceWindows has random functions over random windows, and percentiles and texts of random
// groups, answered on the device and on the CPU: of no rows, one, few, and several tiles of them; partitions of one row and of all,
// ends of partitions at and across tiles.
func TestDeviceWindows(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	ctx := context.Background()
	for _, sql := range []string{"SET device = cpu", windowTable} {
		if _, err := host.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	for n := range *windowQueries {
		seed := *windowSeed + uint64(n)
		rng := rand.New(rand.NewPCG(seed, 0))
		sql := randomWindows(rng)
		switch n % 5 {
		case 2:
			sql = randomPercentiles(rng)
		case 3:
			sql = randomFirsts(rng)
		case 4:
			sql = randomTexts(rng)
		}
		want, err := host.Query(ctx, sql)
		if err != nil {
			t.Fatalf("seed %d: %s\n%v", seed, sql, err)
		}
		got, err := db.Query(ctx, sql)
		if err != nil {
			t.Errorf("seed %d: %s\n%v", seed, sql, err)
			continue
		}
		if difference := firstDifference(want.Rows, got.Rows); difference != "" {
			t.Errorf("seed %d: %s\n%s", seed, sql, difference)
		}
	}
	if db.log(t); db.onHost > 0 {
		t.Error("not all of it ran on the device")
	}
}

// checkAsOnHost checks that the device returns the host's rows in the same order.
func checkAsOnHost(t *testing.T, db *deviceEngine, host *engine, sql string) {
	t.Helper()
	want, err := host.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	got, err := db.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	if difference := firstDifference(want.Rows, got.Rows); difference != "" {
		t.Errorf("%s\n%s", sql, difference)
	}
}

// firstDifference is the first row in which two results differ.
func firstDifference(want, got [][]reference.Cell) string {
	if len(want) != len(got) {
		return fmt.Sprintf("%d rows, not %d", len(got), len(want))
	}
	for i := range want {
		if w, g := reference.Line(want[i]), reference.Line(got[i]); w != g {
			return fmt.Sprintf("row %d is %s, not %s", i, g, w)
		}
	}
	return ""
}

// windowTable has NULLs in all columns but the first, and integers as doubles, sums of which
// are exact in any order.
const windowTable = `CREATE TABLE r AS SELECT g AS id, CASE WHEN g % 13 > 0 THEN g * 7 % 5 END AS few, g / 2048 AS tile, g * 31 % 3001 AS many,
	CASE WHEN g % 7 > 0 THEN g * 37 % 101 END AS i, CASE WHEN g % 5 > 0 THEN g::bigint * 1000003 % 100000007 END AS b,
	CASE WHEN g % 6 > 0 THEN (g * 37 % 1000)::numeric(12,2) / 4 END AS n, CASE WHEN g % 9 > 0 THEN (g % 64)::double precision END AS f,
	CASE WHEN g % 4 > 0 THEN 't' || g % 31 END AS t, 'long ' || g * 7 % 1009 || repeat('x', g % 9) AS s, CASE WHEN g % 8 > 0 THEN g % 3 = 0 END AS o,
	CASE WHEN g % 11 > 1 THEN g % 50 * interval '1 minute' END AS v, date '2020-01-01' + g % 77 AS d
	FROM generate_series(0, 4999) AS x(g)`

// randomWindows is a query of random functions over a few windows.
func randomWindows(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var columns []string
	for range 1 + rng.IntN(3) {
		partition := pick("", "PARTITION BY few", "PARTITION BY tile", "PARTITION BY many", "PARTITION BY t, few", "PARTITION BY s", "PARTITION BY id", "PARTITION BY o, i")
		key := pick("i", "b", "n", "f", "v", "d", "t", "s", "few", "o, i")
		order := "ORDER BY " + key + pick("", "", " DESC") + pick("", "", " NULLS FIRST") + pick("", ", id", ", id DESC")
		for range 1 + rng.IntN(3) {
			f := pick(
				"row_number()", "rank()", "dense_rank()", "percent_rank()", "cume_dist()", "ntile(7)", "lag(i)", "lead(s, 3)", "lag(n, few)", "lead(t, 1, 'none')",
				"first_value(i)", "last_value(s)", "nth_value(n, 2)", "nth_value(o, 3)", "first_value(v)", "sum(i)", "sum(b)", "sum(n)", "sum(f)", "sum(v)", "count(*)", "count(t)",
				"avg(b)", "avg(n)", "min(i)", "max(b)", "min(n)", "max(f)", "min(t)", "max(s)", "min(v)", "max(d)", "bool_and(o)", "bool_or(o)", "variance(i)", "bit_xor(id)", "bit_and(i)", "regr_count(f, i)",
				"sum(i) FILTER (WHERE few > 2)", "count(*) FILTER (WHERE o)", "max(n) FILTER (WHERE i < 30)")
			total := order
			if !strings.Contains(order, "id") && strings.ContainsAny(f[:1], "rnlf") && f != "rank()" {
				total += ", id"
			}
			frame := randomFrame(rng, f, total, key)
			if strings.HasPrefix(frame, "ROWS") && !strings.Contains(total, "id") {
				total += ", id" // which of the rows that tie are in it
			}
			columns = append(columns, fmt.Sprintf("%s OVER (%s %s %s)", f, partition, total, frame))
		}
	}
	where := pick("", "", "", " WHERE id < 1", " WHERE id < 0", " WHERE id % 3 = 0", " WHERE id < 2048", " WHERE id < 40")
	return "SELECT id, " + strings.Join(columns, ", ") + " FROM r" + where + " ORDER BY id"
}

// randomFirsts is a query of the first rows of partitions.
func randomFirsts(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	partition := pick("", "PARTITION BY few", "PARTITION BY tile", "PARTITION BY many", "PARTITION BY t, few", "PARTITION BY s", "PARTITION BY b", "PARTITION BY o, i", "PARTITION BY b, i", "PARTITION BY v")
	key := pick("i", "b", "n", "f", "v", "d", "t", "s", "few", "o, i") + pick("", "", " DESC") + pick("", "", " NULLS FIRST")
	f := pick("row_number()", "row_number()", "rank()", "dense_rank()")
	if f == "row_number()" {
		key += pick(", id", ", id DESC")
	}
	where := pick("", "", "", " WHERE id < 1", " WHERE id < 0", " WHERE id % 3 = 0")
	return fmt.Sprintf("SELECT id, place, s FROM (SELECT id, s, %s OVER (%s ORDER BY %s) AS place FROM r%s) AS q WHERE place %s ORDER BY id",
		f, partition, key, where, pick("= 1", "<= 2", "< 6", "<= 40", "<= 100"))
}

// randomPercentiles is a query of random groups with percentiles of one argument, and
// other aggregates beside them.
func randomPercentiles(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	arg, filter := pick("i", "n", "f", "b"), pick("", "", " FILTER (WHERE few > 1)")
	order := pick("", " DESC")
	columns := []string{fmt.Sprintf("percentile_%s(%s) WITHIN GROUP (ORDER BY %s%s)%s", pick("cont", "disc"), pick("0", "0.25", "0.9", "1"), arg, order, filter)}
	if rng.IntN(2) == 0 {
		columns = append(columns, fmt.Sprintf("percentile_%s(%s) WITHIN GROUP (ORDER BY %s) FILTER (WHERE i > 50)", pick("cont", "disc"), pick("0.1", "0.5"), pick("i", "n", "f", "b")))
	}
	if order == "" {
		columns = append(columns, "median("+arg+")"+filter)
	}
	for range rng.IntN(4) {
		columns = append(columns, pick("count(*)", "sum(i)", "sum(n)", "max(s)", "min(v)", "sum(v)", "bool_or(o)", "count(*) FILTER (WHERE o)",
			"bit_xor(id)", "bit_and(i)", "bit_or(many)", "stddev(f) > 18.3", "corr(f, i) > 0.003", "avg(b)"))
	}
	where := pick("", "", "", " WHERE id < 1", " WHERE id < 0", " WHERE id < 2048")
	keys := pick("", "few", "many", "tile", "t", "s", "o, few", "t, d", "v", "n, id")
	if keys == "" {
		return "SELECT " + strings.Join(columns, ", ") + " FROM r" + where
	}
	return fmt.Sprintf("SELECT %s, %s FROM r%s GROUP BY %s ORDER BY %s", keys, strings.Join(columns, ", "), where, keys, keys)
}

// randomTexts is a query of texts of random groups that are put together, and of other aggregates
// that groups have no cells for.
func randomTexts(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var columns []string
	for range 1 + rng.IntN(3) {
		text, filter := pick("s", "t", "upper(t)", "substr(s, 6)", "''", "'x'"), pick("", "", " FILTER (WHERE few > 1)", " FILTER (WHERE id < 0)")
		if rng.IntN(3) == 0 {
			columns = append(columns, fmt.Sprintf("string_agg(DISTINCT %s, %s)%s", text, pick("','", "''", "NULL"), filter))
			continue
		}
		order := pick("id", "id DESC", "n, id", "t DESC NULLS LAST, id", "v, s, id")
		columns = append(columns, fmt.Sprintf("string_agg(%s, %s ORDER BY %s)%s", text, pick("', '", "''", "NULL", "t"), order, filter))
	}
	for range rng.IntN(3) {
		columns = append(columns, pick("min(n)", "max(n + id)", "max(v)", "min(v) FILTER (WHERE i > 50)", "bit_or(b)", "bit_and(i)", "bit_xor(i) FILTER (WHERE o)", "sum(f)", "count(*)"))
	}
	keys := pick("few", "many", "tile", "t", "o, few", "v", "n", "id")
	where := pick("", "", " WHERE id < 1", " WHERE id < 0", " WHERE id < 2048")
	return fmt.Sprintf("SELECT %s, %s FROM r%s GROUP BY %s ORDER BY %s", keys, strings.Join(columns, ", "), where, keys, keys)
}

// TestDeviceLongTexts has the CPU put texts together that are longer than a text of a device is, as
// the reason says, and the device those that are not.
func TestDeviceLongTexts(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	for _, sql := range []string{"SET device = cpu", "CREATE TABLE r AS SELECT g AS id, 'some text' AS s, 't' || g * 31 % 1003 % 3 AS t FROM generate_series(1, 4000) AS x(g)"} {
		if _, err := host.Query(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	checkAsOnHost(t, db, host, "SELECT string_agg(s, '' ORDER BY id) FROM r WHERE id <= 3640")
	checkAsOnHost(t, db, host, "SELECT t, string_agg(s, '' ORDER BY t, id), min(id * 1.5) FROM r GROUP BY t ORDER BY t DESC") // long, but for the keys
	checkAsOnHost(t, db, host, "SELECT id, string_agg(s, '' ORDER BY s) FROM r WHERE id < 0 GROUP BY id ORDER BY id")         // no text at all
	if db.log(t); db.onHost > 0 {
		t.Error("a text of 32760 bytes was not put together on the device")
	}
	checkAsOnHost(t, db, host, "SELECT string_agg(s, '' ORDER BY id) FROM r WHERE id <= 3641")
	if want := "there is no device code for a text of more than 32767 bytes"; db.reasons[want] == 0 {
		t.Errorf("kernels ran on the CPU for %v, none because %s", db.reasons, want)
	}
}

// TestDeviceInfiniteSums has sums by groups over infinities and NaN on the device, for which it orders the
// rows of the groups, and the error of finite numbers that overflow.
func TestDeviceInfiniteSums(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	for _, sql := range []string{"SET device = cpu", `CREATE TABLE r AS SELECT g AS id, g * 31 % 701 AS k, CASE WHEN g % 4 > 0 THEN g % 5 END AS few,
		CASE WHEN g % 97 = 0 THEN 'Infinity' WHEN g % 89 = 0 THEN '-Infinity' WHEN g % 1009 = 0 THEN 'NaN' WHEN g % 3 > 0 THEN (g % 64)::double precision END AS f,
		CASE WHEN g IN (17, 718) THEN '1e308'::double precision ELSE 1 END AS big FROM generate_series(1, 5000) AS x(g)`} {
		if _, err := host.Query(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	checkAsOnHost(t, db, host, "SELECT k, sum(f), avg(f), count(f), max(f), sum(id) FROM r GROUP BY k ORDER BY k")
	checkAsOnHost(t, db, host, "SELECT few, k, sum(f) FILTER (WHERE id % 2 = 0), sum(big) FROM r WHERE k <> 527 GROUP BY few, k HAVING sum(f) > 60 ORDER BY few, k")
	const over = "SELECT k, sum(big), sum(f) FROM r GROUP BY k"
	if _, err := db.Query(t.Context(), "SET device_fallback = off"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Query(t.Context(), over); err == nil || !strings.Contains(err.Error(), "22003") {
		t.Errorf("%s: error %v, not that of a sum that has overflowed", over, err)
	}
	if db.log(t); db.onHost > 0 {
		t.Error("not all of it ran on the device")
	}
}

// randomFrame is a random frame for a function that has one.
func randomFrame(rng *rand.Rand, f, order, key string) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	if rng.IntN(3) == 0 || strings.Contains(f, "lag") || strings.Contains(f, "lead") || strings.Contains(f, "rank") || strings.Contains(f, "row_") || strings.Contains(f, "ntile") {
		return ""
	}
	unit := pick("ROWS", "ROWS", "GROUPS", "RANGE")
	distance := pick("0", "1", "2", "7", "100", "3000")
	if unit == "RANGE" {
		switch {
		case strings.Contains(order, ","):
			distance = ""
		case key == "v" || key == "d":
			distance = "interval '3 minutes'"
		case key == "t" || key == "s":
			distance = ""
		}
	}
	bounds := []string{"UNBOUNDED PRECEDING", distance + " PRECEDING", "CURRENT ROW", distance + " FOLLOWING", "UNBOUNDED FOLLOWING"}
	if distance == "" {
		bounds = []string{"UNBOUNDED PRECEDING", "CURRENT ROW", "UNBOUNDED FOLLOWING"}
	}
	from := rng.IntN(len(bounds) - 1)
	to := from + rng.IntN(len(bounds)-from)
	if to == 0 {
		to = len(bounds) - 1
	}
	return fmt.Sprintf("%s BETWEEN %s AND %s%s", unit, bounds[from], bounds[to], pick("", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"))
}

// TestDeviceSorts sorts more rows than a block sorts at a time, by keys of several words: of
// which some differ in few bits, many, or none.
func TestDeviceSorts(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	ctx := context.Background()
	for _, sql := range []string{"SET device = cpu", `CREATE TABLE r AS SELECT g AS id, g % 3 AS few, 7 AS same, (g::bigint * 2654435761 % 1000003) << 40 AS high,
		(g::bigint * 40503 % 4093)::double precision / 7 AS f, CASE WHEN g % 10 > 0 THEN g / 4096 END AS tile FROM generate_series(0, 13000) AS x(g)`} {
		if _, err := host.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	for _, keys := range []string{"same, id", "high, id", "few DESC, f, id DESC", "tile NULLS FIRST, high + same, id", "same, few, id % 4096, id"} {
		sql := "SELECT id FROM r ORDER BY " + keys
		checkAsOnHost(t, db, host, sql)
	}
	if db.log(t); db.onHost > 0 {
		t.Error("not all of it ran on the device")
	}
}

// TestDeviceSelects has percentiles of groups from which a warp selects, a block, and all blocks.
func TestDeviceSelects(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	ctx := context.Background()
	for _, sql := range []string{"SET device = cpu", `CREATE TABLE r AS SELECT CASE WHEN g < 33300 THEN 0 WHEN g < 35000 THEN 1 + g % 3 ELSE g END AS k,
		CASE WHEN g % 11 > 0 THEN (g::bigint * 40503 % 4093)::double precision / 7 END AS f, 5.5::double precision AS same, g * 31 % 40009 AS i FROM generate_series(0, 35400) AS x(g)`} {
		if _, err := host.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	for _, sql := range []string{
		"SELECT k, median(f), percentile_cont(0.3) WITHIN GROUP (ORDER BY i DESC), median(same), count(*) FROM r GROUP BY k ORDER BY k",
		"SELECT median(i), percentile_cont(0.77) WITHIN GROUP (ORDER BY f), max(k) FROM r WHERE k = 0",
	} {
		checkAsOnHost(t, db, host, sql)
	}
	if db.log(t); db.onHost > 0 {
		t.Error("not all of it ran on the device")
	}
}
