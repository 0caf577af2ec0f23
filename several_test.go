package cubeloom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/several"
	"github.com/cubeloom/cubeloom/tests/share"
)

// standIn is the CPU in the place of a device: it runs what a device would, and has what it
// has made.
type standIn struct {
	*cpu.Backend
	mu   sync.Mutex
	made map[any]bool
	runs int
}

// Run implements runtime.Backend.
func (s *standIn) Run(ctx context.Context, f *kernel.Func, inputs []any, opts *runtime.RunOptions) (runtime.Output, runtime.Metrics, error) {
	if err := kernel.Verify(f); err != nil {
		return nil, runtime.Metrics{}, err
	}
	out, metrics, err := s.Backend.Run(ctx, f, inputs, opts)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs++
	if rel, ok := out.(runtime.Relation); ok {
		s.made[rel] = true
	}
	if all, ok := out.(runtime.Results); ok {
		for _, rel := range all {
			s.made[rel] = true
		}
	}
	return out, metrics, err
}

// Holds implements several.Member.
func (s *standIn) Holds(rel any) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made[rel]
}

// openStandIns opens a database where what runs on the CPU is shared by n stand-ins of devices;
// 0: nothing is.
func openStandIns(t *testing.T, n int, script string) (*Session, []*standIn) {
	t.Helper()
	db, err := Open(Options{Device: "cpu", Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var all []*standIn
	var members []several.Member
	for range n {
		one := &standIn{Backend: cpu.New(), made: map[any]bool{}}
		all, members = append(all, one), append(members, one)
	}
	if err := db.Session().Run(context.Background(), script, func(*Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		db.core.Device = placement.NewDevice(nil, 1, several.Over(cpu.New(), members...), cuda.Options{})
	}
	return db.Session(), all
}

// sharedTables are tables whose rows several devices share: of several blocks, of one, of few
// rows and of none, with NULLs, texts that are codes and texts that are not.
const sharedTables = `CREATE TABLE facts AS
SELECT i, i % 7 AS g, (i * 7919) % 10000 AS h, i * 1000003 AS long, i / 8.0::float8 AS f,
	CASE WHEN i % 5 > 0 THEN 'text ' || i % 9 END AS t, CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS b,
	(i % 89)::numeric(12,2) AS n, 'note ' || i AS note, i / 3 AS third
FROM generate_series(1::bigint, 140000) AS s(i);
CREATE TABLE names (g int, name text);
INSERT INTO names VALUES (0, 'zero'), (3, 'three'), (5, 'five'), (11, 'eleven'), (NULL, 'none');
CREATE TABLE wide AS SELECT i AS id, i % 13 AS c, 'w' || i % 100 AS word, CASE WHEN i % 4 > 0 THEN i % 50 END AS m
FROM generate_series(1::bigint, 15000) AS s(i);
CREATE TABLE none (g int, v int, t text);`

// sharedQueries have each kind of source, of probe and of sink.
var sharedQueries = []string{
	"SELECT count(*), sum(long), min(f), max(i), count(b), bool_or(b), avg(n), min(t), max(note), bit_xor(i) FROM facts WHERE t <> 'text 3'",
	"SELECT count(*), sum(i), max(t), count(b) FROM facts WHERE i < 0",
	"SELECT stddev(f)::numeric(20,4), var_pop(n)::numeric(20,4), corr(f, i)::numeric(10,4), approx_count_distinct(h) FROM facts",
	"SELECT g, count(*), sum(long), avg(n), any_value(g), sum(n * n) FROM facts GROUP BY g",
	"SELECT g, t, count(*), sum(long) FROM facts WHERE b GROUP BY g, t",
	"SELECT note, count(*), max(t) FROM facts WHERE i % 50 = 7 GROUP BY note",
	"SELECT h * 1000003, count(*), sum(long), count(*) FILTER (WHERE b) FROM facts GROUP BY 1 ORDER BY 1 LIMIT 20 OFFSET 5",
	"SELECT third, count(*), sum(long) FROM facts GROUP BY third ORDER BY third",
	"SELECT third, count(*) FROM facts GROUP BY third HAVING count(*) < 3",
	"SELECT g, count(DISTINCT h), count(DISTINCT t), sum(i), sum(DISTINCT h) FILTER (WHERE b) FROM facts GROUP BY g",
	"SELECT g, median(f), count(b), percentile_cont(0.25) WITHIN GROUP (ORDER BY f DESC) FROM facts GROUP BY g",
	"SELECT median(f), count(DISTINCT note) FROM facts WHERE i % 7 = 2",
	"SELECT name, count(*), sum(long) FROM facts JOIN names USING (g) GROUP BY name",
	"SELECT word, count(*), sum(f.long) FROM facts f JOIN wide w ON w.id = f.h GROUP BY word",
	"SELECT word, count(*), sum(f.long) FROM facts f LEFT JOIN wide w ON w.m = f.h GROUP BY word",
	"SELECT count(*) FROM facts f WHERE EXISTS (SELECT 1 FROM wide w WHERE w.id = f.h AND w.c < 5)",
	"SELECT count(*), min(i) FROM facts f WHERE NOT EXISTS (SELECT 1 FROM wide w WHERE w.id = f.h AND w.c < f.g)",
	"SELECT count(*) FROM facts WHERE h NOT IN (SELECT m FROM wide WHERE m IS NOT NULL)",
	"SELECT count(*) FROM facts WHERE h NOT IN (SELECT m FROM wide)",
	"SELECT name, max(i), count(*) FROM names LEFT JOIN facts USING (g) GROUP BY name",
	"SELECT n.name, f.i FROM facts f FULL JOIN names n ON n.g = f.i WHERE f.i IS NULL OR f.i < 9",
	"SELECT count(*), count(w.id), count(f.i) FROM facts f FULL JOIN wide w ON w.id = f.h",
	"SELECT i, long, f, t, b, note FROM facts WHERE i % 100 = 7 ORDER BY f DESC LIMIT 10 OFFSET 2",
	"SELECT i FROM facts ORDER BY i DESC OFFSET 139990",
	"SELECT i, t, note FROM facts WHERE i % 100 = 7 ORDER BY t NULLS FIRST, note DESC, i",
	"SELECT i, note FROM facts WHERE i % 1000 = 7 OR i = 1",
	"SELECT count(*) FROM (SELECT i FROM facts LIMIT 4000 OFFSET 200) x",
	"SELECT count(*) FROM (SELECT i FROM facts OFFSET 200) x",
	"SELECT i, sum(i) OVER (PARTITION BY g ORDER BY f DESC), upper(t), rank() OVER (ORDER BY t, i) FROM facts WHERE i % 40 = 7",
	"SELECT g, sum(s) OVER (ORDER BY g) FROM (SELECT g, sum(i) AS s FROM facts GROUP BY g) x",
	"SELECT upper(t), substr(t, 6), count(*) FROM facts GROUP BY 1, 2",
	"SELECT g, b, t, sum(i) FROM facts GROUP BY CUBE (g, b, t)",
	"SELECT g, h, count(*) FROM facts GROUP BY GROUPING SETS ((g, h), (g), ()) HAVING count(*) >= 10",
	"SELECT count(*), sum(x) FROM (SELECT i AS x FROM facts WHERE b UNION ALL SELECT id FROM wide UNION ALL SELECT g FROM names) u WHERE x % 3 = 0",
	"SELECT h FROM facts WHERE i < 100000 INTERSECT SELECT id FROM wide WHERE c = 3",
	"SELECT id FROM wide EXCEPT SELECT h FROM facts WHERE b",
	"SELECT t FROM facts UNION SELECT word FROM wide",
	"SELECT g, count(*) FROM (SELECT DISTINCT g, h FROM facts) d GROUP BY g",
	"SELECT count(*), sum(v), max(t) FROM none",
	"SELECT n.g, count(*) FROM none n JOIN facts f ON f.g = n.g GROUP BY n.g",
	"SELECT count(*) FROM facts f LEFT JOIN none n ON f.g = n.g WHERE n.t IS NULL",
	"SELECT sum(f.i + w.c) FROM facts f, wide w WHERE f.i = w.id AND f.h IN (SELECT max(h) FROM facts GROUP BY g, b)",
	"WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < 4) SELECT x, (SELECT count(*) FROM facts WHERE g = x) FROM r",
	"SELECT a.g, count(*) FROM facts a JOIN facts b ON a.i = b.third WHERE b.i % 11 = 0 GROUP BY a.g",
	"SELECT count(*) FROM wide a, names b, names c WHERE a.c < 3",
	"SELECT x, count(*) FROM facts, generate_series(1, g) AS s(x) WHERE i % 10 = 0 GROUP BY x",
	"SELECT g, (SELECT count(*) FROM wide w WHERE w.c = f.g) FROM facts f WHERE i < 40",
	"SELECT count(*), sum(i / (g + 1)) FROM (SELECT i, g FROM facts TABLESAMPLE BERNOULLI (30) REPEATABLE (5)) x",
}

// sharedWays are the settings with which kernels are shared.
var sharedWays = [][]string{
	{"fusion = on", "exchange_strategy = auto", "distinct_strategy = auto"},
	{"fusion = off", "exchange_strategy = auto", "distinct_strategy = auto"},
	{"fusion = off", "exchange_strategy = hash", "distinct_strategy = auto"},
	{"fusion = on", "exchange_strategy = hash", "distinct_strategy = auto"},
	{"fusion = on", "exchange_strategy = copy", "distinct_strategy = auto"},
	{"fusion = on", "exchange_strategy = copy", "distinct_strategy = split"},
}

// answersOf are the answers to queries.
func answersOf(t *testing.T, s *Session, queries []string) []string {
	t.Helper()
	all := make([]string, len(queries))
	for i, text := range queries {
		all[i] = answer(t, s, text)
	}
	return all
}

// Kernels that are shared have the answers of kernels that are not, whatever the number of
// devices; what fails, fails with the same error.
func TestSharedKernels(t *testing.T) {
	plain, _ := openStandIns(t, 0, sharedTables)
	want := answersOf(t, plain, sharedQueries)
	for _, n := range []int{2, 3, 8} {
		s, devices := openStandIns(t, n, sharedTables)
		ways := share.Some(t, fmt.Sprint(t.Name(), n), sharedWays)
		for _, way := range ways {
			for _, setting := range way {
				answer(t, s, "SET "+setting)
			}
			for i, text := range sharedQueries {
				if got := answer(t, s, text); got != want[i] {
					t.Errorf("%d devices, %v: %s\ngives\n%.2000s\ninstead of\n%.2000s", n, way, text, got, want[i])
				}
			}
		}
		for _, text := range []string{"SELECT 1 / (i - 135000) FROM facts", "SELECT g, sum(long * 100000000) FROM facts GROUP BY g", "SELECT sum(1 / (h - 9999)) FROM facts f JOIN wide w ON f.i = w.id"} {
			_, wanted := plain.Query(context.Background(), text)
			if _, err := s.Query(context.Background(), text); fmt.Sprint(err) != fmt.Sprint(wanted) {
				t.Errorf("%d devices: %s fails with %v, not with %v", n, text, err, wanted)
			}
		}
		for i, d := range devices {
			if len(sharedWays)*d.runs < len(ways)*len(sharedQueries) {
				t.Errorf("device %d of %d has run %d kernels", i, n, d.runs)
			}
		}
	}
}

// exchangedTables have keys that stand several times on both sides, NULLs among them, of both widths.
const exchangedTables = `CREATE TABLE l AS SELECT i, CASE WHEN i % 11 > 0 THEN i * 7919 % 900 END AS a, CASE WHEN i % 7 > 0 THEN (i % 40)::int END AS b,
	'l' || i % 30 AS t, i % 100 AS v FROM generate_series(1::bigint, 9000) AS s(i);
CREATE TABLE r AS SELECT i, CASE WHEN i % 13 > 0 THEN i % 1000 END AS a, CASE WHEN i % 5 > 0 THEN (i % 50)::int END AS b,
	'r' || i % 20 AS t, i % 77 AS v FROM generate_series(1::bigint, 3000) AS s(i);
CREATE TABLE q AS SELECT i AS a, (i % 60)::int AS b, 'q' || i % 9 AS t, i % 5 AS v FROM generate_series(1::bigint, 1200) AS s(i);`

// exchangedQuery is a random query with one or two joins.
func exchangedQuery(rng *rand.Rand) string {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	on := func(x, y string) string {
		return strings.NewReplacer("x", x, "y", y).Replace(pick("x.a = y.a", "x.a = y.a", "x.b = y.b AND x.a = y.a", "x.a = y.a AND x.v < y.v", "x.a = y.a + 3", "x.b = y.b AND y.v < 2"))
	}
	from := "FROM l " + pick("JOIN", "LEFT JOIN", "FULL JOIN") + " r ON " + on("l", "r")
	where := pick("", " WHERE l.v > 20", " WHERE r.v < 50 OR l.i % 2 = 0")
	switch rng.IntN(4) {
	case 0:
		from += " " + pick("JOIN", "LEFT JOIN") + " q ON " + on(pick("l", "r"), "q")
	case 1:
		where = " WHERE " + pick("", "NOT ") + "EXISTS (SELECT 1 FROM q WHERE " + on("l", "q") + ")"
	case 2:
		where = " WHERE l.a " + pick("", "NOT ") + "IN (SELECT a FROM q WHERE v > 1)"
	}
	return pick("SELECT l.t, count(*), sum(r.v), min(r.t) ", "SELECT l.b, count(DISTINCT r.t), max(l.i), count(r.i) ") + from + where + " GROUP BY 1"
}

// Joins for which devices exchange rows have the answers of joins that are not shared.
func TestExchange(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 23))
	var queries []string
	for range 60 {
		queries = append(queries, exchangedQuery(rng))
	}
	queries = append(queries, "SELECT l.i, r.i, l.t, r.t FROM l JOIN r USING (a) WHERE l.i < 100",
		"SELECT l.i, r.t FROM l LEFT JOIN r USING (a) WHERE l.i < 2000 ORDER BY l.i DESC, r.t LIMIT 40",
		"SELECT count(*) FROM l JOIN r ON l.t = r.t", "SELECT count(*) FROM l JOIN none USING (i)", "SELECT count(*) FROM none JOIN l USING (i)")
	const tables = exchangedTables + "CREATE TABLE none (i bigint, v int);"
	plain, _ := openStandIns(t, 0, tables)
	want := answersOf(t, plain, queries)
	for _, n := range share.Some(t, t.Name(), []int{2, 3, 5}) {
		s, _ := openStandIns(t, n, tables)
		answer(t, s, "SET exchange_strategy = hash")
		exchanged := 0
		for i, text := range queries {
			if got := answer(t, s, text); got != want[i] {
				t.Errorf("%d devices: %s\ngives\n%.2000s\ninstead of\n%.2000s", n, text, got, want[i])
			}
			if strings.Contains(answer(t, s, "EXPLAIN (ANALYZE, FORMAT json) "+text), codegen.ExchangeHash) {
				exchanged++
			}
		}
		if exchanged < len(queries)/2 {
			t.Errorf("%d devices exchange rows for %d of %d queries", n, exchanged, len(queries))
		}
	}
}

// groupedQuery is a random query of which several devices may each have a part of the groups, which others read.
func groupedQuery(rng *rand.Rand) string {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	from := pick("l", "l", "l", "(SELECT i / 7 AS i, a, b, t, v FROM l WHERE v > 5) x", "(SELECT l.i, l.a, l.b, q.t, q.v FROM l JOIN q ON l.a = q.a) x", "(SELECT * FROM l WHERE i < 0) x", "(SELECT * FROM l WHERE i = 77) x")
	keys := pick("i", "a", "a, b", "a, t", "b, t", "t", "i, t", "v, a", "a / 3", "i / 3", "a, b, t, v")
	value := pick("sum(v)", "count(*)", "avg(v)", "max(t)", "count(DISTINCT v)", "sum(DISTINCT b)", "count(b) FILTER (WHERE v > 30)", "median(v)", "min(i)", "string_agg(t, ',' ORDER BY t)")
	having := pick("", "", " HAVING count(*) > 2", " HAVING sum(v) > 90 OR min(t) IS NULL")
	var numbered []string
	for i, key := range strings.Split(keys, ", ") {
		numbered = append(numbered, fmt.Sprintf("%s AS k%d", key, i))
	}
	groups := "SELECT " + strings.Join(numbered, ", ") + ", " + value + " AS s FROM " + from + " GROUP BY " + keys + having
	switch rng.IntN(9) {
	case 0:
		return "SELECT s, count(*), min(k0) FROM (" + groups + ") g GROUP BY s"
	case 1:
		return "SELECT k0, count(*), max(s) FROM (" + groups + ") g GROUP BY k0"
	case 2:
		return "SELECT g.a, g.s, r.t FROM (SELECT a, " + value + " AS s FROM " + from + " GROUP BY a" + having + ") g JOIN r ON r.a = g.a WHERE r.i < 500"
	case 3:
		return "SELECT count(*), min(r.i) FROM r WHERE a " + pick("", "NOT ") + "IN (SELECT a FROM l WHERE a IS NOT NULL GROUP BY a" + having + ")"
	case 4:
		return "SELECT k0, s, rank() OVER (PARTITION BY k0 ORDER BY s), sum(1) OVER (ORDER BY k0) FROM (" + groups + ") g"
	case 5:
		return "SELECT k0, s FROM (" + groups + ") g ORDER BY k0, s LIMIT 30"
	case 6:
		return "SELECT " + keys + ", " + value + " FROM " + from + " GROUP BY " + pick("ROLLUP", "CUBE") + " (" + keys + ")" + having
	case 7:
		return "SELECT DISTINCT " + keys + " FROM " + from + " UNION ALL SELECT " + strings.Repeat("NULL, ", strings.Count(keys, ",")) + "NULL"
	}
	return groups
}

// Aggregations whose groups devices divide among them have the answers of those that are not shared.
func TestPartsOfGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 31))
	var queries []string
	for range 120 {
		queries = append(queries, groupedQuery(rng))
	}
	plain, _ := openStandIns(t, 0, exchangedTables)
	want := answersOf(t, plain, queries)
	for _, n := range share.Some(t, t.Name(), []int{2, 3, 5}) {
		s, _ := openStandIns(t, n, exchangedTables)
		answer(t, s, "SET exchange_strategy = hash")
		how := map[string]int{codegen.ExchangeApart: 0, codegen.ExchangeParts: 0, codegen.ExchangeByKey: 0}
		for i, text := range queries {
			answer(t, s, "SET fusion = "+[]string{"on", "on", "off"}[i%3])
			if got := answer(t, s, text); got != want[i] {
				t.Errorf("%d devices: %s\ngives\n%.2000s\ninstead of\n%.2000s", n, text, got, want[i])
			}
			plan := answer(t, s, "EXPLAIN (ANALYZE, FORMAT json) "+text)
			for said := range how {
				how[said] += strings.Count(plan, said)
			}
		}
		for said, times := range how {
			if times < len(queries)/10 {
				t.Errorf("%d devices: %d times %q", n, times, said)
			}
		}
	}
}

// Cubes by refinement whose sets are dealt out have the answers of those of which nothing is: with sets of which no device
// needs another's, of fewer sets than devices, over joins and texts, and pruned ones.
func TestDealtSets(t *testing.T) {
	plain, _ := openStandIns(t, 0, sharedTables)
	for _, n := range []int{2, 3, 8} {
		s, _ := openStandIns(t, n, sharedTables)
		answer(t, s, "SET cube_strategy = refine")
		dealt := 0
		for _, text := range []string{
			"SELECT g, b, t, i % 3, sum(i), count(*) FROM facts GROUP BY CUBE (g, b, t, i % 3)",
			"SELECT g, h, count(*) FROM facts GROUP BY GROUPING SETS ((g, h), (g), ()) HAVING count(*) >= 10",
			"SELECT g, h % 50, t, count(*), max(i) FROM facts GROUP BY CUBE (g, h % 50, t) HAVING count(*) >= 400 AND max(i) >= 139900",
			"SELECT w.c, f.g, f.b, count(*), sum(f.long) FROM facts f JOIN wide w ON w.id = f.h GROUP BY CUBE (w.c, f.g, f.b)",
			"SELECT t, b, g, avg(f) FROM facts GROUP BY GROUPING SETS ((t, b, g), (g, b), (t))",
			"SELECT g, b, count(*) FROM none GROUP BY GROUPING SETS ((g), (b), (g, b))",
			"SELECT g, max(c) FROM (SELECT g, b, t, count(*) AS c FROM facts GROUP BY CUBE (g, b, t)) x GROUP BY g",
		} {
			text = strings.ReplaceAll(text, "FROM none GROUP", "FROM (SELECT *, v > 1 AS b FROM none) x GROUP")
			if want, got := answer(t, plain, text), answer(t, s, text); got != want {
				t.Errorf("%d devices: %s\ngives\n%.2000s\ninstead of\n%.2000s", n, text, got, want)
			}
			if strings.Contains(answer(t, s, "EXPLAIN (ANALYZE, FORMAT json) "+text), codegen.ExchangeSets) {
				dealt++
			}
		}
		if n < 8 && dealt < 5 {
			t.Errorf("%d devices deal out the sets of %d cubes", n, dealt)
		}
	}
}

// A device that is named twice is opened twice, and kernels are shared between both.
func TestDeviceNamedTwice(t *testing.T) {
	var opened []int
	db, err := Open(Options{Ordinals: []int{3, 1, 3}, OpenDevice: func(ordinal int) (cuda.Device, error) {
		opened = append(opened, ordinal)
		return nil, cuda.ErrNoDevice
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, _, err := db.CUDADevices(); err == nil || !slices.Equal(opened, []int{3}) || answer(t, db.Session(), "SHOW devices") != "3" {
		t.Errorf("%v, opened %d", err, opened)
	}
	if n := times([]int{3, 1, 3}, 3); n != 2 {
		t.Errorf("3 stands %d times", n)
	}
}

// answer are the rows of a query as lines, in order where the query does not say which.
func answer(t *testing.T, s *Session, text string) string {
	t.Helper()
	res, err := s.Query(context.Background(), text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return ""
	}
	var lines []string
	cursor := res.Cursor()
	for cursor.Next() {
		var cells []string
		for i := range res.Columns {
			cells = append(cells, cursor.Text(i))
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	if err := cursor.Err(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(text, "ORDER BY i") && !strings.Contains(text, "ORDER BY third") && !strings.Contains(text, "LIMIT") {
		slices.Sort(lines)
	}
	return strings.Join(lines, "\n")
}
