//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sys/unix"
)

const filesPassword = "correct horse battery"

// filesServer starts a server whose superuser is ana, in a folder that holds its data
// directory, its password file, a file to read and a FIFO.
func filesServer(t *testing.T, args ...string) (p *process, address, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"password": filesPassword + "\n", "rows.csv": "1\n2\n", "rows.json": "[{\"a\": 1}, {\"a\": 2}]"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(unix.Mkfifo(filepath.Join(dir, "fifo.csv"), 0o600), os.Symlink("/etc/passwd", filepath.Join(dir, "link.csv"))); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "DIR", dir)
	}
	p, address = serveProcess(t, append([]string{"--data", filepath.Join(dir, "db"), "--superuser", "ana",
		"--superuser-password-file", filepath.Join(dir, "password")}, args...)...)
	return p, address, dir
}

// logInAs connects a role by its password.
func logInAs(t *testing.T, address, role string) *pgconn.PgConn {
	t.Helper()
	c, err := pgconn.Connect(t.Context(), "postgres://"+address+"/db?user="+role+"&password="+strings.ReplaceAll(filesPassword, " ", "%20"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// failure returns the error of a statement, which is empty where it has none.
func failure(c *pgconn.PgConn, statement string) pgconn.PgError {
	_, err := c.Exec(context.Background(), statement).ReadAll()
	var e *pgconn.PgError
	switch {
	case errors.As(err, &e):
		return *e
	case err != nil:
		return pgconn.PgError{Message: err.Error()}
	}
	return pgconn.PgError{}
}

// fails runs a statement and checks what it fails with, and that it does so at once.
func fails(t *testing.T, c *pgconn.PgConn, statement, code, message string) {
	t.Helper()
	began := time.Now()
	e := failure(c, statement)
	if e.Code != code || !strings.Contains(e.Message, message) || e.Code == "42501" && !strings.Contains(message, "belongs") && e.Hint == "" {
		t.Errorf("%s: got %s: %s (%s), want %s: %s", statement, e.Code, e.Message, e.Hint, code, message)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("%s took %v", statement, took)
	}
}

func works(t *testing.T, c *pgconn.PgConn, statement string) {
	t.Helper()
	if _, err := c.Exec(t.Context(), statement).ReadAll(); err != nil {
		t.Errorf("%s: %v", statement, err)
	}
}

// exportsOfTheServer has a superuser and a role that may read files export and import.
func exportsOfTheServer(t *testing.T, dir string, ana, ben *pgconn.PgConn) {
	t.Helper()
	works(t, ana, "EXPORT DATABASE 'moved'; EXPORT DATABASE '"+filepath.Join(dir, "sub", "..", "moved.csv")+"/' (FORMAT csv)")
	for _, place := range []string{"/tmp/cubeloom-export", "../moved", "sub/../../moved"} {
		fails(t, ana, "EXPORT DATABASE '"+place+"'", "42501", "outside")
		fails(t, ana, "IMPORT DATABASE '"+place+"'", "42501", "outside")
	}
	fails(t, ana, "EXPORT DATABASE 'db/moved'", "42501", "belongs to the server")
	fails(t, ana, "EXPORT DATABASE 'db'", "42501", "belongs to the server")
	fails(t, ana, "EXPORT DATABASE '.'", "58P02", "not empty")
	fails(t, ana, "EXPORT DATABASE 'rows.csv'", "42809", "not a directory")
	fails(t, ana, "IMPORT DATABASE 'moved'", "42P07", "already exists")
	fails(t, ben, "EXPORT DATABASE 'bens'", "42501", "must be superuser or have privileges of the pg_write_server_files role to export a database")
	works(t, ana, "GRANT pg_write_server_files TO ben")
	works(t, ben, "EXPORT DATABASE 'moved by ben'")
	works(t, ana, "REVOKE pg_write_server_files FROM ben")
	if info, err := os.Stat(filepath.Join(dir, "moved")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v, %v", info, err)
	}
	for _, left := range []string{"bens", "db/moved", "../moved"} {
		if _, err := os.Stat(filepath.Join(dir, left)); err == nil {
			t.Errorf("%s is there", left)
		}
	}
}

// TestFilesOfTheServer has clients ask for files of the server's machine.
func TestFilesOfTheServer(t *testing.T) {
	p, address, dir := filesServer(t, "--files", "DIR")
	ana := logInAs(t, address, "ana")
	works(t, ana, "CREATE TABLE t (a text); CREATE ROLE ben LOGIN PASSWORD '"+filesPassword+"'; GRANT ALL ON t TO ben; GRANT CREATE ON SCHEMA public TO ben")
	works(t, ana, "COPY t FROM 'rows.csv'; COPY t TO 'out.csv.gz'; COPY t TO '"+filepath.Join(dir, "new.csv")+"'; SELECT * FROM 'rows.csv'; SELECT * FROM 'row*.csv'")
	manifest, err := os.ReadFile(filepath.Join(dir, "db", "MANIFEST"))
	if err != nil {
		t.Fatal(err)
	}
	for file, refused := range map[string][2]string{
		"/etc/passwd": {"42501", "outside"}, "../x": {"42501", "outside"}, "link.csv": {"42501", "outside"},
		"password": {"42501", "belongs to the server"}, "db/MANIFEST": {"42501", "belongs to the server"}, "db/server.key": {"42501", "belongs to the server"},
		"fifo.csv": {"42809", "not a regular file"}, "db": {"", ""},
	} {
		if refused[0] == "" {
			refused = [2]string{"42809", "is a directory"}
			fails(t, ana, "COPY t FROM '"+file+"'", refused[0], refused[1])
			continue
		}
		fails(t, ana, "COPY t FROM '"+file+"' (FORMAT csv)", refused[0], refused[1])
		fails(t, ana, "SELECT * FROM read_csv('"+file+"')", refused[0], refused[1])
		fails(t, ana, "CREATE TABLE u AS SELECT * FROM read_csv('"+file+"')", refused[0], refused[1])
		fails(t, ana, "EXPLAIN SELECT * FROM read_csv('"+file+"')", refused[0], refused[1])
		fails(t, ana, "CREATE VIEW v AS SELECT * FROM read_csv('"+file+"')", refused[0], refused[1])
		fails(t, ana, "COPY t TO '"+file+"' (FORMAT csv)", refused[0], refused[1])
	}
	fails(t, ana, "SELECT * FROM '/etc/*'", "42501", "outside")
	fails(t, ana, "SELECT * FROM '../*.csv'", "42501", "outside")
	fails(t, ana, "SELECT * FROM 'rows.json'", "0A000", ".json")
	fails(t, ana, "COPY t TO 'o.json'", "0A000", ".json")
	fails(t, ana, "COPY t TO 'db/MANIFEST' (FORMAT csv)", "42501", "belongs to the server")
	ben := logInAs(t, address, "ben")
	fails(t, ben, "COPY t FROM 'rows.csv'", "42501", "must be superuser or have privileges of the pg_read_server_files role to COPY from a file")
	fails(t, ben, "COPY t TO 'x.csv'", "42501", "must be superuser or have privileges of the pg_write_server_files role to COPY to a file")
	fails(t, ben, "SELECT * FROM 'rows.csv'", "42501", "pg_read_server_files")
	fails(t, ben, "CREATE VIEW v AS SELECT * FROM 'rows.csv'", "42501", "pg_read_server_files")
	works(t, ana, "GRANT pg_read_server_files TO ben")
	works(t, ben, "COPY t FROM 'rows.csv'; SELECT * FROM 'rows.csv'")
	fails(t, ben, "COPY t TO 'x.csv'", "42501", "pg_write_server_files")
	exportsOfTheServer(t, dir, ana, ben)
	if now, err := os.ReadFile(filepath.Join(dir, "db", "MANIFEST")); err != nil || len(now) < len(manifest) {
		t.Errorf("the manifest has changed: %v", err)
	}
	p.signal(t, syscall.SIGTERM)
	if code := p.wait(t, 10*time.Second); code != 0 {
		t.Errorf("the server ended with %d", code)
	}
}

// TestServerWithoutFiles has a superuser ask a server that was given no folder.
func TestServerWithoutFiles(t *testing.T) {
	_, address, dir := filesServer(t)
	ana := logInAs(t, address, "ana")
	works(t, ana, "CREATE TABLE t (a text)")
	for _, statement := range []string{"COPY t FROM 'FILE'", "COPY t TO 'FILE'", "SELECT * FROM 'FILE'", "SELECT * FROM read_csv('FILE')"} {
		fails(t, ana, strings.ReplaceAll(statement, "FILE", filepath.Join(dir, "rows.csv")), "42501", "no folder of files")
	}
	if _, err := ana.CopyFrom(t.Context(), strings.NewReader("x\n"), "COPY t FROM STDIN"); err != nil {
		t.Error(err)
	}
}

// TestFIFOsEndWithTheirStatements waits for a FIFO that nobody writes to at the command
// line, which reads whatever its user may.
func TestFIFOsEndWithTheirStatements(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo.csv")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{fifo, "/dev/zero"} {
		p := run(t, "", "sql", "-c", "CREATE TABLE t (a text); SET statement_timeout = '300ms'", "-c", "COPY t FROM '"+file+"' (FORMAT csv)")
		p.out.find(t, "(statement timeout)")
		if code := p.wait(t, 5*time.Second); code == 0 {
			t.Errorf("%s: no error", file)
		}
	}
	p := run(t, "", "sql", "-c", "SELECT * FROM '"+fifo+"'")
	p.out.find(t, "(not a regular file)")
	p.wait(t, 5*time.Second)
	p = run(t, "", "sql", "-c", "SET statement_timeout = '300ms'; COPY (SELECT 1) TO '"+fifo+"' (FORMAT csv)")
	p.wait(t, 5*time.Second)
	if info, err := os.Stat(fifo); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("COPY TO a FIFO leaves %v, %v", info.Mode(), err)
	}
	p = run(t, "", "sql", "-c", "CREATE TABLE t (a text)", "-c", "COPY t FROM '"+fifo+"' (FORMAT csv)")
	p.out.find(t, "(CREATE TABLE)")
	time.Sleep(100 * time.Millisecond)
	p.signal(t, syscall.SIGTERM)
	p.wait(t, 5*time.Second)
}
