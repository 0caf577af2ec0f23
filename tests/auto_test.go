package tests

import (
	"context"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestAutoDevice chooses the device by cost: columns come there when what it would
// have saved pays for bringing them.
func TestAutoDevice(t *testing.T) {
	null := &device.Null{Bandwidth: 4e12, HostLink: 2e8}
	opened := 0
	db, err := cubeloom.Open(cubeloom.Options{Threads: 1, Devices: 1, OpenDevice: func(int) (cuda.Device, error) {
		opened++
		return null, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	run := func(sql string) (*cubeloom.Result, string) {
		t.Helper()
		res, err := s.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for cursor := res.Cursor(); cursor.Next(); {
			text.WriteString(cursor.Text(0) + "\n")
		}
		return res, text.String()
	}
	run("SET device = cpu")
	run("CREATE TABLE auto AS SELECT i FROM generate_series(1, 300000) AS s(i)")
	run("SET device = auto")
	const text = "SELECT sum(i) FROM auto WHERE i % 3 = 1"
	if _, plan := run("EXPLAIN SELECT 1"); opened > 0 || !strings.Contains(plan, "less than a device takes to start") {
		t.Errorf("the device was opened %d times for a query without rows:\n%s", opened, plan)
	}
	if _, plan := run("EXPLAIN " + text); opened > 0 || !strings.Contains(plan, "on cpu: the device is not open") {
		t.Errorf("the device was opened %d times for a query that takes less than that:\n%s", opened, plan)
	}
	if _, _, err := db.CUDADevices(); err != nil || opened != 1 {
		t.Fatal(opened, err)
	}
	if _, plan := run("EXPLAIN " + text); !strings.Contains(plan, "on cpu: ") || !strings.Contains(plan, "MB brought") {
		t.Errorf("the first query is not worth bringing the column:\n%s", plan)
	}
	times := 0
	for res, _ := run(text); res.Stats.Places[0].Backend.Name() == "cpu"; res, _ = run(text) {
		if times++; times > 1000 {
			t.Fatal("the column never comes to the device")
		}
	}
	if times == 0 {
		t.Error("the column came to the device at once")
	}
	if _, plan := run("EXPLAIN " + text); !strings.Contains(plan, "on cuda: ") || !strings.Contains(plan, " ms on the CPU: ") {
		t.Errorf("the column is there and the device is not chosen:\n%s", plan)
	}

	run("SET device = cpu")
	run("CREATE TABLE targets AS SELECT i % 4 AS k, i % 7 AS e FROM generate_series(1, 4000) AS s(i)")
	run("SET device = auto")
	run("SET disabled_rules = 'push_aggregates'")
	if _, plan := run("EXPLAIN SELECT e, sum(i) FROM auto JOIN targets ON auto.i % 4 = targets.k GROUP BY e"); !strings.Contains(plan, "kernels are being compiled") || !strings.Contains(plan, "3e+08 matches of joins") {
		t.Errorf("a thousand matches of each row are not counted:\n%s", plan)
	}
}
