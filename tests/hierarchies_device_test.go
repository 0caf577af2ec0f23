//go:build device

package tests

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// assembled is a hierarchy whose first part counts into many machines, and cells of parts.
const assembled = `CREATE TABLE parts_lists (part int, machine int, n int);
INSERT INTO parts_lists SELECT 1, 1000 + g, 1 + g % 3 FROM generate_series(1, 300) AS x(g);
INSERT INTO parts_lists SELECT 2 + g % 20, 900 + g % 7, 1 FROM generate_series(1, 60) AS x(g);
CREATE HIERARCHY machines FROM parts_lists (part, machine, n);
CREATE TABLE cells (part int, v int);
INSERT INTO cells SELECT CASE WHEN g % 3 > 0 THEN 1 + g % 31 END, g % 11 - 3 FROM generate_series(1, 3000) AS x(g);`

// ofMachines is what tests ask of it.
const ofMachines = "SELECT element, count(*), sum(v), min(distance) FROM cells JOIN machines ON part = base GROUP BY element ORDER BY element"

// openAssembled opens a database on a device with the hierarchy, and returns the answer of the
// CPU to ofMachines. On the device its matches are added one by one, by kernels that a kernel
// launches for every 64 rows.
func openAssembled(t *testing.T, open func(ordinal int) (cuda.Device, error)) (s *cubeloom.Session, want string) {
	t.Helper()
	s = openOn(t, open, "cuda")
	if err := s.Run(t.Context(), "SET device = cpu; "+assembled, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	want = answered(t, s, ofMachines)
	for _, setting := range []string{"disabled_rules = 'push_aggregates'", "expand_strategy = children", "expand_pages = '64'"} {
		query(t, s, "SET "+setting)
	}
	return s, want
}

// answered runs a query on the CPU and leaves the session on the device.
func answered(t *testing.T, s *cubeloom.Session, text string) string {
	t.Helper()
	query(t, s, "SET device = cpu")
	_, rows := query(t, s, text)
	query(t, s, "SET device = cuda")
	return rows
}

// counted is a stream that calls a function before each launch.
type counted struct {
	cuda.Stream
	before func()
}

func (c counted) Launch(l cuda.Launch) error {
	c.before()
	return c.Stream.Launch(l)
}

// TestCancelWhileChildrenRun ends a query at each of its launches: it fails, and the next
// one has its answer.
func TestCancelWhileChildrenRun(t *testing.T) {
	t.Parallel()
	launches, end := 0, func() {}
	s, want := openAssembled(t, func(ordinal int) (cuda.Device, error) {
		d, err := device.Opener(t)(ordinal)
		before := func() {
			if launches--; launches == 0 {
				end()
			}
		}
		return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return counted{s, before} }}, err
	})
	_, plan := query(t, s, "EXPLAIN ANALYZE "+ofMachines)
	if !strings.Contains(plan, "kernels launched by kernels: ") || strings.Contains(plan, "kernels launched by kernels: 0") {
		t.Fatalf("no kernel launches others:\n%s", plan)
	}
	failed := 0
	for at := 1; ; at++ {
		ctx, cancel := context.WithCancel(t.Context())
		launches, end = at, cancel
		_, err := s.Query(ctx, ofMachines)
		if launches > 0 {
			cancel()
			if failed < at-2 || failed == 0 { // the last launch may have been the end
				t.Errorf("%d of %d queries ended", failed, at-1)
			}
			break
		}
		var failure *cubeloom.Error
		if errors.As(err, &failure) && failure.Code == "57014" {
			failed++
		} else if err != nil {
			t.Errorf("ended at launch %d: %v", at, err)
		}
		if res, rows := query(t, s, ofMachines); rows != want || strings.Contains(ranOn(res), "cpu") {
			t.Errorf("after a query that ended at launch %d: %s on %s", at, rows, ranOn(res))
		}
	}
}

// TestChildrenWithoutRoom has a device be full at each allocation of a query whose kernel
// launches others, and the pool of launches too: the answer is right all the same.
func TestChildrenWithoutRoom(t *testing.T) {
	t.Parallel()
	moved := 0
	for allocations := 0; ; allocations += 3 {
		left := allocations
		s, want := openAssembled(t, func(ordinal int) (cuda.Device, error) {
			d, err := device.OpenerOf(t, device.Limits{PendingLaunches: 2})(ordinal)
			return filling{d, &left}, err
		})
		if res, rows := query(t, s, ofMachines); rows != want {
			t.Fatalf("after %d allocations on %s:\n%s\ninstead of\n%s", allocations, ranOn(res), rows, want)
		}
		if left > 0 {
			break
		}
		moved++
	}
	if moved < 2 {
		t.Error("the device was hardly ever full")
	}
}

// TestDeviceHierarchies runs queries of an empty hierarchy, of one with an element that has
// many children, and of one whose edges have been changed and rolled back.
func TestDeviceHierarchies(t *testing.T) {
	t.Parallel()
	children := 1_000_000
	s := openOn(t, device.Opener(t), "cuda")
	query(t, s, "SET device = cpu")
	for _, text := range []string{
		"CREATE TABLE none (child int, parent int, w int)",
		"CREATE HIERARCHY empty FROM none (child, parent, w)",
		"CREATE TABLE wide (child int, parent int)",
		fmt.Sprintf("INSERT INTO wide SELECT g, 0 FROM generate_series(1, %d) AS x(g)", children),
		"CREATE HIERARCHY broad FROM wide (child, parent)",
		"CREATE TABLE chosen (id int, v int)",
		"INSERT INTO chosen VALUES (0, 1), (7, 2), (99999999, 3), (NULL, 4)",
	} {
		query(t, s, text)
	}
	query(t, s, "SET disabled_rules = 'push_aggregates'")
	check := func(text, want string) {
		t.Helper()
		if got := answered(t, s, text); got != want {
			t.Fatalf("%s\ngives %s on the CPU, not %s", text, got, want)
		}
		if res, got := query(t, s, text); got != want || strings.Contains(ranOn(res), "cpu") {
			t.Errorf("%s\ngives %s on %s, not %s", text, got, ranOn(res), want)
		}
	}
	check("SELECT count(*), sum(v) FROM chosen JOIN empty ON id = base", "0 ")
	check("SELECT element, sum(v) FROM chosen JOIN empty ON id = base GROUP BY element", "")
	check("SELECT count(*), count(element) FROM chosen LEFT JOIN empty ON id = base", "4 0")
	check("SELECT count(*), sum(v), max(distance) FROM chosen JOIN broad ON id = base WHERE element = 0", "2 3 1")
	check("SELECT id, count(*), sum(v), sum(distance) FROM chosen JOIN broad ON id = element GROUP BY id ORDER BY id",
		fmt.Sprintf("0 %d %d %d\n7 1 2 0", children+1, children+1, children))
	query(t, s, "BEGIN")
	query(t, s, "INSERT INTO none VALUES (7, 99999999, 3)")
	check("SELECT element, sum(v) FROM chosen JOIN empty ON id = base GROUP BY element ORDER BY element", "7 2\n99999999 5")
	query(t, s, "ROLLBACK")
	check("SELECT count(*) FROM chosen JOIN empty ON id = base", "0")
}
