//go:build device

package tests

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// A pricedDevice is an emulated device on which a launch takes what a function of it says,
// and whose blocks are small: its memory is slow.
type pricedDevice struct {
	cuda.Device
	price func(cuda.Launch) int64
	fast  bool // its memory is fast, and the table small for it

	db       *cubeloom.DB // that uses the device
	mu       sync.Mutex
	launches []cuda.Launch // with dynamic shared memory
	timed    []cuda.Launch // since the last Sync, after which their times are known
}

func (d *pricedDevice) Info() cuda.Info {
	info := d.Device.Info()
	if info.Bandwidth = 1e8; d.fast {
		info.Bandwidth = 1e13
	}
	return info
}

// NewStream implements cuda.Device.
func (d *pricedDevice) NewStream() (cuda.Stream, error) {
	s, err := d.Device.NewStream()
	return pricedStream{s, d}, err
}

// pricedStream is a stream of a pricedDevice.
type pricedStream struct {
	cuda.Stream
	*pricedDevice
}

func (d pricedStream) Launch(l cuda.Launch) error {
	err := d.Stream.Launch(l)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && l.Timer != nil {
		d.timed = append(d.timed, l)
	}
	if l.Shared > 0 {
		d.launches = append(d.launches, l)
	}
	return err
}

// Sync sets the prices, in place of the times that a GPU has measured.
func (d pricedStream) Sync() error {
	err := d.Stream.Sync()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.timed {
		l.Timer.Nanoseconds = d.price(l)
	}
	d.timed = nil
	return err
}

func (d *pricedDevice) Close() error { return d.Device.(io.Closer).Close() }

// since returns the launches since the last call.
func (d *pricedDevice) since() []cuda.Launch {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.launches
	d.launches = nil
	return list
}

// pricedDB opens a database on such a device, with a table of some groups.
func pricedDB(t *testing.T, price func(cuda.Launch) int64) (*cubeloom.Session, *pricedDevice) {
	t.Helper()
	d := &pricedDevice{price: price}
	open := device.Opener(t)
	db, err := cubeloom.Open(cubeloom.Options{Device: "cuda", OpenDevice: func(ordinal int) (cuda.Device, error) {
		opened, err := open(ordinal)
		if err != nil { // there are no more than one
			return nil, err
		}
		d.Device = opened
		return d, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := db.Session()
	d.db = db
	pricedAnswer(t, s, "CREATE TABLE r AS SELECT (i * 7919 % 500)::integer AS g, (i::bigint * 7919 % 300) * 72057594037 AS s, (i % 97)::integer AS v, CASE WHEN i % 5 > 0 THEN i % 3 END AS n FROM generate_series(1, 70000) AS x(i)")
	return s, d
}

// pricedAnswer is the rows of a query as text.
func pricedAnswer(t *testing.T, s *cubeloom.Session, text string) string {
	t.Helper()
	res, err := s.Query(context.Background(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer res.Close()
	return rowsText(res)
}

// rowsText is the rows of a result as text.
func rowsText(res *cubeloom.Result) string {
	var rows []string
	for c := res.Cursor(); c.Next(); {
		cells := make([]string, len(res.Columns))
		for i := range cells {
			cells[i] = c.Text(i)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "\n")
}

// TestTunedWhileAQueryRuns has a query find the shared memory with which launches take the
// least time. In the end there is one launch, with what was found.
func TestTunedWhileAQueryRuns(t *testing.T) {
	const query = "SELECT g, count(*), sum(v) FROM r GROUP BY g ORDER BY g"
	least := int64(0)
	price := func(l cuda.Launch) int64 { return 1000 + max(64<<10-int64(l.Shared), 0)/8 }
	for _, wrong := range []bool{false, true} {
		t.Run(fmt.Sprintf("wrong file %v", wrong), func(t *testing.T) {
			if wrong { // of a card with a quarter of the shared memory and the cache
				groups, figures := machine.Default().Device.Groups, make(map[string]float64)
				for name, bytes := range map[string]int64{
					"SlotBytes": groups.SlotBytes, "BlockBytes": groups.BlockBytes, "ProbingBytes": groups.ProbingBytes,
					"ThreadBytes": groups.ThreadBytes, "WideBytes": groups.WideBytes, "CacheBytes": groups.CacheBytes,
				} {
					figures["Device.Groups."+name] = float64(bytes / 4)
				}
				dir := t.TempDir()
				file, err := (&machine.Calibration{Device: device.Open(t).Info().Name, Source: "another card", Figures: figures}).Write(dir)
				if err != nil {
					t.Fatal(err)
				}
				if err := machine.Calibrate(dir); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = machine.Calibrate(t.TempDir()) })
				t.Cleanup(func() { // the next start finds it
					data, err := os.ReadFile(file)
					if err != nil || !strings.Contains(string(data), `"parameters"`) {
						t.Errorf("the file of the device holds %s, %v", data, err)
					}
				})
			}
			s, d := pricedDB(t, price)
			pricedAnswer(t, s, "SET device = cpu")
			want := pricedAnswer(t, s, query)
			pricedAnswer(t, s, "SET device = cuda")
			pricedAnswer(t, s, "SET aggregate_strategy = block")
			pricedAnswer(t, s, "SET tuning = off")
			if got := pricedAnswer(t, s, query); got != want {
				t.Fatalf("the device answers\n%s\nwant\n%s", got, want)
			}
			usual := d.since()
			if len(usual) != 1 {
				t.Fatalf("without tuning there are %d launches", len(usual))
			}
			pricedAnswer(t, s, "SET tuning = on")
			last, runs := 0, 0
			for ; runs < 10 && last != 1; runs++ {
				if got := pricedAnswer(t, s, query); got != want {
					t.Fatalf("while it is tuned the device answers\n%s\nwant\n%s", got, want)
				}
				last = len(d.since())
			}
			pricedAnswer(t, s, query)
			found := d.since()
			if len(found) != 1 {
				t.Fatalf("after %d queries there are still %d launches", runs, len(found))
			}
			took := price(found[0])
			t.Logf("%d bytes of shared memory, as planned %d, after %d queries", found[0].Shared, usual[0].Shared, runs)
			if least == 0 {
				least = took
			}
			if float64(took) > 1.05*float64(least) || took > price(usual[0]) {
				t.Errorf("a launch takes %d, as planned %d; with the right file %d", took, price(usual[0]), least)
			}
			out := pricedAnswer(t, s, "EXPLAIN (ANALYZE, FUSION) "+query)
			if !strings.Contains(out, "launch parameters ") || !strings.Contains(out, " blocks, ") || strings.Contains(out, "sought further") {
				t.Errorf("EXPLAIN does not say what was found:\n%s", out)
			}
		})
	}
}

// TestLaunchParametersKeepAnswers forces parameters.
func TestLaunchParametersKeepAnswers(t *testing.T) {
	t.Parallel()
	s, _ := pricedDB(t, func(cuda.Launch) int64 { return 1 })
	for _, query := range []string{
		"SELECT g, count(*), sum(v), min(v), max(n) FROM r GROUP BY g ORDER BY g",
		"SELECT s, n, count(n), sum(v * 3) FROM r GROUP BY s, n ORDER BY s, n",
	} {
		pricedAnswer(t, s, "SET device = cpu")
		pricedAnswer(t, s, "RESET aggregate_strategy")
		want := pricedAnswer(t, s, query)
		pricedAnswer(t, s, "SET device = cuda")
		for _, forced := range []string{"auto", "blocks 1", "blocks 7 shared 512 replicas 3", "shared 1000000 replicas 32", "replicas 1", "ranges 5 shared 8192", "rows 5000", "rows 1 blocks 2 ranges 3"} {
			for _, strategy := range []string{"block", "ranges"} {
				pricedAnswer(t, s, "SET launch_parameters = '"+forced+"'")
				pricedAnswer(t, s, "SET aggregate_strategy = "+strategy)
				res, err := s.Query(context.Background(), query)
				if err != nil && strings.Contains(err.Error(), "aggregate_strategy") {
					continue // it does not apply
				}
				if err != nil {
					t.Fatalf("%s by %s: %v", forced, strategy, err)
				}
				res.Close()
				if got := pricedAnswer(t, s, query); got != want {
					t.Errorf("%s by %s: the answers to %s differ:\n%s\nwant\n%s", forced, strategy, query, got, want)
				}
			}
		}
	}
}

// TestVariantsKeepAnswers has queries try other strategies and sizes of blocks until none is left, each
// run with another constant. What a launch takes is made up, so that ways are given up and others
// taken.
func TestVariantsKeepAnswers(t *testing.T) {
	s, _ := pricedDB(t, func(l cuda.Launch) int64 { return 1000 + int64(l.Threads*7919+l.Shared*31)%5000 })
	for _, query := range []string{
		"SELECT g, count(*), sum(v), min(v), max(n) FROM r WHERE v <> %d GROUP BY g ORDER BY g",
		"SELECT s, count(n), sum(v * 3) FROM r WHERE v <> %d GROUP BY s ORDER BY s",
	} {
		const constants = 5
		var want [constants]string
		pricedAnswer(t, s, "SET device = cpu")
		for i := range want {
			want[i] = pricedAnswer(t, s, fmt.Sprintf(query, 13+i))
		}
		pricedAnswer(t, s, "SET device = cuda")
		pricedAnswer(t, s, "SET tuning = on")
		said, ended := "", false
		for runs := 0; runs < 600 && !ended; runs++ {
			text := fmt.Sprintf(query, 13+runs%constants)
			if got := pricedAnswer(t, s, text); got != want[runs%constants] {
				t.Fatalf("run %d of %s answers\n%s\nwant\n%s", runs, text, got, want[runs%constants])
			}
			time.Sleep(100 * time.Millisecond) // for what is compiled behind
			said = pricedAnswer(t, s, "EXPLAIN (ANALYZE) "+text)
			ended = strings.Contains(said, " runs, ") && !strings.Contains(said, "sought further")
		}
		if !ended || !strings.Contains(said, "strategy ") {
			t.Errorf("%s is still tuned:\n%s", query, said)
		}
	}
}

// TestTablesAreTunedWhateverTheirSize has queries over a small table always try something, until nothing is left, for
// which each run is a block. What is found is taken with SET tuning = on, too.
func TestTablesAreTunedWhateverTheirSize(t *testing.T) {
	s, d := pricedDB(t, func(l cuda.Launch) int64 { return 1000 + int64(l.Threads*7919+l.Shared*31)%5000 })
	d.fast = true
	for _, query := range device.Some(t.Name(), []string{
		"SELECT g, count(*), sum(v), min(v), max(n) FROM r GROUP BY g ORDER BY g",
		"SELECT s, count(n), sum(v * 3) FROM r GROUP BY s ORDER BY s",
	}, 2) {
		pricedAnswer(t, s, "SET device = cpu")
		want := pricedAnswer(t, s, query)
		pricedAnswer(t, s, "SET device = cuda")
		pricedAnswer(t, s, "SET tuning = on")
		if said := pricedAnswer(t, s, "EXPLAIN (ANALYZE) "+query); strings.Contains(said, "tuned") || strings.Contains(said, "sought") {
			t.Fatalf("the table is not small:\n%s", said)
		}
		pricedAnswer(t, s, "SET tuning = always")
		said := ""
		for runs, ended := 0, 0; ended < 2 && runs < 400; runs++ { // one search begins after the other
			if got := pricedAnswer(t, s, query); got != want {
				t.Fatalf("run %d of %s answers\n%s\nwant\n%s", runs, query, got, want)
			}
			said = pricedAnswer(t, s, "EXPLAIN (ANALYZE) "+query)
			said = strings.Join(strings.Fields(strings.ReplaceAll(said, "│", " ")), " ")
			if ended++; strings.Contains(said, "sought further") {
				ended = 0
				time.Sleep(10 * time.Millisecond) // for what is compiled behind
			}
		}
		pricedAnswer(t, s, "SET tuning = on")
		if got := pricedAnswer(t, s, query); got != want {
			t.Errorf("tuned, %s answers\n%s\nwant\n%s", query, got, want)
		}
		if !strings.Contains(said, "strategy ") || !strings.Contains(said, "launch parameters ") {
			t.Errorf("%s: after the searches it says\n%s", query, said)
		}
	}
}

// TestSeveralClientsTune has clients run a query side by side, each with another constant, while its
// kernels are tuned: nothing is tried while others use the device, and all answers are right.
func TestSeveralClientsTune(t *testing.T) {
	s, d := pricedDB(t, func(l cuda.Launch) int64 { return 1000 + int64(l.Threads*7919+l.Shared*31)%5000 })
	const query = "SELECT g, count(*), sum(v), max(n) FROM r WHERE v <> %d GROUP BY g ORDER BY g"
	var clients sync.WaitGroup
	for i := range 4 {
		text := fmt.Sprintf(query, 20+i)
		pricedAnswer(t, s, "SET device = cpu")
		want := pricedAnswer(t, s, text)
		client := d.db.Session()
		for _, set := range []string{"SET device = cuda", "SET tuning = on"} {
			pricedAnswer(t, client, set)
		}
		clients.Go(func() {
			for run := range 12 {
				res, err := client.Query(context.Background(), text)
				if err != nil {
					t.Errorf("client %d, run %d: %v", i, run, err)
					return
				}
				if got := rowsText(res); got != want {
					t.Errorf("client %d, run %d answers\n%s\nwant\n%s", i, run, got, want)
				}
				res.Close()
			}
		})
	}
	clients.Wait()
}
