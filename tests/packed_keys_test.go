package tests

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/tpch"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// keyWords are the arrays of words of keys in CUDA source.
var keyWords = regexp.MustCompile(`u64 key\[(?:R\]\[)?(\d+)\]`)

// TestKeysOfQ16 holds that the keys by which TPC-H's Q16 groups, two of which are codes, take one word together.
func TestKeysOfQ16(t *testing.T) {
	const sf = 0.01
	db := openNullEngine(t)
	db.load(t, tpch.Data{SF: sf})
	mustRun(t, db, "SET device = cuda")
	mustRun(t, db, "SET distinct_strategy = split")
	mustRun(t, db, "SET aggregate_strategy = shared")
	var q workload.Query
	for _, of := range tpch.Queries(sf) {
		if strings.HasSuffix(of.Name, "Q16") {
			q = of
		}
	}
	source, err := db.Query(t.Context(), "EXPLAIN (CUDA) "+q.SQL)
	if err != nil {
		t.Fatal(err)
	}
	found := keyWords.FindAllStringSubmatch(source.String(), -1)
	if len(found) == 0 {
		t.Error("nothing is grouped by hashing")
	}
	for _, words := range found {
		if words[1] != "1" {
			t.Errorf("a key takes %s words", words[1])
		}
	}
}

// growing is a table with dictionaries that grow, and what a statement that was prepared before
// answers of it.
type growing struct {
	t      *testing.T
	run    func(sql string) *reference.Result
	groups map[string][2]int // the number of rows and the sum by keys
}

// growingStatement groups by two columns of texts, one of which becomes NULL later, and an integer.
const growingStatement = "SELECT a, b, k, count(*), sum(v), min(a) FROM grown GROUP BY a, b, k"

func newGrowing(t *testing.T, run func(sql string) *reference.Result) *growing {
	run("CREATE TABLE grown (a text NOT NULL, b text, k int, v int)")
	run("PREPARE p AS " + growingStatement)
	return &growing{t, run, make(map[string][2]int)}
}

// insert adds rows with texts that are numbered.
func (g *growing) insert(texts int) {
	var rows []string
	for i := range texts {
		a, b, k := fmt.Sprintf("'text %d'", i), fmt.Sprintf("'b%d'", i%3), i%2
		if i%4 == 3 {
			b = "NULL"
		}
		rows = append(rows, fmt.Sprintf("(%s, %s, %d, %d)", a, b, k, i))
		key := strings.ReplaceAll(fmt.Sprintf("%s|%s|%d", a, b, k), "'", "")
		n := g.groups[key]
		g.groups[key] = [2]int{n[0] + 1, n[1] + i}
	}
	g.run("INSERT INTO grown VALUES " + strings.Join(rows, ", "))
}

// check compares what the statement answers with what it must.
func (g *growing) check(when string) {
	g.t.Helper()
	res := g.run("EXECUTE p")
	if len(res.Rows) != len(g.groups) {
		g.t.Errorf("%s: %d groups, not %d", when, len(res.Rows), len(g.groups))
	}
	for _, row := range res.Rows {
		key := reference.Line(row[:3])
		n, there := g.groups[key]
		if want := fmt.Sprintf("%s|%d|%d|%s", key, n[0], n[1], row[0].Text); !there || reference.Line(row) != want {
			g.t.Errorf("%s: %s, not %s", when, reference.Line(row), want)
		}
	}
}

// checkGrowing has dictionaries grow over the numbers of texts that so many bits hold, between runs of a statement
// that was prepared when they were empty.
func checkGrowing(t *testing.T, run, other func(sql string) *reference.Result) {
	t.Helper()
	g := newGrowing(t, run)
	g.check("empty")
	for _, texts := range []int{1, 2, 3, 4, 5, 8, 9} {
		g.insert(texts)
		g.check(fmt.Sprintf("%d texts", texts))
	}
	run("BEGIN")
	run("INSERT INTO grown SELECT 'new ' || i, NULL, 7, i FROM generate_series(1, 300) AS s (i)")
	if n := len(run("EXECUTE p").Rows); n != len(g.groups)+300 {
		t.Errorf("a transaction that has added 300 texts sees %d groups", n)
	}
	run("ROLLBACK")
	g.check("rolled back")
	run("BEGIN ISOLATION LEVEL REPEATABLE READ")
	g.check("before another adds texts")
	other("INSERT INTO grown SELECT 'other ' || i, 'b' || i, 8, i FROM generate_series(1, 40) AS s (i)")
	g.check("after another has added texts")
	run("COMMIT")
	if n := len(run("EXECUTE p").Rows); n != len(g.groups)+40 {
		t.Errorf("%d groups when another has added 40", n)
	}
	run("DELETE FROM grown WHERE k = 8")
	g.check("when most texts have gone")
	run("TRUNCATE grown")
	clear(g.groups)
	g.check("truncated")
	g.insert(2)
	g.check("2 texts of a new table")
}

// TestGrowingDictionaries is checkGrowing on the CPU, with every strategy that applies.
func TestGrowingDictionaries(t *testing.T) {
	for _, strategy := range []string{"auto", "hash"} {
		t.Run(strategy, func(t *testing.T) {
			db := openEngine(t)
			other := &engine{db.db, db.db.Session()}
			mustRun(t, db, "SET aggregate_strategy = "+strategy)
			checkGrowing(t, runner(t, db), runner(t, other))
		})
	}
}

// runner runs statements that must not fail.
func runner(t *testing.T, db *engine) func(sql string) *reference.Result {
	return func(sql string) *reference.Result {
		t.Helper()
		res, err := db.Query(t.Context(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return res
	}
}
