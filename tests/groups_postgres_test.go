//go:build reference

package tests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var groupQueries = flag.Int("groups.queries", 150, "number of random groupings, percentiles and first rows")

// groupTable has texts with NULLs, empty ones, long ones and equal prefixes, a key of one
// value and one of a value a row, one in whose order the rows are, and numbers whose sums are exact in any order, among
// them not a number and infinities.
func groupTable(rng *rand.Rand, rows int) []string {
	orNull := func(share int, text string) string {
		if rng.IntN(share) == 0 {
			return "NULL"
		}
		return text
	}
	list := make([]string, rows)
	run := -7
	for i := range list {
		if rng.IntN(5) == 0 {
			run += 1 + rng.IntN(3)
		}
		long := strings.Repeat("the same beginning ", 1+rng.IntN(3)) + fmt.Sprint(rng.IntN(9))
		f := fmt.Sprintf("%g", float64(rng.IntN(400)-200)/4)
		if rng.IntN(60) == 0 {
			f = []string{"'NaN'", "'Infinity'", "'-Infinity'", "'-0'"}[rng.IntN(4)]
		}
		list[i] = fmt.Sprintf("(%d, %d, %s, %s, %s, 'one', '%s%d', %s, %s, %s)", i, run, orNull(9, fmt.Sprintf("'%s'", strings.Repeat("a", rng.IntN(12)))),
			orNull(9, "'"+long+"'"), orNull(9, fmt.Sprint(rng.IntN(7))), strings.Repeat("x", rng.IntN(20)), i,
			orNull(9, f), orNull(9, fmt.Sprintf("%.2f", rng.Float64()*50)), orNull(9, fmt.Sprint(rng.IntN(40))))
	}
	return []string{
		"CREATE TABLE g (id int NOT NULL, run int NOT NULL, s text, l text, k int, one text NOT NULL, own text NOT NULL, f double precision, n numeric(8,2), i int)",
		"INSERT INTO g VALUES " + strings.Join(list, ", "),
	}
}

// groupQuery is a random grouping, or the first rows of the partitions of a window.
func groupQuery(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	keys := func() string {
		return pick("s", "l", "k", "one", "own", "s, l", "s, k", "l, own", "k, i", "s, l, k, i", "own, id", "s, n", "f", "run", "run", "id, run", "run, one")
	}
	where := pick("", "", " WHERE k > 2", " WHERE s <> 'aaa'", " WHERE id < 0", " WHERE id = 7")
	if rng.IntN(3) == 0 {
		numbering, order := "row_number()", pick("f DESC, id", "l, id", "n NULLS FIRST, id DESC", "id")
		if rng.IntN(2) == 0 {
			numbering, order = "rank()", pick("f", "l DESC", "n DESC NULLS LAST", "k, s")
		}
		partition := pick("", "PARTITION BY "+keys())
		return fmt.Sprintf("SELECT id, place FROM (SELECT *, %s OVER (%s ORDER BY %s) AS place FROM g%s) x WHERE place %s %d",
			numbering, partition, order, where, pick("<=", "<", "="), 1+rng.IntN(3))
	}
	aggregate := func() string {
		text := pick("count(*)", "sum(i)", "min(l)", "count(DISTINCT s)", "avg(n)", "max(s)", "sum(n)")
		if rng.IntN(2) == 0 {
			of := pick("percentile_cont(%s)", "percentile_disc(%s)", "mode()")
			if strings.Contains(of, "%") {
				of = fmt.Sprintf(of, pick("0", "0.25", "0.5", "0.9", "1", "1.0/3"))
			}
			text = fmt.Sprintf("%s WITHIN GROUP (ORDER BY %s%s)", of, pick("f", "n", "i", "i * 2 + 1"), pick("", "", " DESC"))
		}
		if rng.IntN(4) == 0 {
			text += " FILTER (WHERE " + pick("i > 20", "s IS NULL", "l <> s") + ")"
		}
		return text
	}
	by := keys()
	names := strings.Split(by, ", ")
	grouping := pick(by, by, by, "ROLLUP ("+by+")", "GROUPING SETS (("+by+"), ("+names[0]+"), ())")
	if rng.IntN(8) == 0 {
		return fmt.Sprintf("SELECT %s, %s FROM g%s", aggregate(), aggregate(), where)
	}
	return fmt.Sprintf("SELECT %s, %s, %s, %s FROM g%s GROUP BY %s", by, aggregate(), aggregate(), aggregate(), where, grouping)
}

// TestGroupsAgreeWithPostgres compares groupings by texts and several keys, percentiles,
// and first rows of partitions with PostgreSQL's answers.
func TestGroupsAgreeWithPostgres(t *testing.T) {
	ctx := context.Background()
	postgres, engine := startPostgres(t), openEngine(t)
	rng := rand.New(rand.NewPCG(*seed, 15))
	for _, sql := range groupTable(rng, 1200) {
		if err := postgres.Exec(ctx, sql); err != nil {
			t.Fatalf("%.200s: %v", sql, err)
		}
		if _, err := engine.Query(ctx, sql); err != nil {
			t.Fatalf("%.200s: %v", sql, err)
		}
	}
	all := configurations()
	for n := range *groupQueries {
		sql := groupQuery(rng)
		want, failure := postgres.Query(ctx, sql)
		engine.configure(t, all[n%len(all)])
		got, err := engine.Query(ctx, sql)
		if difference := differs(engine, postgres, got, err, want, failure); difference != "" {
			t.Errorf("%s, %s\n%s", all[n%len(all)], sql, difference)
		}
	}
}
