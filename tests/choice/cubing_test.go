package choice

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/fill"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// cubingAll has the strategy of all cubes chosen that were timed: their tables take minutes.
var cubingAll = flag.Bool("cubing", false, "choose for all cubes that were timed, and not for one in six")

// timedCube is a cube of `cubeloom bench cubing --json`, of reports of the weather where it has no Card.
// Times are what the query took by strategy: on a device less the copy of its answer, on the CPU the
// processor time of one thread.
type timedCube struct {
	Rows  int64              `json:"rows"`
	Dims  int                `json:"dims"`
	Card  int64              `json:"card"`
	Skew  float64            `json:"skew"`
	Least int64              `json:"least"`
	Times map[string]float64 `json:"ms"`
}

// TestCubing has the strategies of cubes chosen that were timed in both on a device, and on the CPU.
func TestCubing(t *testing.T) {
	t.Run("cuda", func(t *testing.T) {
		chooseCubes(t, "cuda", "testdata/2026-11-23-h200-cubing.jsonl", "testdata/2026-11-24-h200-cubing.jsonl")
	})
	t.Run("cpu", func(t *testing.T) {
		chooseCubes(t, "cpu", "testdata/2026-11-23-cpu-cubing.jsonl", "testdata/2026-11-24-cpu-cubing.jsonl")
	})
}

// timedCubes reads the cubes of files.
func timedCubes(t *testing.T, names []string) (all []timedCube) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var c timedCube
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
	}
	return all
}

// chooseCubes chooses for cubes of files where device says.
func chooseCubes(t *testing.T, device string, names ...string) {
	t.Helper()
	near, all := 0, 0
	for line, c := range timedCubes(t, names) {
		if !*cubingAll && line%6 != 1 {
			continue
		}
		all++
		taken := c.chosen(t, device)
		lost := c.Times[taken] / min(c.Times[cubing.Refine], c.Times[cubing.Rollup])
		t.Logf("%+v: %s, %.2f times the better one", c, taken, lost)
		if lost <= 1.1 {
			near++
		}
		if lost > 1.5 {
			t.Errorf("%+v: %s takes %.2f times as long as the other", c, taken, lost)
		}
	}
	if all < 5 || 20*near < 19*all {
		t.Errorf("the choice is within 10 %% of the better strategy for %d of %d cubes", near, all)
	}
}

// chosen is the strategy that is taken for the cube.
func (c *timedCube) chosen(t *testing.T, where string) string {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{Devices: 1, Threads: 1, OpenDevice: func(int) (cuda.Device, error) { return &device.Null{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	cube := workload.Cube{Name: "cube", Rows: c.Rows, Dims: c.Dims, Card: c.Card, Skew: c.Skew}
	set, query := workload.Set(cube), cube.Iceberg(c.Least)
	if c.Card == 0 {
		weather := workload.Weather{Rows: c.Rows, Dims: c.Dims}
		set, query = weather, weather.Query(c.Least)
	}
	if err := fill.Tables(ctx, db, set, workload.Options{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	session := db.Session()
	if _, err := session.Query(ctx, "SET device = "+where); err != nil {
		t.Fatal(err)
	}
	res, err := session.Query(ctx, "EXPLAIN (FUSION) "+query.SQL)
	if err != nil {
		t.Fatal(err)
	}
	for cur := res.Cursor(); cur.Next(); {
		if strings.Contains(cur.Text(0), "cubing  ") {
			return cubing.Refine
		}
	}
	return cubing.Rollup
}
