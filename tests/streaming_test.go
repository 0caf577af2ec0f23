//go:build device

package tests

import (
	"context"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/tests/device"
)

// streamedRows is a table of about 20 bytes a row, NULLs and all encodings.
const streamedRows = `CREATE TABLE streamed AS
SELECT i, i % 7 AS g, i * 1000003 AS long, i / 8.0::float8 AS f, CASE WHEN i % 5 > 0 THEN 'text ' || i % 9 END AS t,
	CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS b
FROM generate_series(1::bigint, 12000) AS s(i);
CREATE TABLE names (g int, name text);
INSERT INTO names VALUES (0, 'zero'), (3, 'three'), (5, 'five');`

// openSmall opens a database on a device with so much memory and makes
// the tables.
func openSmall(t *testing.T, memory int64) *cubeloom.Session {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{Device: "cuda", OpenDevice: device.OpenerOf(t, memory)})
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

// A table that does not fit the device's memory is streamed through it, with the
// CPU's answers, and whoever asked for the device is told.
func TestStreaming(t *testing.T) {
	s := openSmall(t, 96<<10)
	for _, text := range []string{
		"SELECT count(*), sum(long), min(f), max(i), count(b), bool_or(b) FROM streamed WHERE t <> 'text 3'",
		"SELECT g, t, count(*), sum(long) FROM streamed WHERE b GROUP BY g, t ORDER BY g, t",
		"SELECT long / 150000000, count(*), sum(f) FROM streamed GROUP BY 1 ORDER BY 1 LIMIT 20 OFFSET 5",
		"SELECT name, count(*), sum(long) FROM streamed JOIN names USING (g) GROUP BY name ORDER BY name",
		"SELECT i, long, f, t, b FROM streamed WHERE i % 100 = 7 ORDER BY f DESC LIMIT 30",
		"SELECT count(*), sum(a.long) FROM streamed a JOIN streamed b ON a.i = b.i * 3 WHERE b.f > 1450 OR b.f < 20",
	} {
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
	_, plan := query(t, s, "EXPLAIN SELECT sum(long) FROM streamed")
	if !strings.Contains(plan, "on cuda: device is set to cuda; streams 0.1 MB that do not fit") {
		t.Errorf("EXPLAIN does not tell that the table is streamed:\n%s", plan)
	}
	_, plan = query(t, s, "EXPLAIN ANALYZE SELECT sum(long) FROM streamed")
	if !strings.Contains(plan, "streamed 9") || !strings.Contains(plan, " pieces and 1 passes") {
		t.Errorf("EXPLAIN ANALYZE does not tell of the pieces:\n%s", plan)
	}
}
