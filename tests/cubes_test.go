package tests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	cubeQueries = flag.Int("cubes.queries", 120, "number of random cubes of each table")
	cubeSeed    = flag.Uint64("cubes.seed", 1, "seed of the tables and of their cubes")
)

// A cubeKey is a column of the tables of cubes, and how its values are made.
type cubeKey struct {
	name, typ string
	value     func(rng *rand.Rand) string
}

// cubeKeys have codes by ranges, by dictionaries and by tables, with NULLs and without.
var cubeKeys = []cubeKey{
	{"a", "int NOT NULL", func(rng *rand.Rand) string { return fmt.Sprint(rng.IntN(3)) }},
	{"b", "int", func(rng *rand.Rand) string { return orNull(rng, 5, fmt.Sprint(rng.IntN(9)-4)) }},
	{"c", "text", func(rng *rand.Rand) string {
		return orNull(rng, 7, fmt.Sprintf("'%s'", strings.Repeat("x", rng.IntN(5))))
	}},
	{"d", "date NOT NULL", func(rng *rand.Rand) string { return fmt.Sprintf("'2020-01-%02d'", 1+rng.IntN(20)) }},
	{"e", "boolean", func(rng *rand.Rand) string { return orNull(rng, 6, fmt.Sprint(rng.IntN(2) == 0)) }},
	{"f", "double precision", func(rng *rand.Rand) string { return orNull(rng, 6, fmt.Sprintf("%g", float64(rng.IntN(5))/2-1)) }},
	{"g", "bigint NOT NULL", func(rng *rand.Rand) string { return fmt.Sprint(rng.Int64N(40) * 1_000_000_007_000) }},
	{"h", "numeric(10,2)", func(rng *rand.Rand) string { return orNull(rng, 8, fmt.Sprintf("%d.25", rng.IntN(4))) }},
	{"i", "numeric(30,3) NOT NULL", func(rng *rand.Rand) string { return fmt.Sprintf("%d000000000000000000.5", rng.IntN(6)) }},
}

func orNull(rng *rand.Rand, share int, text string) string {
	if rng.IntN(share) == 0 {
		return "NULL"
	}
	return text
}

// cubeTable makes a table of so many rows; with all equal where one is set.
func cubeTable(rng *rand.Rand, rows int, one bool) []string {
	var columns []string
	for _, k := range cubeKeys {
		columns = append(columns, k.name+" "+k.typ)
	}
	create := "CREATE TABLE t (" + strings.Join(columns, ", ") + ", m int NOT NULL, n int, p numeric(9,2) NOT NULL, w numeric(25,1), s int NOT NULL)"
	list := make([]string, rows)
	for i := range list {
		if one && i > 0 {
			list[i] = list[0]
			continue
		}
		var row []string
		for _, k := range cubeKeys {
			row = append(row, k.value(rng))
		}
		row = append(row, fmt.Sprint(rng.IntN(50)), orNull(rng, 4, fmt.Sprint(rng.IntN(70000)-9)), fmt.Sprintf("%d.%02d", rng.IntN(30), rng.IntN(100)),
			orNull(rng, 3, fmt.Sprintf("%d00000000000000000000.1", rng.IntN(3))), fmt.Sprint(rng.IntN(30)-5))
		list[i] = "(" + strings.Join(row, ", ") + ")"
	}
	if rows == 0 {
		return []string{"DROP TABLE IF EXISTS t", create}
	}
	return []string{"DROP TABLE IF EXISTS t", create, "INSERT INTO t VALUES " + strings.Join(list, ", ")}
}

// cubeQuery is a random query of several grouping sets.
func cubeQuery(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var keys []string
	for _, i := range rng.Perm(len(cubeKeys))[:1+rng.IntN(5)] {
		keys = append(keys, cubeKeys[i].name)
	}
	if rng.IntN(6) == 0 {
		keys = append(keys, pick("m % 4", "c || 'y'", "b + 1"))
	}
	some := func() string {
		perm := rng.Perm(len(keys))[:rng.IntN(len(keys)+1)]
		names := make([]string, len(perm))
		for i, k := range perm {
			names[i] = keys[k]
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	by := strings.Join(keys, ", ")
	grouping := pick("CUBE ("+by+")", "CUBE ("+by+")", "ROLLUP ("+by+")", "GROUPING SETS (("+by+"), "+some()+", "+some()+", "+some()+")",
		keys[0]+", CUBE ("+by+")", "GROUPING SETS (ROLLUP ("+by+"), "+some()+")")
	aggregates := []string{"count(*)", "sum(m)"}
	for range rng.IntN(4) {
		aggregates = append(aggregates, pick("count(n)", "sum(n)", "min(n)", "max(d)", "avg(p)", "sum(p)", "sum(w)", "max(w)", "count(DISTINCT n)", "bool_or(e)", "min(g)",
			"sum(m) FILTER (WHERE n > 5)", "count(*) FILTER (WHERE e)", "count(c)", "sum(f)", "grouping("+keys[0]+")"))
	}
	m := fmt.Sprint([]int{-1, 0, 1, 2, 3, 10, 100, 1000}[rng.IntN(8)])
	var conds []string
	for range rng.IntN(3) {
		conds = append(conds, pick("count(*) >= "+m, "count(*) > "+m, m+" <= count(n)", "sum(m) >= "+m, "sum(m) > "+m+".5", "sum(p) >= "+m+".25", "max(n) >= "+m, "min(n) < "+m,
			"max(d) > '2020-01-15'", "min(w) <= 0.1", "sum(s) >= "+m, "avg(p) > 10", keys[0]+" IS NULL", "count(*) < "+m, "grouping("+keys[0]+") = 0", "count(*) FILTER (WHERE e) >= "+m,
			"sum(m) FILTER (WHERE n > 5) > "+m, "sum(w) >= 100000000000000000000"))
	}
	sql := fmt.Sprintf("SELECT %s, %s FROM t%s GROUP BY %s", by, strings.Join(aggregates, ", "), pick("", "", "", " WHERE s > 0", " WHERE m < 0"), grouping)
	if len(conds) > 0 {
		sql += " HAVING " + strings.Join(conds, " AND ")
	}
	return sql
}

// TestCubes compares random cubes by both strategies: by refinement, in every
// configuration, and by roll-up.
func TestCubes(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(*cubeSeed, 17))
	all := configurations()
	refined, refused := 0, 0
	for _, table := range []struct {
		rows int
		one  bool
	}{{0, false}, {1, false}, {60, true}, {400, false}, {3000, false}} {
		db := openEngine(t)
		for _, sql := range cubeTable(rng, table.rows, table.one) {
			mustQuery(t, db, sql)
		}
		for n := range *cubeQueries {
			sql := cubeQuery(rng)
			mustQuery(t, db, "SET cube_strategy = rollup")
			want, failure := db.Query(ctx, sql)
			mustQuery(t, db, "SET cube_strategy = refine")
			db.configure(t, all[n%len(all)])
			got, err := db.Query(ctx, sql)
			switch {
			case err != nil && strings.Contains(err.Error(), "cube_strategy is refine, which does not apply"):
				refused++
			case err != nil || failure != nil:
				if db.SQLState(err) != db.SQLState(failure) {
					t.Errorf("%d rows, %s, %s: gave %v, want %v", table.rows, all[n%len(all)], sql, err, failure)
				}
			default:
				refined++
				if err := reference.Compare(got, want, false); err != nil {
					t.Errorf("%d rows, %s, %s\n%v", table.rows, all[n%len(all)], sql, err)
				}
			}
		}
	}
	if refined < 4*refused {
		t.Errorf("%d cubes were refined, %d refused", refined, refused)
	}
}

// TestManyDimensions refines 64 dimensions with 40 sets.
func TestManyDimensions(t *testing.T) {
	db := openEngine(t)
	create, sql := manyDimensions(rand.New(rand.NewPCG(*cubeSeed, 18)))
	mustQuery(t, db, create)
	mustQuery(t, db, "SET cube_strategy = rollup")
	want := mustQuery(t, db, sql)
	mustQuery(t, db, "SET cube_strategy = refine")
	if err := reference.Compare(mustQuery(t, db, sql), want, false); err != nil {
		t.Error(err)
	}
}

// manyDimensions makes a table of 64 dimensions, and groups it by 40 sets.
func manyDimensions(rng *rand.Rand) (create, query string) {
	var keys, values []string
	for i := range 64 {
		keys = append(keys, fmt.Sprintf("k%d", i))
		values = append(values, fmt.Sprintf("(i * %d) %% %d AS k%d", 3+i, 2+i%5, i))
	}
	var sets []string
	for range 40 {
		var set []string
		for _, i := range rng.Perm(64)[:rng.IntN(6)] {
			set = append(set, keys[i])
		}
		sets = append(sets, "("+strings.Join(set, ", ")+")")
	}
	create = "CREATE TABLE many AS SELECT " + strings.Join(values, ", ") + ", i AS m FROM generate_series(1, 500) AS s(i)"
	return create, fmt.Sprintf("SELECT %s, sum(m), count(*) FROM many GROUP BY GROUPING SETS ((%[1]s), %s) HAVING count(*) >= 3", strings.Join(keys, ", "), strings.Join(sets, ", "))
}

func mustQuery(t *testing.T, db *engine, sql string) *reference.Result {
	t.Helper()
	res, err := db.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%.200s: %v", sql, err)
	}
	return res
}
