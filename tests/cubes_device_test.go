//go:build device

package tests

import (
	"context"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

var cubeDevice = flag.Int("cubes.device", 2, "number of random cubes of each table that a device refines beside the CPU")

// TestDeviceCubes refines random cubes on the device and on the CPU: of no rows, one, all
// equal, few, and several tiles.
func TestDeviceCubes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(*cubeSeed, 20))
	db := openDeviceEngine(t)
	refined := 0
	for _, table := range []struct {
		rows int
		one  bool
	}{{0, false}, {1, false}, {60, true}, {400, false}, {5000, false}} {
		mustQuery(t, &db.engine, "SET device = cpu")
		for _, sql := range cubeTable(rng, table.rows, table.one) {
			mustQuery(t, &db.engine, sql)
		}
		for range *cubeDevice {
			sql := cubeQuery(rng)
			mustQuery(t, &db.engine, "SET device = cpu")
			mustQuery(t, &db.engine, "SET cube_strategy = refine")
			want, failure := db.Query(ctx, sql)
			mustQuery(t, &db.engine, "SET device = cuda")
			got, err := db.Query(ctx, sql)
			switch {
			case err != nil && strings.Contains(err.Error(), "cube_strategy is refine, which does not apply"):
			case err != nil || failure != nil:
				if db.SQLState(err) != db.SQLState(failure) {
					t.Errorf("%d rows, %s: gave %v, want %v", table.rows, sql, err, failure)
				}
			default:
				refined++
				if err := reference.Compare(got, want, false); err != nil {
					t.Errorf("%d rows, %s\n%v", table.rows, sql, err)
				}
			}
		}
	}
	db.log(t)
	if db.onDevice == 0 || refined == 0 {
		t.Errorf("%d cubes were refined, %d kernels ran on the device", refined, db.onDevice)
	}
}

// TestDeviceCubesOfManyCells refines keys of many codes, whose cells are sorted, and 64 keys
// in 40 sets.
func TestDeviceCubesOfManyCells(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	many, sql := manyDimensions(rand.New(rand.NewPCG(*cubeSeed, 21)))
	for _, sql := range []string{
		"SET device = cpu", "SET cube_strategy = refine", many,
		"CREATE TABLE w AS SELECT i * 7919 % 1000003 AS a, i % 300 * 1000 AS b, i % 7 AS c, i % 64 AS m FROM generate_series(1, 5000) AS s(i)",
	} {
		mustQuery(t, &db.engine, sql)
	}
	for _, sql := range []string{
		sql,
		"SELECT a, b, c, count(*), sum(m) FROM w GROUP BY CUBE (a, b, c)",
		"SELECT a, b, c, count(*), sum(m) FROM w GROUP BY CUBE (a, b, c) HAVING count(*) >= 2 AND max(m) >= 40",
	} {
		mustQuery(t, &db.engine, "SET device = cpu")
		want := mustQuery(t, &db.engine, sql)
		mustQuery(t, &db.engine, "SET device = cuda")
		before := db.onDevice
		got, err := db.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		if err := reference.Compare(got, want, false); err != nil {
			t.Errorf("%s\n%v", sql, err)
		}
		if db.onDevice == before {
			t.Errorf("nothing ran on the device of %s", sql)
		}
	}
	db.log(t)
}
