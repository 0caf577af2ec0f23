package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// filesOf returns the contents of all files of a directory but its lock.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "LOCK" {
			out[e.Name()] = string(b)
		}
	}
	return out
}

// command runs the program's command line to its end and returns what it wrote.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(context.Background())
	return out.String(), err
}

// fillData makes a table of several pages in a data directory, and a small one.
func fillData(t *testing.T, dir string) {
	t.Helper()
	const script = `CREATE TABLE large AS SELECT g AS k, 'text ' || g AS v FROM generate_series(1, 50000) AS x(g);
		CREATE TABLE small (x integer PRIMARY KEY); INSERT INTO small VALUES (1), (2); CREATE VIEW sums AS SELECT sum(x) AS s FROM small;
		GRANT SELECT ON large, small, sums TO PUBLIC`
	if out, err := command(t, "sql", "--data", dir, "-c", script); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestServerRefusesDataWithoutManifest starts servers in a directory whose manifest is
// gone, in one that a restore has filled in part, and in one of somebody else: all
// their files stay as they are.
func TestServerRefusesDataWithoutManifest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	fillData(t, dir)
	if err := os.Remove(filepath.Join(dir, "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	partly, foreign := t.TempDir(), t.TempDir()
	for name, text := range filesOf(t, dir) {
		if strings.HasSuffix(name, ".table") {
			writeFile(t, filepath.Join(partly, name), text)
		}
	}
	writeFile(t, filepath.Join(foreign, "000001.segment"), "a word of somebody else")
	writeFile(t, filepath.Join(foreign, "notes.txt"), "keep")
	for dir, want := range map[string][]string{dir: {"XX001", "MANIFEST"}, partly: {"XX001", "MANIFEST"}, foreign: {foreign}} {
		before := filesOf(t, dir)
		p := run(t, "", "serve", "--listen", "127.0.0.1:0", "--data", dir)
		code := p.wait(t, 20*time.Second)
		for _, w := range want {
			if code != 1 || !strings.Contains(p.out.String(), w) {
				t.Errorf("exit code %d, without %s:\n%s", code, w, p.out.String())
			}
		}
		if after := filesOf(t, dir); !reflect.DeepEqual(after, before) {
			t.Errorf("%d files of %s became %d", len(before), dir, len(after))
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestServerSurvivesACutSegment(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	fillData(t, dir)
	_, address := serveProcess(t, "--data", dir, "--no-tls")
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "postgres://ana@"+address+"/db?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	paths, err := filepath.Glob(filepath.Join(dir, "*.segment"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.Size() > 64<<10 && os.Truncate(path, 100) != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		for _, text := range []string{"SELECT max(k) FROM large", "SELECT * FROM large ORDER BY v DESC", "SELECT v FROM large"} {
			_, err := conn.Exec(ctx, text)
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "XX001" || !strings.Contains(e.Message, ".segment") {
				t.Errorf("%s: %v", text, err)
			}
		}
		var sum int
		if err := conn.QueryRow(ctx, "SELECT s FROM sums").Scan(&sum); err != nil || sum != 3 {
			t.Errorf("after it: %d, %v", sum, err)
		}
	}
}

func TestCheckAndBackup(t *testing.T) {
	base := t.TempDir()
	dir, to := filepath.Join(base, "db"), filepath.Join(base, "backup")
	fillData(t, dir)
	if out, err := command(t, "check", "--data", dir); err != nil || !strings.Contains(out, "2 tables with 50002 rows, 1 views") || !strings.HasSuffix(out, "sound\n") {
		t.Errorf("%v:\n%s", err, out)
	}
	serveProcess(t, "--data", dir)
	if out, err := command(t, "check", "--data", dir); err != nil || !strings.Contains(out, "in use") {
		t.Errorf("of a server: %v:\n%s", err, out)
	}
	if out, err := command(t, "backup", "--data", dir, "--to", to); err != nil || !strings.Contains(out, "files") {
		t.Fatalf("%v:\n%s", err, out)
	}
	if _, err := command(t, "backup", "--data", dir, "--to", to); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a second backup to the same place: %v", err)
	}
	if out, err := command(t, "sql", "--data", to, "--format", "csv", "-c", "SELECT (SELECT count(*) FROM large), s FROM sums"); err != nil || !strings.Contains(out, "50000,3") {
		t.Errorf("restored: %v:\n%s", err, out)
	}
	if _, err := command(t, "sql", "--data", to, "-c", "CREATE VIEW broken AS SELECT 1 AS x; INSERT INTO small VALUES (9)"); err != nil {
		t.Fatal(err)
	}
	damageLargest(t, to)
	if out, err := command(t, "check", "--data", to); !errors.Is(err, errReported) || !strings.Contains(out, `table "large"`) || !strings.Contains(out, "problems") {
		t.Errorf("damaged: %v:\n%s", err, out)
	}
}

// TestCheckReportsAllTables: one that cannot be opened does not hide another.
func TestCheckReportsAllTables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	fillData(t, dir)
	names := 0
	for name, content := range filesOf(t, dir) {
		if strings.HasSuffix(name, ".table") {
			names++
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content[:len(content)-1]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := command(t, "check", "--data", dir)
	if !errors.Is(err, errReported) || strings.Count(out, ".table") != names || names != 2 {
		t.Errorf("%v:\n%s", err, out)
	}
}

// damageLargest changes a byte of the data of the largest segment.
func damageLargest(t *testing.T, dir string) {
	t.Helper()
	largest, content := "", ""
	for name, c := range filesOf(t, dir) {
		if strings.HasSuffix(name, ".segment") && len(c) > len(content) {
			largest, content = name, c
		}
	}
	b := []byte(content)
	b[len(b)/2] ^= 1
	if err := os.WriteFile(filepath.Join(dir, largest), b, 0o600); err != nil {
		t.Fatal(err)
	}
}
