//go:build reference

package tests

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// psqlSchema is what psql describes, here and in PostgreSQL.
const psqlSchema = `
CREATE TABLE t (a int NOT NULL, b varchar(10), c numeric(10,2), d date, e timestamp, f float8, g interval, h boolean, i bigint, j smallint, k text, PRIMARY KEY (a));
CREATE TABLE "Odd Name" ("X y" int, z int NOT NULL);
CREATE VIEW v AS SELECT a, b FROM t;
INSERT INTO t (a, b, c) VALUES (1, 'x', 1.5), (2, NULL, 2), (3, 'äöü', 3);
`

// psqlCommands are commands of psql that answer as with PostgreSQL.
var psqlCommands = []string{
	`\d`, `\d t`, `\d v`, `\d "Odd Name"`, `\d t_pkey`, `\d nope`, `\d t*`, `\dt`, `\dt public.*`, `\dt t`, `\dt "Odd Name"`, `\dv`, `\di`, `\ds`, `\dm`, `\dE`,
	`\df`, `\da nope`, `\dp`, `\z t`, `\dT`, `\dD`, `\dO`, `\dc`, `\do`, `\des`, `\dew`, `\det`, `\dy`, `\dRp`, `\dRs`, `\drds`, `\dP`, `\db`,
	`\dconfig datestyle`, `SELECT 1 AS a, 'x' AS b, NULL AS c \gdesc`, `SELECT * FROM t \gdesc`, `SELECT a, b, c FROM t ORDER BY a \gx`,
	`SELECT * FROM nope`, `SELECT a +  FROM t`, `SELECT 'ä', nope FROM t`, `COPY (SELECT a, b, c FROM t ORDER BY a) TO STDOUT`,
	`\copy (SELECT a, b FROM t ORDER BY a) to stdout csv header`, `SELECT :SERVER_VERSION_NUM / 10000`, `\encoding`, `-- nothing`, `SELECT 1; SELECT 2`,
	`\crosstabview`, `SELECT b, a, c FROM t ORDER BY a \crosstabview b a c`, `SELECT a FROM t WHERE a = 1 \gset p_`, `\! true`,
	`BEGIN; SELECT nope; SELECT 2`, `SHOW DateStyle`, `SHOW transaction_isolation`,
}

// psql runs commands, each as one argument -c.
func psql(ctx context.Context, target string, commands ...string) *exec.Cmd {
	args := []string{"-X", "-v", "VERBOSITY=verbose"}
	for _, c := range commands {
		args = append(args, "-c", c)
	}
	cmd := exec.CommandContext(ctx, "psql", append(args, target)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PGOPTIONS=")
	return cmd
}

// output is what psql writes, without the places in PostgreSQL's source.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "LOCATION:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// serve serves a new database for psql and returns how to connect to it.
func serve(t *testing.T) (target string) {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nameSuperuser(t, db)
	return "host=127.0.0.1 port=" + listen(t, db, server.Config{DB: db}) + " user=postgres dbname=postgres password='" + clientPassword + "'"
}

// nameSuperuser gives the superuser the name of PostgreSQL's, and a password.
func nameSuperuser(t *testing.T, db *cubeloom.DB) {
	t.Helper()
	verifier, err := cubeloom.PasswordVerifier(clientPassword)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.ChangeRole(t.Context(), "cubeloom", func(r *cubeloom.Role) error {
		r.Name, r.Verifier = "postgres", verifier
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// listen serves a database until the test ends, and closes it then.
func listen(t *testing.T, db *cubeloom.DB, cfg server.Config) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := server.New(cfg)
	go srv.Serve(l)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		db.Close()
	})
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

func TestPsqlAsWithPostgres(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	ours, theirs := serve(t), "host="+pg.Dir()+" user=postgres dbname=postgres"
	for _, target := range []string{ours, theirs} {
		if out := output(t, psql(ctx, target, psqlSchema)); strings.Contains(out, "ERROR") {
			t.Fatal(out)
		}
	}
	for _, c := range psqlCommands {
		got, want := output(t, psql(ctx, ours, c)), output(t, psql(ctx, theirs, c))
		if got != want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c, got, want)
		}
	}
}

// TestPsqlAtWork uses what is not compared: answers that differ by design, and
// commands that read and write.
func TestPsqlAtWork(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	target := serve(t)
	file := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(file, []byte("1,x\n2,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, want string }{
		{psqlSchema, "INSERT 0 3"},
		{`\conninfo`, "You are connected to database"},
		{`\l`, "postgres"}, {`\dn`, "public"}, {`\du`, "Superuser"}, {`\dt+`, "heap"}, {`\d+ t`, "Access method: heap"},
		{`\sv v`, "CREATE OR REPLACE VIEW public.v AS"}, {`\dA`, "btree"}, {`\dx`, "(0 rows)"}, {`\dL`, "(0 rows)"}, {`\dC`, "(0 rows)"}, {`\dF`, "(0 rows)"},
		{`\copy t (a, b) from '` + file + `' csv`, "duplicate key"},
		{`\copy "Odd Name" ("X y", z) from program 'printf "1\t2\n3\t4\n"'`, "COPY 2"},
		{`\timing on`, "Timing is on."},
	} {
		if out := output(t, psql(ctx, target, c.command)); !strings.Contains(out, c.want) {
			t.Errorf("%s: got %s", c.command, out)
		}
	}
	cmd := psql(ctx, target)
	cmd.Stdin = strings.NewReader("\\set FETCH_COUNT 2\n\\t on\n\\pset format unaligned\nSELECT a FROM t ORDER BY a;\n")
	if out := output(t, cmd); !strings.Contains(out, "1\n2\n3\n") {
		t.Errorf("with FETCH_COUNT: %s", out)
	}
}

// TestPsqlInterrupt ends a running cube by Ctrl-C.
func TestPsqlInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	target := serve(t)
	cmd := psql(ctx, target)
	cmd.Stdin = strings.NewReader("CREATE TABLE n AS SELECT a.v + 10 * b.v + 100 * c.v AS i FROM (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) a(v), " +
		"(VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) b(v), (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) c(v);\n" +
		"SELECT x.i % 7, y.i % 11, z.i % 13, count(*) FROM n x, n y, n z GROUP BY CUBE (1, 2, 3);\nSELECT 'went on';\n")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	began := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	// What users are promised is a tenth of this; a machine with other work may
	// take longer, but a cube that goes on takes minutes.
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("psql ended %v after the interrupt", took)
	}
	if got := out.String(); !strings.Contains(got, "ERROR:  57014: canceling statement due to user request") {
		t.Errorf("got %s", got)
	}
}
