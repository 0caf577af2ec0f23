package tests

import (
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestAutoGoesByWhatQueriesTook has estimates be wrong: a query that is asked again and again comes to the device.
func TestAutoGoesByWhatQueriesTook(t *testing.T) {
	m, err := machine.Default().WithFigures(map[string]float64{
		"Device.Step": 1e3, "Device.Open": 1, "Device.Compile": 1, "Host.Row": 1e-6, "Host.Instruction": 1e-6, "Host.Encoded": 1e-6, "Host.Probe": 1e-6,
		"Host.Hashed": 1e-6, "Host.DenseGroup": 1e-6, "Host.Compared": 1e-6,
	})
	if err != nil {
		t.Fatal(err)
	}
	machine.Use(m)
	defer machine.Use(machine.Default())
	db := openDatabase(t, cubeloom.Options{Threads: 1, Devices: 1, OpenDevice: func(int) (cuda.Device, error) {
		return &device.Null{Bandwidth: 4e12, HostLink: 5e10}, nil
	}})
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	s := db.Session()
	run := func(sql string) string {
		t.Helper()
		res, err := s.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for cursor := res.Cursor(); cursor.Next(); {
			text.WriteString(cursor.Text(0) + "\n")
		}
		return text.String()
	}
	run("SET device = cpu")
	run("CREATE TABLE auto AS SELECT i, i % 9 AS k FROM generate_series(1, 30000) AS s(i)")
	run("SET device = auto")
	const text = "SELECT k, sum(i) FROM auto WHERE i % 3 = 1 GROUP BY CUBE (k, i % 2)"
	if plan := run("EXPLAIN " + text); strings.Contains(plan, "on cuda") || !strings.Contains(plan, "less than a device takes to start") {
		t.Fatalf("the estimates are not wrong:\n%s", plan)
	}
	for range 20 {
		run(text)
	}
	if plan := run("EXPLAIN " + text); !strings.Contains(plan, "on cuda: ") || !strings.Contains(plan, "ms measured") {
		t.Errorf("what the query took does not count:\n%s", plan)
	}
	if plan := run("EXPLAIN " + strings.Replace(text, "= 1", "= 2", 1)); strings.Contains(plan, "on cuda") {
		t.Errorf("what another query took counts:\n%s", plan)
	}
}
