//go:build device

package tests

import (
	"context"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/emulator"
)

// streamedRows is a table of about 20 bytes a row, NULLs and all encodings.
const streamedRows = `CREATE TABLE streamed AS
SELECT i, i % 7 AS g, i * 1000003 AS long, i / 8.0::float8 AS f, CASE WHEN i % 5 > 0 THEN 'text ' || i % 9 END AS t,
	CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS b
FROM generate_series(1::bigint, 12000) AS s(i);
CREATE TABLE names (g int, name text);
INSERT INTO names VALUES (0, 'zero'), (3, 'three'), (5, 'five');`

// openSmall opens a database with a device and makes the tables.
func openSmall(t *testing.T, opts cubeloom.Options) *cubeloom.Session {
	t.Helper()
	opts.Device = "cuda"
	db, err := cubeloom.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	s := db.Session()
	query(t, s, "SET device = cpu")
	if err := s.Run(context.Background(), streamedRows, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

// streamedQueries are queries of them with each kind of sink.
var streamedQueries = []string{
	"SELECT count(*), sum(long), min(f), max(i), count(b), bool_or(b) FROM streamed WHERE t <> 'text 3'",
	"SELECT g, t, count(*), sum(long) FROM streamed WHERE b GROUP BY g, t ORDER BY g, t",
	"SELECT long / 150000000, count(*), sum(f) FROM streamed GROUP BY 1 ORDER BY 1 LIMIT 20 OFFSET 5",
	"SELECT name, count(*), sum(long) FROM streamed JOIN names USING (g) GROUP BY name ORDER BY name",
	"SELECT i, long, f, t, b FROM streamed WHERE i % 100 = 7 ORDER BY f DESC LIMIT 30",
	"SELECT i, long, f, t, b FROM streamed WHERE i % 7 = 3 ORDER BY i LIMIT 300 OFFSET 900",
	"SELECT i, long, f, t, b FROM streamed WHERE i % 11 = 1 ORDER BY i",
	"SELECT i, sum(i) OVER (PARTITION BY g ORDER BY f DESC) FROM streamed WHERE i % 40 = 7 ORDER BY i",
	"SELECT g, median(f), count(b) FROM streamed WHERE i % 40 = 7 GROUP BY g ORDER BY g",
	"SELECT count(*), sum(a.long) FROM streamed a JOIN streamed b ON a.i = b.i * 3 WHERE b.f > 1450 OR b.f < 20",
}

// A table that does not fit the device's memory is streamed through it, with the
// CPU's answers, and a session that asked for the device is told.
func TestStreaming(t *testing.T) {
	t.Parallel()
	s := openSmall(t, cubeloom.Options{OpenDevice: device.OpenerOf(t, device.Limits{Memory: smallMemory}), PageLockedLimit: -1})
	for _, text := range streamedQueries {
		compareStreamed(t, s, text)
	}
	_, plan := query(t, s, "EXPLAIN SELECT sum(long) FROM streamed")
	if !strings.Contains(plan, "on cuda: device is set to cuda; streams 0.1 MB that do not fit") {
		t.Errorf("EXPLAIN does not tell that the table is streamed:\n%s", plan)
	}
	_, plan = query(t, s, "EXPLAIN ANALYZE SELECT sum(long) FROM streamed")
	if !strings.Contains(plan, "streamed 9") || !strings.Contains(plan, " chunks and 1 passes") || strings.Contains(plan, "page-locked") {
		t.Errorf("EXPLAIN ANALYZE does not tell of the chunks:\n%s", plan)
	}
}

// Texts that are no dictionary, since nearly all differ, are streamed beside columns in page-locked memory.
func TestStreamingTexts(t *testing.T) {
	s := openSmall(t, cubeloom.Options{OpenDevice: device.OpenerOf(t, device.Limits{Memory: 2 * smallMemory})})
	query(t, s, "SET device = cpu")
	query(t, s, `CREATE TABLE notes AS SELECT i, CASE WHEN i % 101 > 0 THEN repeat('é', (i % 4)::int) || i * i END AS note
		FROM generate_series(1::bigint, 20000) AS s(i)`)
	for range 2 {
		compareStreamed(t, s, "SELECT count(*), sum(length(note)), sum(i) FROM notes WHERE note LIKE '%é1%4' OR note < '2'")
	}
}

// smallMemory is what a device has that has no room for the columns.
const smallMemory = 96 << 10

// compareStreamed runs a query on the CPU and on the device.
func compareStreamed(t *testing.T, s *cubeloom.Session, text string) {
	t.Helper()
	query(t, s, "SET device = cpu")
	_, want := query(t, s, text)
	query(t, s, "SET device = cuda")
	res, got := query(t, s, text)
	if got != want {
		t.Errorf("%s\ngives\n%s\ninstead of\n%s", text, got, want)
	}
	if len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "were streamed") || strings.Contains(ranOn(res), "cpu") {
		t.Errorf("%s: ran on %s, notices %v", text, ranOn(res), res.Notices)
	}
}

// Columns that are streamed stay in page-locked memory for the next query, as far as
// there is any, until their table is changed or gone.
func TestStreamingFromPageLockedMemory(t *testing.T) {
	for _, c := range []struct {
		name          string
		limit, locked int64 // of the database, and what the machine has
		keeps         string
	}{
		{"all", 0, 0, "93.8 KiB of it"},
		{"within a limit", 200 << 10, 0, "93.8 KiB of it"},
		{"little of the machine", 0, 30 << 10, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := cubeloom.Options{Devices: 1, PageLockedLimit: c.limit}
			var emulated *emulator.Device
			opts.OpenDevice = device.OpenerOf(t, device.Limits{Memory: smallMemory})
			if !device.Real(t) {
				opts.OpenDevice = func(int) (cuda.Device, error) {
					var err error
					emulated, err = emulator.Open(emulator.Options{Memory: smallMemory, PageLocked: c.locked})
					return emulated, err
				}
			} else if c.locked > 0 {
				c.keeps = "93.8 KiB of it"
			}
			s := openSmall(t, opts)
			for range 2 {
				for _, text := range streamedQueries {
					compareStreamed(t, s, text)
					if n := locked(emulated); c.limit > 0 && n > c.limit || c.locked > 0 && n > c.locked {
						t.Errorf("%d bytes are page-locked", n)
					}
				}
			}
			sum := "SELECT sum(long), count(b) FROM streamed"
			compareStreamed(t, s, sum)
			_, plan := query(t, s, "EXPLAIN ANALYZE SELECT sum(long) FROM streamed")
			if !strings.Contains(plan, c.keeps) || c.keeps == "" && strings.Contains(plan, "page-locked") {
				t.Errorf("EXPLAIN ANALYZE does not tell that %s:\n%s", c.keeps, plan)
			}
			query(t, s, "INSERT INTO streamed (i, long, b) VALUES (0, 5, true), (1, 7, NULL)")
			compareStreamed(t, s, sum)
			query(t, s, "UPDATE streamed SET long = 3, b = NOT b WHERE i % 1000 = 1")
			compareStreamed(t, s, sum)
			query(t, s, "DROP TABLE streamed")
			for range 1000 {
				if goruntime.GC(); locked(emulated) == 0 {
					return
				}
				time.Sleep(time.Millisecond)
			}
			t.Errorf("%d bytes are page-locked when the table is gone", locked(emulated))
		})
	}
}

// locked is how much page-locked memory an emulated device has given out.
func locked(d *emulator.Device) int64 {
	if d == nil {
		return 0
	}
	return d.PageLocked()
}
