package value

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The answers of PostgreSQL 15 that this package must give are recorded in
// testdata, one file for each operation, one row for each call: the arguments
// and the answer, separated by tabs. With CUBELOOM_TEST_POSTGRES naming a
// server, -update records the answers again, -random=N compares N random calls
// of each operation, and -grow=N records N random calls more.
var (
	update = flag.Bool("update", false, "record the goldens again from the server that CUBELOOM_TEST_POSTGRES names")
	random = flag.Int("random", 0, "compare so many random calls of each operation with that server")
	grow   = flag.Int("grow", 0, "record so many random calls of each operation from that server")
)

// operation is a function of this package with its equal in PostgreSQL.
type operation struct {
	name string
	sql  string // of the text parameters a, b, c
	args []argument
	eval func(args []string) (string, error)
	// near, if set, accepts a difference that the function's contract allows.
	near func(got, want string) bool
}

// argument draws a random argument in text.
type argument func(r *rand.Rand) string

// operations lists every operation that is compared with PostgreSQL.
func operations() []operation {
	var all []operation
	for _, group := range [][]operation{numOperations(), timeOperations(), textOperations(), floatOperations()} {
		all = append(all, group...)
	}
	return all
}

// call is an operation's row: its arguments and the answer.
type call struct {
	args   []string
	answer string
}

func TestPostgresAnswers(t *testing.T) {
	var server *recorder
	if dsn := os.Getenv("CUBELOOM_TEST_POSTGRES"); dsn != "" && (*update || *random > 0 || *grow > 0) {
		server = newRecorder(t, dsn)
	}
	for _, op := range operations() {
		t.Run(op.name, func(t *testing.T) {
			calls := readGolden(t, op.name)
			if server != nil {
				calls = server.refresh(t, op, calls)
			}
			for _, c := range calls {
				checkCall(t, op, c)
			}
		})
	}
}

// checkCall compares the package's answer to a call with PostgreSQL's.
func checkCall(t *testing.T, op operation, c call) {
	t.Helper()
	got, err := op.eval(c.args)
	if err != nil {
		got = errorAnswer(err)
	}
	if got == c.answer || op.near != nil && op.near(got, c.answer) {
		return
	}
	t.Errorf("%s: got %q\nrow: %s", op.name, got, formatCall(c))
}

// errorAnswer writes an error as the recorded answers do.
func errorAnswer(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return "not a user error: " + err.Error()
	}
	return "!" + e.Code + " " + e.Message
}

func goldenPath(name string) string { return filepath.Join("testdata", name+".tsv") }

func readGolden(t *testing.T, name string) []call {
	t.Helper()
	file, err := os.Open(goldenPath(name))
	if errors.Is(err, os.ErrNotExist) && *grow > 0 {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var calls []call
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		for i, f := range fields {
			if strings.HasPrefix(f, `"`) {
				if fields[i], err = strconv.Unquote(f); err != nil {
					t.Fatalf("%s: %s: %v", name, f, err)
				}
			}
		}
		last := len(fields) - 1
		calls = append(calls, call{args: fields[:last], answer: fields[last]})
	}
	return calls
}

func formatCall(c call) string {
	var line strings.Builder
	for _, f := range append(c.args[:len(c.args):len(c.args)], c.answer) {
		if line.Len() > 0 {
			line.WriteByte('\t')
		}
		if f == "" || strings.ContainsAny(f, "\t\n\r\"\\") || !strconv.CanBackquote(strings.ReplaceAll(f, "`", "")) {
			f = strconv.Quote(f)
		}
		line.WriteString(f)
	}
	return line.String()
}

func writeGolden(t *testing.T, name string, calls []call) {
	t.Helper()
	var text strings.Builder
	for _, c := range calls {
		text.WriteString(formatCall(c))
		text.WriteByte('\n')
	}
	if err := os.WriteFile(goldenPath(name), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// recorder asks a PostgreSQL server.
type recorder struct {
	conn *pgx.Conn
	seed uint64
}

// testFunctions give PostgreSQL's syntax that takes a keyword a text argument
// instead.
var testFunctions = []string{
	`CREATE OR REPLACE FUNCTION pg_temp.extract_from(f text, v anyelement) RETURNS numeric LANGUAGE plpgsql AS $body$
		DECLARE r numeric;
		BEGIN EXECUTE format('SELECT extract(%L FROM $1)', f) INTO r USING v; RETURN r; END $body$`,
	`CREATE OR REPLACE FUNCTION pg_temp.qualified(v text, q text) RETURNS interval LANGUAGE plpgsql AS $body$
		DECLARE r interval;
		BEGIN EXECUTE format('SELECT interval %L %s', v, q) INTO r; RETURN r; END $body$`,
}

func newRecorder(t *testing.T, dsn string) *recorder {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(ctx) })
	for _, setting := range []string{"timezone = 'UTC'", "datestyle = 'ISO'", "intervalstyle = 'postgres'"} {
		if _, err := conn.Exec(ctx, "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	for _, definition := range testFunctions {
		if _, err := conn.Exec(ctx, definition); err != nil {
			t.Fatal(err)
		}
	}
	return &recorder{conn: conn, seed: rand.Uint64()}
}

// refresh does what the flags ask for and returns the calls to check.
func (r *recorder) refresh(t *testing.T, op operation, calls []call) []call {
	if *update {
		calls = r.answer(t, op, calls)
	}
	rng := rand.New(rand.NewPCG(r.seed, uint64(len(op.name))))
	calls = append(calls, r.answer(t, op, randomCalls(op, rng, *grow))...)
	if *update || *grow > 0 {
		writeGolden(t, op.name, calls)
	}
	return append(calls, r.answer(t, op, randomCalls(op, rng, *random))...)
}

func randomCalls(op operation, rng *rand.Rand, n int) []call {
	calls := make([]call, n)
	for i := range calls {
		for _, draw := range op.args {
			calls[i].args = append(calls[i].args, draw(rng))
		}
	}
	return calls
}

// answer fills in PostgreSQL's answers.
func (r *recorder) answer(t *testing.T, op operation, calls []call) []call {
	if len(calls) == 0 {
		return nil
	}
	ctx := context.Background()
	params := []string{"a", "b", "c"}[:len(op.args)]
	define := fmt.Sprintf(`CREATE OR REPLACE FUNCTION pg_temp.%s(%s) RETURNS text LANGUAGE plpgsql AS $body$
		BEGIN RETURN coalesce((%s)::text, 'NULL');
		EXCEPTION WHEN OTHERS THEN RETURN '!' || SQLSTATE || ' ' || SQLERRM; END $body$`,
		"op_"+op.name, strings.Join(params, " text, ")+" text", op.sql)
	if _, err := r.conn.Exec(ctx, define); err != nil {
		t.Fatalf("%s: %v", op.name, err)
	}
	columns := make([]any, len(params))
	var unnest []string
	for i := range params {
		column := make([]string, len(calls))
		for j, c := range calls {
			column[j] = c.args[i]
		}
		columns[i] = column
		unnest = append(unnest, fmt.Sprintf("$%d::text[]", i+1))
	}
	query := fmt.Sprintf("SELECT pg_temp.op_%s(%s) FROM unnest(%s) WITH ORDINALITY AS u(%s, place) ORDER BY place",
		op.name, strings.Join(params, ", "), strings.Join(unnest, ", "), strings.Join(params, ", "))
	rows, err := r.conn.Query(ctx, query, columns...)
	if err != nil {
		t.Fatalf("%s: %v", op.name, err)
	}
	answers, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", op.name, err)
	}
	answered := make([]call, len(calls))
	for i, c := range calls {
		answered[i] = call{args: c.args, answer: answers[i]}
	}
	return answered
}
