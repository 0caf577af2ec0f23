//go:build device

package tests

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/codegen/cuda/preaggregate"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	preaggregateQueries = flag.Int("preaggregate.queries", 1, "random queries that are run with every preaggregation and number of replicas")
	preaggregateSeed    = flag.Uint64("preaggregate.seed", 1, "of the queries; 0 draws any")
	preaggregateShare   = flag.Int("preaggregate.share", 15, "of so many preaggregations and numbers of replicas one is run over each table")
)

// groupedRows are the shapes of the tables that random queries group: by how many rows
// there are and how their keys repeat.
var groupedRows = []struct {
	name     string
	rows     int
	distinct int // of each key; 0: every row has one of its own
}{
	{"empty", 0, 1}, {"one row", 1, 1}, {"one group", 700, 1}, {"few groups", 900, 4}, {"many groups", 900, 60}, {"all different", 400, 0},
}

// TestDevicePreaggregation runs random queries that group tables of all types with
// preaggregations and 1, 3 and 64 replicas, over cells in global memory, over slots of
// blocks and over what is chosen, and compares the answers with the CPU's.
func TestDevicePreaggregation(t *testing.T) {
	t.Parallel()
	seed := *preaggregateSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 11))
	db := openDeviceEngine(t)
	for i, shape := range groupedRows {
		executeAll(t, &db.engine, groupedTable(rnd, fmt.Sprintf("t%d", i), shape.rows, shape.distinct))
	}
	joined, turn := 0, rnd.IntN(*preaggregateShare)
	for n := range *preaggregateQueries {
		on := []string{"auto", "shared", "block"}[(int(seed)+n)%3]
		query := groupedQuery(rnd)
		for i, shape := range groupedRows {
			sql := fmt.Sprintf(query, fmt.Sprintf("t%d", i))
			set(t, &db.engine, map[string]string{"device": "cpu", "aggregate_strategy": "auto", "preaggregate_strategy": "auto", "group_replicas": "auto"})
			want, wantErr := answerOf(t, &db.engine, sql)
			for _, name := range preaggregate.Names() {
				for _, replicas := range []string{"1", "3", "64"} {
					if turn++; turn%*preaggregateShare != 0 {
						continue
					}
					settings := map[string]string{"device": "cuda", "aggregate_strategy": on, "preaggregate_strategy": name, "group_replicas": replicas}
					set(t, &db.engine, settings)
					got, err := answerOf(t, &db.engine, sql)
					if err != nil && err.Code == "0A000" {
						continue
					}
					joined++
					var differ error
					switch {
					case (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error():
						differ = fmt.Errorf("error %v, not %v", err, wantErr)
					case err == nil:
						differ = reference.Compare(got, want, false)
					}
					if differ != nil {
						t.Fatalf("seed %d, %s, %v\n%s\n%v", seed, shape.name, settings, sql, differ)
					}
				}
			}
		}
	}
	t.Logf("%d answers compared", joined)
	if joined == 0 {
		t.Error("nothing was run on the device")
	}
}

// executeAll runs a script.
func executeAll(t testing.TB, db *engine, script []string) {
	t.Helper()
	for _, sql := range script {
		if _, err := db.session.Query(context.Background(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// set sets settings.
func set(t testing.TB, db *engine, settings map[string]string) {
	t.Helper()
	for name, v := range settings {
		executeAll(t, db, []string{"SET " + name + " = '" + v + "'"})
	}
}

// groupedColumns are the columns of the tables, with SQL of a value that n makes.
var groupedColumns = []struct{ name, ctype, value string }{
	{"k1", "smallint", "(%d)"},
	{"k2", "bigint", "(%d * 100000000007)"},
	{"k3", "text", "('key' || %d)"},
	{"k4", "numeric(30,3)", "(%d * 1e20)"},
	{"k5", "double precision", "(%d / 4.0)"},
	{"k6", "date", "(date '2020-02-28' + %d)"},
	{"k7", "boolean", "(%d %% 2 = 0)"},
	{"i", "integer", "(%d - 7)"},
	{"l", "bigint", "(%d * 1000000000039)"},
	{"d", "numeric(12,2)", "(%d * 1.25 - 300)"},
	{"w", "numeric(38,6)", "(%d * 1e24 - 7e26)"},
	{"n", "numeric", "(%d * 0.001)"},
	{"f", "double precision", "(%d - 50)"},
	{"s", "text", "(chr(97 + %d %% 26) || %[1]d)"},
	{"b", "boolean", "(%d %% 3 = 0)"},
	{"ts", "timestamp", "(timestamp '2000-01-01' + %d * interval '1 hour')"},
}

// keys is how many of them are keys.
const keys = 7

// groupedTable is the script of a table with so many rows, NULLs among them.
func groupedTable(rnd *rand.Rand, name string, rows, distinct int) []string {
	var defs []string
	for _, c := range groupedColumns {
		defs = append(defs, c.name+" "+c.ctype)
	}
	script := []string{fmt.Sprintf("CREATE TABLE %s (%s)", name, strings.Join(defs, ", "))}
	var tuples []string
	for row := range rows {
		var values []string
		for i, c := range groupedColumns {
			n := rnd.IntN(100)
			if i < keys && distinct > 0 {
				n = rnd.IntN(distinct)
			} else if i < keys {
				n = row
			}
			if v := fmt.Sprintf(c.value, n); distinct != 1 && rnd.IntN(8) == 0 && !(distinct == 0 && i < keys) {
				values = append(values, "NULL")
			} else {
				values = append(values, v)
			}
		}
		tuples = append(tuples, "("+strings.Join(values, ", ")+")")
	}
	for part := range slices.Chunk(tuples, 200) {
		script = append(script, fmt.Sprintf("INSERT INTO %s VALUES %s", name, strings.Join(part, ", ")))
	}
	return script
}

// groupedAggregates are what random queries compute.
var groupedAggregates = []string{
	"count(*)", "count(n)", "sum(i)", "sum(l)", "sum(d)", "sum(w)", "sum(n)", "sum(f)", "avg(d)", "avg(f)", "min(i)", "max(l)", "min(w)", "max(w)",
	"min(f)", "max(d)", "min(s)", "max(s)", "max(ts)", "min(k6)", "bool_and(b)", "bool_or(b)", "var_pop(i)", "stddev(f)", "corr(f, i)", "skewness(f)",
	"sum(i * 3)", "sum(l * l)", "avg(n)",
}

// groupedQuery is a random query; %s stands for the table.
func groupedQuery(rnd *rand.Rand) string {
	var by []string
	for _, i := range rnd.Perm(keys)[:1+rnd.IntN(3)] {
		by = append(by, groupedColumns[i].name)
	}
	list := slices.Clone(by)
	for _, i := range rnd.Perm(len(groupedAggregates))[:1+rnd.IntN(5)] {
		a := groupedAggregates[i]
		if rnd.IntN(4) == 0 {
			a += " FILTER (WHERE b)"
		}
		list = append(list, a)
	}
	where := ""
	if rnd.IntN(3) == 0 {
		where = " WHERE i > 0"
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM %s" + where + " GROUP BY " + strings.Join(by, ", ")
}

// answerOf is the answer to a query, or its error.
func answerOf(t *testing.T, db *engine, sql string) (*reference.Result, *cubeloom.Error) {
	t.Helper()
	res, err := db.Query(context.Background(), sql)
	var e *cubeloom.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%s: %v", sql, err)
	}
	return res, e
}

// preaggregateTables are those of the benchmark: rows, groups, and how the keys come.
var preaggregateTables = []struct {
	name      string
	groups    int64
	skew      float64
	ordered   bool
	scattered bool
}{
	{"1", 1, 0, false, false}, {"4", 4, 0, false, false}, {"64", 64, 0, false, false}, {"1K", 1 << 10, 0, false, false},
	{"16K", 1 << 14, 0, false, false}, {"256K", 1 << 18, 0, false, false}, {"4M", 1 << 22, 0, false, false}, {"16M", 1 << 24, 0, false, false},
	{"64-ordered", 64, 0, true, false}, {"16K-ordered", 1 << 14, 0, true, false}, {"1M-ordered", 1 << 20, 0, true, false},
	{"1K-skewed", 1 << 10, 1, false, false}, {"1M-skewed", 1 << 20, 1, false, false},
	{"4-scattered", 4, 0, false, true}, {"1K-scattered", 1 << 10, 0, false, true}, {"16K-scattered", 1 << 14, 0, false, true},
	{"1M-scattered", 1 << 20, 0, false, true}, {"1M-skewed-scattered", 1 << 20, 1, false, true}, {"16K-ordered-scattered", 1 << 14, 0, true, true},
}

var preaggregateRows = flag.Int64("preaggregate.rows", 1<<14, "rows of the tables of BenchmarkDevicePreaggregation")

// BenchmarkDevicePreaggregation times the kernels of a sum by one key, of dense keys and of
// scattered ones, by strategy of the aggregation, preaggregation and replicas.
func BenchmarkDevicePreaggregation(b *testing.B) {
	db, err := cubeloom.Open(cubeloom.Options{Device: "cuda", OpenDevice: device.Opener(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	e := &engine{db, db.Session()}
	for _, table := range preaggregateTables {
		executeAll(b, e, []string{"DROP TABLE IF EXISTS g", "SET device = cpu", "RESET aggregate_strategy", "RESET preaggregate_strategy", "RESET group_replicas"})
		e.load(b, workload.Groups{Name: "drawn", Rows: *preaggregateRows, Groups: table.groups, Skew: table.skew, Scattered: table.scattered})
		order := ""
		if table.ordered {
			order = " ORDER BY g"
		}
		executeAll(b, e, []string{"CREATE TABLE g AS SELECT * FROM drawn" + order, "DROP TABLE drawn", "SET device = cuda"})
		for _, way := range preaggregateWays() {
			b.Run(table.name+"/"+strings.Join(way, "/"), func(b *testing.B) {
				set(b, e, map[string]string{"aggregate_strategy": way[0], "preaggregate_strategy": way[1], "group_replicas": way[2]})
				timeKernels(b, e, "SELECT g, sum(v), count(*) FROM g GROUP BY g")
			})
		}
	}
}

// preaggregateWays are strategies of the aggregation, preaggregations and numbers of
// replicas that are timed.
func preaggregateWays() [][]string {
	ways := [][]string{{"auto", "auto", "auto"}}
	for _, on := range []string{"block", "shared"} {
		for _, name := range preaggregate.Names() {
			ways = append(ways, []string{on, name, "1"})
		}
	}
	for _, replicas := range []string{"4", "16", "64", "256", "1024", "4096", "12288"} {
		ways = append(ways, []string{"shared", "none", replicas})
	}
	return append(ways, []string{"shared", "match", "16"}, []string{"shared", "match", "256"}, []string{"shared", "auto", "auto"})
}

// timeKernels reports the least time of the kernels of a query, and how many additions
// were made of a row.
func timeKernels(b *testing.B, db *engine, sql string) {
	least := 0.0
	var additions *fusion.Additions
	for i := 0; i <= b.N; i++ { // the first compiles
		res, err := db.Query(context.Background(), "EXPLAIN (ANALYZE, FORMAT JSON) "+sql)
		var refused *cubeloom.Error
		if errors.As(err, &refused) && refused.Code == "0A000" {
			b.ReportMetric(0, "kernels-ms")
			return
		}
		if err != nil {
			b.Fatal(err)
		}
		var text strings.Builder
		for _, row := range res.Rows {
			text.WriteString(row[0].Text)
		}
		var e struct{ Program fusion.Explanation }
		if err := json.Unmarshal([]byte(text.String()), &e); err != nil {
			b.Fatal(err)
		}
		took := 0.0
		for _, g := range e.Program.Groups {
			for _, l := range g.Measured.Launches {
				took += l.Time.Seconds() * 1e3
			}
			if g.Measured.Additions != nil {
				additions = g.Measured.Additions
			}
		}
		if i == 1 || i > 1 && took < least {
			least = took
		}
	}
	b.ReportMetric(least, "kernels-ms")
	if additions != nil {
		b.ReportMetric(float64(additions.Made)/float64(additions.Rows), "additions/row")
	}
}
