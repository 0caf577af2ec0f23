//go:build device

package tests

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// clientQueries are queries with sinks of each kind, whose rows come in any order.
var clientQueries = []string{
	"SELECT count(*), sum(long), min(f), count(b), max(note) FROM facts WHERE t <> 'text 3'",
	"SELECT g, count(*), sum(long), avg(n) FROM facts GROUP BY g",
	"SELECT t, upper(t), count(*), min(note) FROM facts WHERE i % 50 = 7 GROUP BY 1, 2",
	"SELECT word, count(*), sum(f.long) FROM facts f JOIN wide w ON w.id = f.h GROUP BY word",
	"SELECT name, count(*) FROM facts f LEFT JOIN names n ON n.g = f.g WHERE f.i < 500 GROUP BY name",
	"SELECT i, long, f, t, b, note FROM facts WHERE i % 100 = 7 ORDER BY f DESC LIMIT 10",
	"SELECT i, note FROM facts WHERE i % 1000 = 7 OR i = 1",
	"SELECT g, h % 5, count(*), sum(i) FROM facts GROUP BY CUBE (g, h % 5)",
	"SELECT i, row_number() OVER (PARTITION BY g ORDER BY f), sum(i) OVER (PARTITION BY g ORDER BY f) FROM facts WHERE i < 300",
	"SELECT note FROM facts WHERE note LIKE '%99' UNION ALL SELECT word FROM wide WHERE id < 20",
	"SELECT s, count(*) FROM (SELECT h, sum(long) AS s FROM facts GROUP BY h HAVING count(b) > 1) x GROUP BY s",
}

// clientTables opens a database on devices with sharedTables, and returns the CPU's answers to
// clientQueries.
func clientTables(t *testing.T, open func(ordinal int) (cuda.Device, error)) (db *cubeloom.DB, want []string) {
	t.Helper()
	db = openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: open})
	s := db.Session()
	if err := s.Run(t.Context(), "SET device = cpu; "+sharedTables, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for _, text := range clientQueries {
		_, rows := query(t, s, text)
		want = append(want, sorted(rows))
	}
	return db, want
}

// clientAnswer runs a query and returns its rows in order, as lines.
func clientAnswer(ctx context.Context, s *cubeloom.Session, text string) (*cubeloom.Result, string, error) {
	res, err := s.Query(ctx, text)
	if err != nil {
		return nil, "", err
	}
	defer res.Close()
	var lines []string
	cursor := res.Cursor()
	for cursor.Next() {
		var cells []string
		for i := range res.Columns {
			cells = append(cells, cursor.Text(i))
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return res, sorted(strings.Join(lines, "\n")), cursor.Err()
}

// pooled is a device that does not check accesses, so that memory is used again when it is free.
type pooled struct{ cuda.Device }

// Info implements cuda.Device.
func (p pooled) Info() cuda.Info {
	info := p.Device.Info()
	info.Checked = false
	return info
}

// Clients who ask at the same time each get the CPU's answers. The emulated device puts off what
// is started on a stream, so that a query that uses what another one still works on is found.
func TestClientsShareADevice(t *testing.T) {
	t.Run("checked", func(t *testing.T) { shareDevice(t, device.Opener(t)) })
	t.Run("pooled", func(t *testing.T) {
		open := device.Opener(t)
		shareDevice(t, func(ordinal int) (cuda.Device, error) {
			d, err := open(ordinal)
			return pooled{d}, err
		})
	})
}

// shareDevice has clients ask for some time.
func shareDevice(t *testing.T, open func(ordinal int) (cuda.Device, error)) {
	db, want := clientTables(t, open)
	var clients sync.WaitGroup
	for c := range 4 {
		clients.Go(func() {
			s, random := db.Session(), rand.New(rand.NewPCG(uint64(c), 3))
			for range 12 {
				at := random.IntN(len(clientQueries))
				res, got, err := clientAnswer(t.Context(), s, clientQueries[at])
				if err != nil || got != want[at] {
					t.Errorf("%s\ngives\n%s\ninstead of\n%s\n%v", clientQueries[at], got, want[at], err)
				} else if !strings.Contains(ranOn(res), "cuda") {
					t.Errorf("%s ran on %s, %v", clientQueries[at], ranOn(res), res.Notices)
				}
			}
		})
	}
	clients.Wait()
}

// A query whose tables are not waited for ends with the error of a row of one of them, whichever run
// meets it, and leaves nothing behind: more of them than there are streams, and then one without errors.
func TestErrorsOfTables(t *testing.T) {
	const joined = `SELECT count(*), sum(w.part), max(n.name) FROM facts f
		JOIN (SELECT id, 100 / (id - %d) AS part FROM wide) w ON w.id = f.h JOIN names n ON n.g = f.g`
	db, _ := clientTables(t, device.Opener(t))
	s := db.Session()
	for range cuda.DefaultStreams + 2 {
		_, _, err := clientAnswer(t.Context(), s, fmt.Sprintf(joined, 3))
		var failure *cubeloom.Error
		if !errors.As(err, &failure) || failure.Code != "22012" {
			t.Fatalf("a division by zero gives %v", err)
		}
	}
	text := fmt.Sprintf(joined, -1)
	res, got, err := clientAnswer(t.Context(), s, text)
	if err != nil || strings.Contains(ranOn(res), "cpu") {
		t.Fatalf("ran on %s, %v", ranOn(res), err)
	}
	query(t, s, "SET device = cpu")
	if _, want := query(t, s, text); got != sorted(want) {
		t.Errorf("got %s instead of %s", got, want)
	}
}

// countedStream counts how often the host waits for what was started on a stream.
type countedStream struct {
	cuda.Stream
	waits *atomic.Int64
}

func (s countedStream) Download(ctx context.Context, copies ...cuda.Copy) error {
	s.waits.Add(1)
	return s.Stream.Download(ctx, copies...)
}

func (s countedStream) Sync() error {
	s.waits.Add(1)
	return s.Stream.Sync()
}

// The host waits once for few groups, which come with their number, and for the row of an aggregation without
// keys. Rows that a sort leaves are waited for once, when they are copied to the host: before that the groups, and
// how many rows are sorted.
func TestRowsAreAwaitedOnce(t *testing.T) {
	var waits atomic.Int64
	open := device.Opener(t)
	db, _ := clientTables(t, func(ordinal int) (cuda.Device, error) {
		d, err := open(ordinal)
		return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return countedStream{s, &waits} }}, err
	})
	s := db.Session()
	for _, c := range []struct {
		text, row string
		waits     int64
	}{
		{"SELECT g, count(*) FROM facts GROUP BY g", "0 428", 1},
		{"SELECT g * 1000000007, count(*) FROM facts GROUP BY g * 1000000007", "0 428", 1},
		{"SELECT count(g) FROM facts", "", 1},
		{"SELECT g, count(*) FROM facts GROUP BY g ORDER BY g", "0 428", 3},
	} {
		for _, want := range []int64{0, c.waits} { // the first one copies columns
			waits.Store(0)
			_, rows := query(t, s, c.text)
			if got := waits.Load(); want > 0 && got != want || !strings.Contains(rows, c.row) {
				t.Errorf("%s: %d waits for\n%s", c.text, got, rows)
			}
		}
	}
}

// gate is where the downloads of streams wait for a test.
type gate struct {
	mu   sync.Mutex
	shut chan struct{} // nil: the gate is open
	came chan struct{}
}

// gatedStream is a stream whose downloads wait at a gate.
type gatedStream struct {
	cuda.Stream
	*gate
}

func (s gatedStream) Download(ctx context.Context, copies ...cuda.Copy) error {
	s.mu.Lock()
	shut := s.shut
	s.shut = nil // for one
	s.mu.Unlock()
	if shut != nil {
		close(s.came)
		<-shut
	}
	return s.Stream.Download(ctx, copies...)
}

// openGated opens the device, with a gate.
func openGated(t *testing.T, limits device.Limits) (*gate, func(ordinal int) (cuda.Device, error)) {
	g := &gate{}
	return g, func(ordinal int) (cuda.Device, error) {
		d, err := device.OpenerOf(t, limits)(ordinal)
		return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return gatedStream{s, g} }}, err
	}
}

// held has a session ask a query that waits for the device until the function is called which
// is returned, and which returns the answer.
func (g *gate) held(t *testing.T, s *cubeloom.Session, text string) (goOn func() string) {
	shut, came, answers := make(chan struct{}), make(chan struct{}), make(chan string, 1)
	g.mu.Lock()
	g.shut, g.came = shut, came
	g.mu.Unlock()
	go func() {
		_, got, err := clientAnswer(t.Context(), s, text)
		if err != nil {
			got = err.Error()
		}
		answers <- got
	}()
	<-came
	return func() string {
		close(shut)
		return <-answers
	}
}

// A query has its answer while another one waits for the device.
func TestShortQueriesDoNotWaitForLongOnes(t *testing.T) {
	g, open := openGated(t, device.Limits{})
	db, want := clientTables(t, open)
	goOn := g.held(t, db.Session(), clientQueries[3])
	for i, text := range clientQueries {
		res, got, err := clientAnswer(t.Context(), db.Session(), text)
		if err != nil || got != want[i] || !strings.Contains(ranOn(res), "cuda") {
			t.Errorf("%s gives %s, %v", text, got, err)
		}
	}
	if got := goOn(); got != want[3] {
		t.Errorf("the query that waited gives %s", got)
	}
}

// A query that the device has no room for, because of another one, waits for it and then runs
// there; or it runs on the CPU when it has waited for long, and says so; or it ends when it is
// cancelled.
func TestQueriesWaitForRoom(t *testing.T) {
	const groups = "SELECT i % 20000, sum(i), count(*), min(i), max(i) FROM t GROUP BY 1"
	g, open := openGated(t, device.Limits{Memory: 3 << 19})
	db, _ := clientTables(t, open)
	s := db.Session()
	query(t, s, "CREATE TABLE t AS SELECT i::integer AS i FROM generate_series(1, 40000) AS s(i)")
	query(t, s, "SET device = cpu")
	_, want := query(t, s, groups)
	want = sorted(want)
	query(t, s, "SET device = cuda")
	query(t, s, "SET aggregate_strategy = shared")
	goOn := g.held(t, s, groups)
	other := db.Session()
	query(t, other, "SET aggregate_strategy = shared")
	res, got, err := clientAnswer(t.Context(), other, groups)
	if err != nil || got != want || ranOn(res) != "cpu" || len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "of waiting for what other queries have there") {
		t.Fatalf("%v, ran on %s, %v", err, ranOn(res), res.Notices)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, _, err := clientAnswer(ctx, other, groups); err == nil || ctx.Err() == nil {
		t.Errorf("a query that waits is not cancelled: %v", err)
	}
	for tries := 10; ; tries-- {
		answers := make(chan string)
		time.AfterFunc(100*time.Millisecond, func() { answers <- goOn() })
		_, plan := query(t, other, "EXPLAIN ANALYZE "+groups)
		if got := <-answers; got != want {
			t.Errorf("the query that others waited for gives %s", got)
		}
		if strings.Contains(plan, "for the device's memory that other queries held") {
			return
		}
		// On a machine that is busy the other one may take longer than somebody waits for it.
		if tries == 0 || !strings.Contains(plan, "of waiting for what other queries have there") {
			t.Fatalf("EXPLAIN ANALYZE does not say that it waited:\n%s", plan)
		}
		goOn = g.held(t, s, groups)
	}
}

// uploadingStream is a stream that counts what columns of many rows are copied from.
type uploadingStream struct {
	cuda.Stream
	uploads *atomic.Int64
}

func (s uploadingStream) Upload(dst cuda.Ptr, src []byte) error {
	if len(src) >= evictedRows {
		s.uploads.Add(1)
	}
	return s.Stream.Upload(dst, src)
}

// evictedRows is how many rows tables have of which not all fit the device.
const evictedRows = 20000

// Clients who read tables that do not fit the device together each get the right answer, while columns of some are
// evicted for those of others.
func TestClientsEvictColumns(t *testing.T) {
	const tables = 6
	open := device.OpenerOf(t, device.Limits{Memory: 1 << 18})
	for _, checked := range []bool{true, false} {
		t.Run(fmt.Sprintf("checked %v", checked), func(t *testing.T) {
			var uploads atomic.Int64
			db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: func(ordinal int) (cuda.Device, error) {
				d, err := open(ordinal)
				if err == nil && !checked {
					d = pooled{d}
				}
				return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return uploadingStream{s, &uploads} }}, err
			}})
			s := db.Session()
			query(t, s, "SET device = cpu")
			texts, want := make([]string, tables), make([]string, tables)
			for i := range tables {
				query(t, s, fmt.Sprintf("CREATE TABLE t%d AS SELECT i * %d %% 65521 AS a, i %% 7 AS k FROM generate_series(1, %d) AS s(i)", i, 2*i+3, evictedRows))
				texts[i] = fmt.Sprintf("SELECT k, sum(a), min(a), max(a) FROM t%d WHERE a %% 3 > 0 GROUP BY k", i)
				_, answer := query(t, s, texts[i])
				want[i] = sorted(answer)
			}
			var clients sync.WaitGroup
			var there atomic.Int64
			for c := range 4 {
				clients.Go(func() {
					s, random := db.Session(), rand.New(rand.NewPCG(uint64(c), 5))
					for range 24 {
						at := random.IntN(tables)
						res, got, err := clientAnswer(t.Context(), s, texts[at])
						if err != nil || got != want[at] {
							t.Errorf("%s\ngives\n%s\ninstead of\n%s\n%v", texts[at], got, want[at], err)
						} else if ranOn(res) == "cuda" {
							there.Add(1)
						}
					}
				})
			}
			clients.Wait()
			if there.Load() < 24 || uploads.Load() <= 2*tables {
				t.Errorf("%d queries ran on the device, %d columns were copied there", there.Load(), uploads.Load())
			}
		})
	}
}

// Whatever calls of the devices fail, clients get the right answer or 53200, and all of them the
// right answer when no call fails any more.
func TestFailingDevices(t *testing.T) {
	for seed := range uint64(6) {
		devices, lost := 1+int(seed%2), 0.1*float64(seed%3)
		t.Run(fmt.Sprintf("seed %d, %d devices", seed, devices), func(t *testing.T) {
			var failing []*device.Failing
			open := device.OpenerOf(t, device.Limits{Devices: devices})
			db, want := clientTables(t, func(ordinal int) (cuda.Device, error) {
				d, err := open(ordinal)
				if err != nil {
					return nil, err
				}
				failing = append(failing, device.NewFailing(d, 0.02, lost, seed+100*uint64(ordinal)))
				return failing[ordinal], nil
			})
			var clients sync.WaitGroup
			for range 2 {
				s := db.Session()
				query(t, s, fmt.Sprintf("SET devices = %d", devices))
				query(t, s, "SET exchange_strategy = "+[]string{"copy", "hash"}[seed/2%2])
				clients.Go(func() {
					for i, text := range clientQueries {
						askFailing(t, s, text, want[i])
					}
				})
			}
			clients.Wait()
			failed := 0
			for _, f := range failing {
				failed += f.Failed()
				f.Pause(true)
			}
			if failed == 0 {
				t.Error("no call has failed")
			}
			for i, text := range clientQueries {
				if _, got, err := clientAnswer(t.Context(), db.Session(), text); err != nil || got != want[i] {
					t.Errorf("afterwards %s\ngives\n%s\ninstead of\n%s\n%v", text, got, want[i], err)
				}
			}
		})
	}
}

// askFailing asks a query of devices whose calls fail.
func askFailing(t *testing.T, s *cubeloom.Session, text, want string) {
	_, got, err := clientAnswer(t.Context(), s, text)
	var failure *cubeloom.Error
	switch {
	case errors.As(err, &failure) && failure.Code == "53200":
	case err != nil:
		t.Errorf("%s: %v", text, err)
	case got != want:
		t.Errorf("%s\ngives\n%s\ninstead of\n%s", text, got, want)
	}
}
