//go:build device

package tests

import (
	"context"
	"flag"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

var (
	topQueries = flag.Int("top.queries", 3, "number of random orders with a limit that the device answers beside the CPU")
	topSeed    = flag.Uint64("top.seed", 1, "seed of them")
)

// TestDeviceTop has the first rows of random orders found on the device and on the CPU: of
// random keys, rows in order and against it, equal ones, with rows that are left out, and
// where the order or the rows at the beginning are far from what a sample shows.
func TestDeviceTop(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	ctx := context.Background()
	for _, sql := range []string{"SET device = cpu", topTable} {
		if _, err := host.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Query(ctx, "SET sort_strategy = top"); err != nil {
		t.Fatal(err)
	}
	for n := range *topQueries {
		seed := *topSeed + uint64(n)
		sql := randomTop(rand.New(rand.NewPCG(seed, 0)))
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

// TestDeviceLimit has a device leave out all but some rows of a table, a filter and a join of many
// matches: as many come as the CPU gives, and none comes twice.
func TestDeviceLimit(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	ctx := context.Background()
	for _, sql := range []string{"SET device = cpu", topTable, "CREATE TABLE d AS SELECT g % 3 AS few, g AS id FROM generate_series(0, 11) AS x(g)", "SET device = cuda"} {
		if _, err := db.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(*topSeed, 1))
	for _, from := range []struct {
		sql  string
		rows int
	}{{"r", 40000}, {"r WHERE i % 5 = 0 OR f IS NULL", -1}, {"r WHERE up < 0", 0}, {"r JOIN d USING (few)", 4 * 40000}} {
		if from.rows < 0 {
			res, err := db.Query(ctx, "SELECT count(*) FROM "+from.sql)
			if err != nil {
				t.Fatal(err)
			}
			if from.rows, err = strconv.Atoi(res.Rows[0][0].Text); err != nil {
				t.Fatal(err)
			}
		}
		id := "up"
		if strings.Contains(from.sql, "JOIN") {
			id = "up * 12 + id"
		}
		for range 4 {
			limit, offset := rng.IntN(1+2*rng.IntN(10000)), rng.IntN(1+rng.IntN(9000))
			sql := "SELECT count(*), count(DISTINCT x), count(t), count(o) FROM (SELECT " + id + " AS x, CASE WHEN up >= 0 THEN s END AS t, up >= 0 AS o FROM " + from.sql + " LIMIT " + strconv.Itoa(limit) + " OFFSET " + strconv.Itoa(offset) + ") s"
			want := strconv.Itoa(max(min(limit, from.rows-offset), 0))
			res, err := db.Query(ctx, sql)
			if err != nil {
				t.Fatalf("%s\n%v", sql, err)
			}
			for _, got := range res.Rows[0] {
				if got.Text != want {
					t.Errorf("%s\ngives %v, not %s rows", sql, res.Rows[0], want)
					break
				}
			}
		}
	}
	if db.log(t); db.onHost > 0 {
		t.Error("not all of it ran on the device")
	}
}
