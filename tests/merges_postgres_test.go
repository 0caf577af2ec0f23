//go:build reference

package tests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	mergeCount = flag.Int("merges.count", 300, "how many random MERGE and statements with changes in WITH are compared with PostgreSQL")
	mergeSeed  = flag.Uint64("merges.seed", 1, "their seed")
)

// TestMergesAsWithPostgres runs random MERGE, and changes in WITH, here and in PostgreSQL: what they
// return, their errors, and the tables behind each of them.
func TestMergesAsWithPostgres(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	script := randomMerges(rand.New(rand.NewPCG(*mergeSeed, 0)), *mergeCount)
	got := runScript(t, ctx, serve(t), script)
	want := runScript(t, ctx, "host="+pg.Dir()+" user=postgres dbname=postgres", script)
	for i := range got {
		if !sameAnswer(got[i].text, want[i].text) && !(violation.MatchString(got[i].text) && violation.MatchString(want[i].text)) {
			t.Fatalf("seed %d: %s\ngot\n%s\nwant\n%s", *mergeSeed, got[i].statement, got[i].text, want[i].text)
		}
	}
}

// randomMerges is a script over two tables of few values.
func randomMerges(r *rand.Rand, count int) string {
	var script strings.Builder
	script.WriteString("CREATE TABLE t (id integer PRIMARY KEY, k text, n integer NOT NULL DEFAULT 0, c numeric(6, 2));\n" +
		"CREATE TABLE u (id integer, k text, n integer, c numeric(6, 2));\n")
	for i := range count {
		statement := randomMerge
		if r.IntN(2) == 0 {
			statement = randomWith
		}
		script.WriteString(statement(r) + ";\nSELECT * FROM t ORDER BY id;\nSELECT * FROM u ORDER BY id, k, n, c;\n")
		if i%10 == 0 {
			fmt.Fprintf(&script, "DELETE FROM u;\nINSERT INTO t SELECT g, 'k' || g %% 4, g, g * 0.5 FROM generate_series(1, %d) g ON CONFLICT DO NOTHING;\n", 1+r.IntN(20))
		}
	}
	return script.String()
}

// oneOf is one of some texts.
func oneOf(r *rand.Rand, options ...string) string { return options[r.IntN(len(options))] }

// randomMerge is a MERGE into t.
func randomMerge(r *rand.Rand) string {
	rows := make([]string, 1+r.IntN(5))
	for i := range rows {
		rows[i] = fmt.Sprintf("(%s, '%s', %s)", oneOf(r, fmt.Sprint(r.IntN(25)), fmt.Sprint(r.IntN(25)), fmt.Sprint(r.IntN(25)), "NULL"), oneOf(r, "x", "y", "z"), oneOf(r, "1", "2", "NULL", "40"))
	}
	source := "(VALUES " + strings.Join(rows, ", ") + ") AS s (id, k, n)"
	source = oneOf(r, source, source, source, "u AS s", "(SELECT DISTINCT ON (id) id, k, n FROM u ORDER BY id, k, n) AS s", "(SELECT id + 1 AS id, k, n FROM t) AS s")
	var clauses []string
	for range 1 + r.IntN(4) {
		matched := "WHEN MATCHED AND " + oneOf(r, "s.n = 1", "t.n > 5", "t.k < s.k", "t.n IS DISTINCT FROM s.n") + " THEN " + oneOf(r,
			"UPDATE SET n = s.n", "UPDATE SET k = s.k || t.k, c = t.n", "UPDATE SET n = DEFAULT, c = c + 1", "UPDATE SET (k, n) = (s.k || 'q', 5)", "DELETE", "DELETE", "DO NOTHING")
		missing := "WHEN NOT MATCHED AND " + oneOf(r, "s.n = 1", "s.id > 10", "s.k <> 'x'") + " THEN " + oneOf(r,
			"INSERT VALUES (s.id, s.k, s.n, 1)", "INSERT (id, k) VALUES (s.id, s.k)", "INSERT (c, id) VALUES (s.n * 2, s.id + 100)", "INSERT (id, n) VALUES (s.id, DEFAULT)", "DO NOTHING")
		clauses = append(clauses, oneOf(r, matched, missing))
	}
	on := oneOf(r, "t.id = s.id", "t.id = s.id", "t.id = s.id AND t.n < 10", "t.k = s.k AND t.id = s.id")
	return "MERGE INTO t USING " + source + " ON " + on + " " + strings.Join(clauses, " ")
}

// randomWith is a statement with changes in its WITH. Those that it reads change rows apart.
func randomWith(r *rand.Rand) string {
	part := func(rest int) string {
		where := fmt.Sprintf("WHERE id %% 3 = %d", rest) + oneOf(r, "", " AND n > 3", " AND k <> 'x'")
		return oneOf(r, "DELETE FROM t "+where+" RETURNING id, k, n", "UPDATE t SET n = n + 1 "+where+" RETURNING id, k, n",
			fmt.Sprintf("INSERT INTO u SELECT id, k, n FROM t %s RETURNING id, k, n", where), "UPDATE t SET k = k || '!', c = NULL "+where+" RETURNING id, k, n")
	}
	with := fmt.Sprintf("WITH a AS (%s), b AS (%s), r AS (SELECT id, max(k) AS k, sum(n)::integer AS n FROM a GROUP BY id)", part(0), part(1))
	if r.IntN(3) == 0 {
		with += ", lone AS (" + part(r.IntN(3)) + ")"
		return with + " " + oneOf(r, "SELECT 1", "DELETE FROM t WHERE n > 6", "UPDATE t SET n = n * 2 WHERE id > 3")
	}
	return with + " " + oneOf(r,
		"SELECT * FROM a UNION ALL SELECT * FROM b ORDER BY 1, 2, 3",
		"SELECT a.n, t.n FROM a JOIN t USING (id) ORDER BY 1, 2",
		"SELECT count(*), (SELECT sum(n) FROM b), (SELECT count(*) FROM t) FROM r",
		"INSERT INTO u SELECT r.id, b.k, r.n FROM r LEFT JOIN b ON b.id = r.id + 1",
		"UPDATE t SET c = r.n FROM r WHERE t.id = r.id + 2",
		"DELETE FROM u USING b WHERE u.id = b.id",
		"MERGE INTO t USING (SELECT id + 2 AS id, n FROM r) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id + 50, s.n)")
}
