//go:build device

package tests

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// starTables are tables of a star, and starQuery is a query over them of which one kernel is made, if estimates decide.
var starTables = []string{
	"CREATE TABLE a AS SELECT i AS ak, i * 7 AS av FROM generate_series(1, 5000) AS s(i)",
	"CREATE TABLE b AS SELECT i AS bk, i * 3 AS bv FROM generate_series(1, 5000) AS s(i)",
	"CREATE TABLE facts AS SELECT i % 4999 + 1 AS a, i % 4987 + 1 AS b, i % 12 AS c FROM generate_series(1, 20000) AS s(i)",
}

const starQuery = "SELECT c, sum(av * b), sum(bv) FROM facts JOIN a ON ak = a AND av < 9000 JOIN b ON bk = b AND bv < 7000 WHERE c < 9 GROUP BY c ORDER BY c"

// waysOf is what EXPLAIN says of ways that ran.
func waysOf(t *testing.T, s *cubeloom.Session) (lines string) {
	t.Helper()
	_, text := query(t, s, "EXPLAIN (FUSION) "+starQuery)
	for line := range strings.Lines(text) {
		if strings.Contains(line, "as it ran") || strings.Contains(line, "ways that ran") {
			lines += line
		}
	}
	return lines
}

// slowCompiler is a device whose kernels are compiled after queries that wait for none have run.
type slowCompiler struct{ cuda.Device }

func (d slowCompiler) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	time.Sleep(50 * time.Millisecond)
	return d.Device.Load(ctx, name, source)
}

func (d slowCompiler) Close() error { return d.Device.(io.Closer).Close() }

// The quickest way to cut a candidate is found by running it, and kept with the machine: here a kernel takes what its
// number of operators costs, and what is written.
func TestQuickestWayIsFound(t *testing.T) {
	t.Cleanup(func() { machine.Calibrate(t.TempDir()) })
	type quickest struct {
		name  string
		whole int64 // nanoseconds of a kernel that probes and aggregates
		most  int64 // of one that does all of that but one operator
		part  int64 // of any other of the query's main group
		more  int   // steps in the end than at first
		ways  bool  // several ways run
	}
	for _, tc := range device.Some(t.Name(), []quickest{
		{"whole is slow", 5_000_000, 300_000, 300_000, 1, true},
		{"whole is quick", 1_000_000, 900_000, 300_000, 0, true},
		{"parts are slow", 1_000_000, 900_000, 900_000, 0, true},
		{"all is quick", 100_000, 10, 10, 0, false},
	}, 2) {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := machine.Calibrate(dir); err != nil {
				t.Fatal(err)
			}
			d := &namedDevice{Device: slowCompiler{device.Open(t)}, names: make(map[cuda.Kernel]string)}
			priced := &pricedDevice{Device: d, price: func(l cuda.Launch) int64 {
				switch entry := d.name(l.Kernel); {
				case strings.Contains(entry, "build") || strings.HasPrefix(entry, "groups"):
					return 1000
				case strings.HasPrefix(entry, "scan_probe2_aggregate"):
					return tc.whole
				case strings.HasPrefix(entry, "scan_probe_aggregate"), strings.HasPrefix(entry, "scan_probe2_materialize"):
					return tc.most
				}
				return tc.part
			}}
			open := func() *cubeloom.Session {
				db := openDatabase(t, cubeloom.Options{Device: "cuda", Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return priced, nil }})
				s := db.Session()
				query(t, s, "SET device = cpu")
				for _, table := range starTables {
					query(t, s, table)
				}
				query(t, s, "SET device = cuda")
				return s
			}
			steps := func(s *cubeloom.Session) (n int, seeks bool) {
				res, _ := query(t, s, starQuery)
				return len(res.Stats.Places), res.Stats.Seeks
			}
			s := open()
			first, last, seen := 0, 0, make(map[int]int)
			runs := 0
			for seeks := true; seeks || runs < 4; runs++ {
				last, seeks = steps(s)
				first = cmp.Or(first, last)
				seen[last]++
			}
			t.Logf("%d steps at first, %d at last, %v\n%s", first, last, seen, waysOf(t, s))
			if want := first + tc.more; last != want {
				t.Errorf("%d steps at last instead of %d", last, want)
			}
			if text := waysOf(t, s); strings.Contains(text, "cut (as it ran with") != tc.ways {
				t.Errorf("EXPLAIN says\n%s", text)
			}
			if (len(seen) > 1) != tc.ways {
				t.Errorf("numbers of steps: %v", seen)
			}
			// Each of five other ways runs twice: the quickest one runs while they are being compiled.
			if tc.more == 0 && seen[first] < runs-10 {
				t.Errorf("of %d runs %v by steps", runs, seen)
			}
			query(t, s, "SET tuning = off")
			if n, _ := steps(s); n != first {
				t.Errorf("%d steps without tuning instead of %d", n, first)
			}
			if err := machine.Calibrate(dir); err != nil {
				t.Fatal(err)
			}
			if n, _ := steps(open()); n != last {
				t.Errorf("%d steps in the next process instead of %d", n, last)
			}
		})
	}
}

// namedDevice is a device that knows the names of its kernels.
type namedDevice struct {
	cuda.Device
	mu    sync.Mutex
	names map[cuda.Kernel]string
}

type namedCode struct {
	cuda.Code
	*namedDevice
}

// Load implements cuda.Device.
func (d *namedDevice) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	code, err := d.Device.Load(ctx, name, source)
	return namedCode{code, d}, err
}

// Kernel implements cuda.Code.
func (c namedCode) Kernel(name string) (cuda.Kernel, error) {
	k, err := c.Code.Kernel(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names[k] = name
	return k, err
}

// Close implements io.Closer.
func (d *namedDevice) Close() error { return d.Device.(io.Closer).Close() }

func (d *namedDevice) name(k cuda.Kernel) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.names[k]
}

// Answers are right in every way that is tried.
func TestWaysGiveTheAnswers(t *testing.T) {
	const scale = 0.002
	dir := t.TempDir()
	if err := machine.Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { machine.Calibrate(t.TempDir()) })
	named := &namedDevice{Device: device.Open(t), names: make(map[cuda.Kernel]string)}
	d := &pricedDevice{Device: named, price: func(l cuda.Launch) int64 {
		operators := int64(1) // the more there are, the more one costs
		for _, word := range strings.Split(named.name(l.Kernel), "_") {
			n, _ := strconv.ParseInt(strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz"), 10, 64)
			operators += max(n, 1)
		}
		return 100_000 * operators * operators
	}}
	db := openDatabase(t, cubeloom.Options{Device: "cuda", Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return d, nil }})
	e := &engine{db, db.Session()}
	e.load(t, tpch.Data{SF: scale})
	tries, least, most := device.Sampler("ways", 1), 0, 0
	for _, q := range tpch.Queries(scale) {
		if !tries() {
			continue
		}
		query(t, e.session, "SET device = cpu")
		_, want := query(t, e.session, q.SQL)
		query(t, e.session, "SET device = cuda")
		steps := make(map[int]bool)
		for seeks, run := true, 0; seeks || run < 4; run++ {
			res, got, err := clientAnswer(t.Context(), e.session, q.SQL)
			if err != nil {
				t.Fatalf("%s: %v", q.Name, err)
			}
			if got != sorted(want) {
				t.Fatalf("%s with %d steps:\n%s\ninstead of\n%s", q.Name, len(res.Stats.Places), got, sorted(want))
			}
			steps[len(res.Stats.Places)] = true
			seeks = res.Stats.Seeks
		}
		t.Log(q.Name, steps)
		least, most = least+1, most+len(steps)
	}
	if most < 2*least {
		t.Errorf("%d numbers of steps of %d queries", most, least)
	}
	c, err := machine.Read(dir, d.Info().Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range c.Woven {
		for _, way := range w.Ways {
			if way.Fails {
				t.Errorf("%s: a way fails: %v", w.Operators, way.Ends)
			}
		}
	}
}
