//go:build reference

package tests

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// dumpSchema is what TestDump moves: keys, defaults, comments, views and privileges.
const dumpSchema = `
CREATE ROLE reader;
CREATE TABLE dim (id int, "Name" text NOT NULL, region varchar(10), CONSTRAINT dim_key PRIMARY KEY ("Name", id));
CREATE TABLE fact (id bigint, d int NOT NULL DEFAULT 7, amount numeric(12,2), price float8, r real, at timestamptz,
	day date, tags text[], flag boolean DEFAULT true, iv interval, code varchar(3) DEFAULT 'x''y'::character varying, PRIMARY KEY (id, d), UNIQUE (at));
CREATE VIEW totals AS SELECT "Name", sum(amount) AS total FROM fact JOIN dim ON d = dim.id GROUP BY "Name";
CREATE VIEW above (a, "B c") AS WITH fact AS (SELECT 1 AS id) SELECT dim.id, f.id FROM dim, fact f
	WHERE EXISTS (SELECT 1 FROM public.fact x JOIN totals t ON true) OR dim.id IN (SELECT id FROM dim);
INSERT INTO dim VALUES (1, 'a', 'x'), (2, 'b', NULL), (7, E'q''uo\t\\te\n', 'z');
INSERT INTO fact VALUES (1, 1, 1.5, 2.5, 0.1, '2024-01-01 12:00+02', '2024-01-01', '{a,"b c",NULL}', true, '1 day 02:00', 'ab'),
	(2, 7, NULL, 'NaN', NULL, NULL, NULL, NULL, false, NULL, NULL);
COMMENT ON TABLE dim IS 'it''s a table';
COMMENT ON COLUMN fact.amount IS 'in euros';
COMMENT ON VIEW totals IS 'a view';
GRANT SELECT ON dim TO reader WITH GRANT OPTION;
GRANT SELECT (id, d), UPDATE (amount) ON fact TO reader;
`

// TestDump has pg_dump move a database from here to PostgreSQL and from there to another
// one here, as SQL and in the custom format: what is dumped at the end is what was dumped
// at the beginning, but for the texts of views, which give the same rows.
func TestDump(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	first, theirs, last := serve(t), "host="+pg.Dir()+" user=postgres dbname=postgres", serve(t)
	run(t, ctx, first, dumpSchema)
	run(t, ctx, theirs, "CREATE ROLE reader")
	run(t, ctx, last, "CREATE ROLE reader")

	began := dump(t, ctx, first)
	restore(t, ctx, first, theirs)
	run(t, ctx, last, dump(t, ctx, theirs))
	if got, want := withoutViews(dump(t, ctx, last)), withoutViews(began); got != want {
		t.Errorf("dumped at the end\n%s\nat the beginning\n%s", got, want)
	}
	for _, query := range []string{"SELECT * FROM totals ORDER BY 1", `SELECT a, "B c" FROM above ORDER BY 1, 2`, "SELECT * FROM fact ORDER BY 1"} {
		want := output(t, psql(ctx, first, query))
		for _, target := range []string{theirs, last} {
			if got := output(t, psql(ctx, target, query)); !sameAnswer(got, want) {
				t.Errorf("%s\ngot\n%s\nwant\n%s", query, got, want)
			}
		}
	}
}

// program is a program of PostgreSQL's.
func program(ctx context.Context, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, filepath.Join(reference.Programs(), name), args...)
}

// dump is a database as pg_dump writes it.
func dump(t *testing.T, ctx context.Context, from string) string {
	t.Helper()
	out, err := program(ctx, "pg_dump", "-d", from).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// restore moves a database by pg_dump's custom format and pg_restore.
func restore(t *testing.T, ctx context.Context, from, to string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dump")
	if out, err := program(ctx, "pg_dump", "-d", from, "-Fc", "-f", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := program(ctx, "pg_restore", "-d", to, "--exit-on-error", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// run has psql run a script that must not fail.
func run(t *testing.T, ctx context.Context, target, script string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := program(ctx, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", target, "-f", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

var (
	viewText = regexp.MustCompile(`(?s)CREATE VIEW (\S+) AS\n.*?;\n`)
	varying  = regexp.MustCompile(`(?m)^(\\(un)?restrict|-- (Dumped|Started|Completed)).*\n`)
)

// withoutViews is a dump without the texts of views and what differs from dump to dump.
func withoutViews(dump string) string {
	return viewText.ReplaceAllString(varying.ReplaceAllString(dump, ""), "CREATE VIEW $1;\n")
}
