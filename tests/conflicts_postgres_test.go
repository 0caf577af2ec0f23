//go:build reference

package tests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/reference"
)

var (
	conflictCount = flag.Int("conflicts.count", 300, "how many random INSERT … ON CONFLICT are compared with PostgreSQL")
	conflictSeed  = flag.Uint64("conflicts.seed", 1, "their seed")
)

// TestConflictsAsWithPostgres runs random INSERTs with ON CONFLICT here and in PostgreSQL: what
// they return, their errors, and the table behind each of them.
func TestConflictsAsWithPostgres(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	script := randomConflicts(rand.New(rand.NewPCG(*conflictSeed, 0)), *conflictCount)
	got := runScript(t, ctx, serve(t), script)
	want := runScript(t, ctx, "host="+pg.Dir()+" user=postgres dbname=postgres", script)
	for i := range got {
		if !sameAnswer(got[i].text, want[i].text) && !(violation.MatchString(got[i].text) && violation.MatchString(want[i].text)) {
			t.Fatalf("seed %d: %s\ngot\n%s\nwant\n%s", *conflictSeed, got[i].statement, got[i].text, want[i].text)
		}
	}
}

// violation is an error of a row. PostgreSQL goes by rows, and names what is wrong with the first
// of them.
var violation = regexp.MustCompile(`^ERROR:  (2350[25]|21000|22012): `)

// randomConflicts is a script over a table with three keys of few values.
func randomConflicts(r *rand.Rand, count int) string {
	var script strings.Builder
	script.WriteString("CREATE TABLE t (id integer PRIMARY KEY, k text UNIQUE, a integer, b numeric(4, 1), n integer NOT NULL DEFAULT 0);\n" +
		"CREATE UNIQUE INDEX t_both ON t (b, a);\n")
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	number := func(null string) string {
		return pick(null, fmt.Sprint(r.IntN(12)), fmt.Sprint(r.IntN(12)), fmt.Sprint(r.IntN(12)))
	}
	text := func() string { return pick("NULL", "'x'", "'y'", "'z'", fmt.Sprintf("'k%d'", r.IntN(20))) }
	for range count {
		rows := make([]string, 1+r.IntN(4))
		for i := range rows {
			rows[i] = fmt.Sprintf("(%d, %s, %s, %s, %s)", r.IntN(30), text(), number("NULL"), number("NULL"), number(pick("DEFAULT", "7", "7", "7", "NULL")))
		}
		source := "VALUES " + strings.Join(rows, ", ")
		if r.IntN(3) == 0 && !strings.Contains(source, "DEFAULT") {
			source = "SELECT id, k, a::integer, b::numeric, n::integer FROM (" + source + ") AS s (id, k, a, b, n) WHERE n IS DISTINCT FROM 3"
		}
		target := pick("(id)", "(k)", "(a, b)", "(b, a)", "ON CONSTRAINT t_pkey", "ON CONSTRAINT t_k_key")
		action := "DO UPDATE SET n = " + pick("excluded.n", "t.n + 1", "coalesce(t.a, 0) + excluded.id", "DEFAULT", "NULL", "10 / t.n") +
			pick("", "", " WHERE t.n < 5", " WHERE excluded.n > t.n", " WHERE t.k = 'x'")
		if target == "(id)" { // elsewhere PostgreSQL would find rows that the statement moves on
			action = strings.Replace(action, "SET", "SET id = excluded.id,", 1)
		}
		if r.IntN(3) == 0 {
			target, action = pick("", target), "DO NOTHING"
		}
		fmt.Fprintf(&script, "INSERT INTO t %s ON CONFLICT %s %s%s;\n", source, target, action, pick("", " RETURNING *", " RETURNING id, n * 2 AS twice, k"))
		if r.IntN(8) == 0 {
			fmt.Fprintf(&script, "DELETE FROM t WHERE id %% 3 = %d;\n", r.IntN(3))
		}
		script.WriteString("SELECT * FROM t ORDER BY id;\n")
	}
	return script.String()
}
