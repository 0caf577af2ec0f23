//go:build device

package tests

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/tests/device"
)

// sharedTables are tables whose rows several devices share, with NULLs, texts that are codes and
// texts that are not, and a table in the order of a key.
const sharedTables = `CREATE TABLE facts AS
SELECT i, i % 7 AS g, (i * 7919) % 1000 AS h, i * 1000003 AS long, i / 8.0::float8 AS f,
	CASE WHEN i % 5 > 0 THEN 'text ' || i % 9 END AS t, CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS b,
	(i % 89)::numeric(12,2) AS n, 'note ' || i AS note
FROM generate_series(1::bigint, 3000) AS s(i);
CREATE TABLE names (g int, name text);
INSERT INTO names VALUES (0, 'zero'), (3, 'three'), (5, 'five'), (11, 'eleven');
CREATE TABLE wide AS SELECT i AS id, i % 13 AS c, 'w' || i % 100 AS word FROM generate_series(1::bigint, 1500) AS s(i);`

// openSeveral opens a database on devices, with the tables, and has kernels shared.
func openSeveral(t *testing.T, l device.Limits) *cubeloom.Session {
	t.Helper()
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: device.OpenerOf(t, l)})
	s := db.Session()
	script := fmt.Sprintf("SET device = cpu; %s; SET device = cuda; SET devices = %d", sharedTables, l.Devices)
	if err := s.Run(context.Background(), script, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

// sharedQueries are queries with each kind of sink, and what EXPLAIN ANALYZE says of how they
// were shared, by auto too or where exchange_strategy is copy. What is shared how is tested beside
// (TestSharedKernels of the root package).
var sharedQueries = []struct{ text, auto, copied string }{
	{"SELECT count(*), sum(long), min(f), count(b), max(note) FROM facts WHERE t <> 'text 3'", codegen.ExchangeHost, codegen.ExchangeGroups},
	{"SELECT g, count(*), sum(long), avg(n) FROM facts GROUP BY g ORDER BY g", codegen.ExchangeHost, codegen.ExchangeGroups},
	{"SELECT note, upper(t), count(*) FROM facts WHERE i % 50 = 7 GROUP BY 1, 2 ORDER BY note", codegen.ExchangeHost, codegen.ExchangeGroups},
	{"SELECT w.word, sum(x.s), count(w.id) FROM (SELECT g, sum(long) AS s FROM facts GROUP BY g) x JOIN wide w ON w.c = x.g GROUP BY 1 ORDER BY 1", codegen.ExchangeHost, codegen.ExchangeGroups},
	{"SELECT word, count(*), sum(f.long) FROM facts f JOIN wide w ON w.id = f.h GROUP BY word ORDER BY word", "its source has few rows", codegen.ExchangeBuild},
	{"SELECT w.c, count(*), sum(x.s) FROM wide w JOIN (SELECT h, sum(long) AS s FROM facts GROUP BY h) x ON x.h = w.id GROUP BY w.c ORDER BY w.c", codegen.ExchangeHost, codegen.ExchangeBuild},
	{"SELECT i, long, f, t, b, note FROM facts WHERE i % 100 = 7 ORDER BY f DESC LIMIT 10 OFFSET 2", codegen.ExchangeHost, codegen.ExchangeTop},
	{"SELECT i, note FROM facts WHERE i % 1000 = 7 OR i = 1", "stay where they are", "stay where they are"},
}

// Kernels that several devices share have the CPU's answers, and EXPLAIN ANALYZE says what each
// device did and what came together how.
func TestSeveralDevices(t *testing.T) {
	s := openSeveral(t, device.Limits{Devices: 2})
	for _, q := range device.Some(t.Name(), sharedQueries, queriesEvery) {
		for exchange, says := range map[string]string{"auto": q.auto, "copy": q.copied} {
			query(t, s, "SET exchange_strategy = "+exchange)
			compareSeveral(t, s, q.text)
			for _, explain := range []string{"EXPLAIN ", "EXPLAIN ANALYZE "} {
				_, plan := query(t, s, explain+q.text)
				if flat := flatPlan(plan); !strings.Contains(flat, says) || !strings.Contains(flat, "device 1: ") {
					t.Errorf("%s of %s (%s) does not say %q of two devices:\n%s", explain, q.text, exchange, says, plan)
				}
			}
		}
	}
}

// Whether devices share a kernel of few bytes shows when it has run: where it took longer on one than sharing costs,
// they do, as long as that is quicker.
func TestTimesDecideSharing(t *testing.T) {
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: device.OpenerOf(t, device.Limits{Devices: 2})})
	s := db.Session()
	for _, text := range []string{
		"SET device = cpu", "CREATE TABLE many AS SELECT i * 7919 % 10000 AS h, i * 1000003 AS long FROM generate_series(1::bigint, 60000) AS s(i)", "SET device = cuda",
	} {
		query(t, s, text)
	}
	const text = "SELECT h % 100 AS k, sum(long), count(*) FROM many GROUP BY k ORDER BY k"
	for _, shared := range []bool{false, false, !device.Real(t)} { // a GPU is too quick for that with so few rows
		_, plan := query(t, s, "EXPLAIN "+text)
		if strings.Contains(flatPlan(plan), "device 1: ") != shared {
			t.Errorf("%s is to be shared: %t\n%s", text, shared, plan)
		}
		compareSeveral(t, s, text)
	}
}

// Joins for which devices exchange rows have the CPU's answers, and EXPLAIN ANALYZE says so, with the bytes.
func TestDevicesExchange(t *testing.T) {
	t.Parallel() // most of the time goes into compiling
	for devices := 2; devices <= 3; devices++ {
		s := openSeveral(t, device.Limits{Devices: devices})
		query(t, s, "SET exchange_strategy = hash")
		for _, text := range device.Some(fmt.Sprint(t.Name(), devices), []string{
			"SELECT word, count(*), sum(f.long) FROM facts f JOIN wide w ON w.id = f.h GROUP BY word ORDER BY word",
			"SELECT c, count(*), count(f.b), max(f.t) FROM wide w LEFT JOIN facts f ON w.id = f.h AND f.g < 5 GROUP BY c ORDER BY c",
			"SELECT f.i, note, word FROM wide w LEFT JOIN facts f ON w.id = f.h AND f.i < 900 ORDER BY f.i LIMIT 30",
			"SELECT count(*), sum(i) FROM facts f WHERE NOT EXISTS (SELECT 1 FROM wide w WHERE w.id = f.h AND w.c < f.g)",
			"SELECT w.c, v.c, count(*) FROM facts f JOIN wide w ON w.id = f.h JOIN wide v ON v.id = f.i GROUP BY 1, 2 ORDER BY 1, 2",
		}, queriesEvery) {
			compareSeveral(t, s, text)
			_, plan := query(t, s, "EXPLAIN ANALYZE "+text)
			if flat := flatPlan(plan); !strings.Contains(flat, codegen.ExchangeHash) || strings.Contains(flat, "on cpu") {
				t.Errorf("%d devices, EXPLAIN ANALYZE of %s:\n%s", devices, text, plan)
			}
			_, plan = query(t, s, "EXPLAIN "+text)
			for _, says := range []string{codegen.ExchangeHash, "device 1: ", "copied or exchanged", " to be copied between devices"} {
				if !strings.Contains(flatPlan(plan), says) {
					t.Errorf("%d devices, EXPLAIN of %s does not say %q:\n%s", devices, text, says, plan)
				}
			}
		}
	}
}

// Cubes by refinement whose sets devices deal out have the CPU's answers, and EXPLAIN says so before and after they run.
func TestDevicesDealOutSets(t *testing.T) {
	t.Parallel() // most of the time goes into compiling
	for devices := 2; devices <= 3; devices++ {
		s := openSeveral(t, device.Limits{Devices: devices})
		query(t, s, "SET cube_strategy = refine")
		for _, text := range device.Some(fmt.Sprint(t.Name(), devices), []string{
			"SELECT g, b, t, count(*), sum(long), min(f) FROM facts GROUP BY CUBE (g, b, t) HAVING count(*) >= 40 ORDER BY g, b, t, count(*)",
			"SELECT g, h, t, count(*), sum(n) FROM facts GROUP BY CUBE (g, h, t) ORDER BY g, h, t, count(*)",
			"SELECT w.c, f.g, word, count(*) FROM facts f JOIN wide w ON w.id = f.h GROUP BY GROUPING SETS ((w.c, f.g, word), (f.g, word), (w.c), ()) ORDER BY 1, 2, 3",
		}, queriesEvery) {
			compareSeveral(t, s, text)
			for _, explain := range []string{"EXPLAIN ", "EXPLAIN ANALYZE "} {
				if _, plan := query(t, s, explain+text); !strings.Contains(flatPlan(plan), codegen.ExchangeSets) {
					t.Errorf("%d devices, %s of %s:\n%s", devices, explain, text, plan)
				}
			}
		}
	}
}

// flatPlan is what EXPLAIN says without its boxes.
func flatPlan(plan string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(plan, "│", " ")), " ")
}

// compareSeveral runs a query on the CPU and on the devices.
func compareSeveral(t *testing.T, s *cubeloom.Session, text string) {
	t.Helper()
	query(t, s, "SET device = cpu")
	_, want := query(t, s, text)
	query(t, s, "SET device = cuda")
	res, got := query(t, s, text)
	if got, want = inOrder(text, got), inOrder(text, want); got != want {
		t.Errorf("%s\ngives\n%s\ninstead of\n%s\non %s", text, got, want, ranOn(res))
	}
}

// inOrder puts the lines of an answer in order where the query names none.
func inOrder(query, answer string) string {
	if strings.Contains(query, "ORDER BY") {
		return answer
	}
	return sorted(answer)
}

// sorted are lines in order.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// A query that several devices share ends when it is cancelled at any of its launches, and with
// 53200 where the statement may not have the memory; the next one has its answer.
func TestSharedQueriesEnd(t *testing.T) {
	launches, end := 0, func() {}
	var mu sync.Mutex
	before := func() {
		mu.Lock()
		defer mu.Unlock()
		if launches--; launches == 0 {
			end()
		}
	}
	db, want := clientTables(t, twoDevices(t, func(int) error {
		before()
		return nil
	}))
	s := db.Session()
	query(t, s, "SET devices = 2")
	for _, ends := range []struct {
		how string
		at  int
	}{{"copy", 3}, {"hash", 3}, {"hash", len(clientQueries) - 1}} {
		query(t, s, "SET exchange_strategy = "+ends.how)
		text, want := clientQueries[ends.at], want[ends.at]
		for at := 1; ; at++ {
			ctx, cancel := context.WithCancel(t.Context())
			mu.Lock()
			launches, end = at, cancel
			mu.Unlock()
			_, _, err := clientAnswer(ctx, s, text)
			over := ctx.Err() == nil
			cancel()
			if over {
				break // it has fewer launches
			}
			if err == nil {
				continue // the last launches of all
			}
			if _, got, err := clientAnswer(t.Context(), s, text); err != nil || got != want {
				t.Fatalf("after an end at launch %d: %s, %v", at, got, err)
			}
		}
	}
	query(t, s, "SET memory_limit = '64kB'")
	var failure *cubeloom.Error
	if _, _, err := clientAnswer(t.Context(), s, "SELECT note, f, long, t FROM facts"); !errors.As(err, &failure) || failure.Code != "53200" {
		t.Errorf("a result beyond the limit: %v", err)
	}
	query(t, s, "RESET memory_limit")
	if _, got, err := clientAnswer(t.Context(), s, clientQueries[3]); err != nil || got != want[3] {
		t.Errorf("afterwards: %s, %v", got, err)
	}
}
