package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// groupedBytes is what the groups of the table take in shared memory.
const groupedBytes = 12000 * 8

// groupingCost is a model of a card: rows that are added in shared memory take a seventh of the time of
// the others, and there is room for as many as the launch has of it. Blocks of 512 threads are best.
func groupingCost(entry string, rows int64, l *cuda.Launch) int64 {
	if !strings.Contains(entry, "aggregate") {
		return 1000
	}
	near := min(float64(l.Shared)/groupedBytes, 1)
	picoseconds := 20*near + 140*(1-near)
	for n := l.Threads; n < 512; n *= 2 {
		picoseconds *= 1.1
	}
	return 1000 + int64(float64(rows)*picoseconds/1000)
}

// clockedEngine opens a database on a device with a clock, with a table of groups.
func clockedEngine(t *testing.T) (*engine, *device.Clocked) {
	t.Helper()
	clocked := &device.Clocked{Null: device.Null{Bandwidth: 2e9}, Cost: groupingCost}
	db := openDatabase(t, cubeloom.Options{Devices: 1, OpenDevice: func(int) (cuda.Device, error) { return clocked, nil }})
	e := &engine{db, db.Session()}
	mustRun(t, e, "SET device = cpu")
	mustRun(t, e, "CREATE TABLE r AS SELECT (i::bigint * 7919 % 12000)::integer AS g, (i % 97)::integer AS v FROM generate_series(1, 1000000) AS x(i)")
	mustRun(t, e, "SET device = cuda")
	return e, clocked
}

// wrongFiles are figures of a device that are not its own.
func wrongFiles() map[string]map[string]float64 {
	groups := machine.Default().Device.Groups
	small := make(map[string]float64)
	for name, bytes := range map[string]int64{
		"SlotBytes": groups.SlotBytes, "BlockBytes": groups.BlockBytes, "ProbingBytes": groups.ProbingBytes,
		"ThreadBytes": groups.ThreadBytes, "WideBytes": groups.WideBytes, "CacheBytes": groups.CacheBytes,
	} {
		small["Device.Groups."+name] = float64(bytes / 4)
	}
	return map[string]map[string]float64{
		"a quarter of the memory":      small,
		"quick additions in the cache": {"Device.Groups.Atomic": 1, "Device.Groups.Missed": 1, "Device.Groups.SameCell": 1},
	}
}

// repeated has queries tune the kernels of a query, and returns how long they took before and after
// ten repetitions, what EXPLAIN ANALYZE says then, and EXPLAIN (FUSION).
func repeated(t *testing.T) (before, after int64, said, explained string) {
	const query, repetitions = "SELECT g, sum(v), count(*) FROM r GROUP BY g", 10
	db, clocked := clockedEngine(t)
	took := func() int64 {
		clocked.Spent()
		mustRun(t, db, query)
		time.Sleep(20 * time.Millisecond) // what is compiled behind is there
		return clocked.Spent()
	}
	mustRun(t, db, "SET tuning = off")
	before = took()
	mustRun(t, db, "SET tuning = on")
	for range repetitions {
		took()
	}
	after = took()
	res, err := db.Query(t.Context(), "EXPLAIN (FUSION) "+query)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range res.Rows {
		explained += row[0].Text + "\n"
	}
	return before, after, analyzed(t, db, query).Groups[0].Measured.Taken, explained
}

// TestWrongFileIsRecoveredFrom has a device's file hold figures of another card. Ten repetitions of a
// query later its kernels take what they take, tuned, with the right file, to five percent; so
// they do at the next start.
func TestWrongFileIsRecoveredFrom(t *testing.T) {
	_, best, _, _ := repeated(t)
	for name, figures := range wrongFiles() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file, err := (&machine.Calibration{Device: "null", Source: "another card", Figures: figures}).Write(dir)
			if err == nil {
				err = machine.Calibrate(dir)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = machine.Calibrate(filepath.Join(dir, "none")) })
			wrong, found, said, explained := repeated(t)
			t.Logf("tuned with the right file %d ns; with the wrong one %d, tuned %d: %s", best, wrong, found, said)
			if float64(wrong) < 1.2*float64(best) {
				t.Errorf("the file makes no difference: kernels take %d ns, and %d with the right one", wrong, best)
			}
			if float64(found) > 1.05*float64(best) {
				t.Errorf("after the repetitions kernels take %d ns, with the right file %d", found, best)
			}
			if !strings.Contains(said, "strategy ") || !strings.Contains(said, " runs, ") || strings.Contains(said, "sought further") {
				t.Errorf("EXPLAIN ANALYZE does not say what was tuned: %s", said)
			}
			if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), `"strategy"`) {
				t.Errorf("the file of the device holds %s, %v", data, err)
			}
			if err := machine.Calibrate(dir); err != nil { // as at the next start
				t.Fatal(err)
			}
			if !strings.Contains(explained, "tuned on this machine\n  group 0: strategy ") {
				t.Errorf("EXPLAIN (FUSION) does not say what was tuned:\n%s", explained)
			}
			if _, again, _, _ := repeated(t); float64(again) > 1.05*float64(best) {
				t.Errorf("at the next start kernels take %d ns, and not %d", again, best)
			}
		})
	}
}

// TestForcedWaysAreNotVaried forces a strategy: the tuner has the device take no other.
func TestForcedWaysAreNotVaried(t *testing.T) {
	db, _ := clockedEngine(t)
	for _, set := range []string{"SET tuning = on", "SET aggregate_strategy = shared"} {
		mustRun(t, db, set)
	}
	for range 5 {
		e := analyzed(t, db, "SELECT g, sum(v) FROM r GROUP BY g")
		if taken := e.Groups[0].Measured.Taken; !strings.HasPrefix(taken, "shared") || strings.Contains(taken, "strategy ") {
			t.Fatalf("it took %q", taken)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
