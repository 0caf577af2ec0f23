package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestOrdinaryRoles has a role without privileges try what only superusers, owners
// and members of the monitoring roles may do to a server process.
func TestOrdinaryRoles(t *testing.T) {
	dir := t.TempDir()
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte(filesPassword+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, address := serveProcess(t, "--data", filepath.Join(dir, "db"), "--superuser", "ana", "--superuser-password-file", password,
		"--slow-query", "1ns", "--threads", "1")
	ana := logInAs(t, address, "ana")
	works(t, ana, "CREATE ROLE ben LOGIN PASSWORD '"+filesPassword+"'; CREATE TABLE anas (a integer); GRANT SELECT ON anas TO ben")
	works(t, ana, "SELECT 'a secret of ana' FROM anas")
	ben := logInAs(t, address, "ben")
	for statement, want := range map[string]string{
		"SHOW is_superuser": "off",
		fmt.Sprintf("SELECT query FROM pg_stat_activity WHERE pid = %d", ana.PID()): "<insufficient privilege>",
		"SELECT count(*) FROM anas": "0",
	} {
		if got := only(t, ben, statement); got != want {
			t.Errorf("%s: got %s, want %s", statement, got, want)
		}
	}
	for _, refused := range [][2]string{
		{"DROP TABLE anas", "must be owner of table anas"},
		{"INSERT INTO anas VALUES (1)", "permission denied for table anas"},
		{"CREATE TABLE bens (a integer)", "permission denied for schema public"},
		{"CREATE ROLE cleo", "permission denied to create role"},
		{"ALTER ROLE ben SUPERUSER", "must be superuser"},
		{"ALTER ROLE ana PASSWORD 'another password'", "must be superuser"},
		{"SET ROLE ana", `permission denied to set role "ana"`},
		{fmt.Sprintf("SELECT pg_terminate_backend(%d)", ana.PID()), "must be a superuser to terminate superuser process"},
		{fmt.Sprintf("SELECT pg_cancel_backend(%d)", ana.PID()), "must be a superuser to cancel superuser query"},
		{"SELECT rolpassword FROM pg_authid", "permission denied for table pg_authid"},
	} {
		if got := failure(ben, refused[0]); got.Code != "42501" || !strings.Contains(got.Message, refused[1]) {
			t.Errorf("%s: got %s: %s, want 42501: %s", refused[0], got.Code, got.Message, refused[1])
		}
	}
	for _, statement := range []string{"SET memory_limit = 0", "SET memory_limit = '100GB'", "SET threads = 1024", "SELECT set_config('threads', '1024', false)"} {
		if got := failure(ben, statement); got.Code == "" {
			t.Errorf("%s is accepted", statement)
		}
	}
	if got := only(t, ben, "SHOW threads"); got != "1" {
		t.Errorf("threads is %s", got)
	}
	if got := only(t, ana, "SELECT count(*) FROM anas"); got != "0" { // in the session that ben sought to end
		t.Errorf("the table has %s rows", got)
	}
	if log := p.out.String(); strings.Contains(log, "a secret of ana") || strings.Contains(log, filesPassword) || !strings.Contains(log, "SELECT ? FROM anas") {
		t.Errorf("the log of slow statements:\n%s", log)
	}
}

// only returns the one value of a result.
func only(t *testing.T, c *pgconn.PgConn, statement string) string {
	t.Helper()
	results, err := c.Exec(t.Context(), statement).ReadAll()
	if err != nil || len(results) != 1 || len(results[0].Rows) != 1 || len(results[0].Rows[0]) != 1 {
		t.Errorf("%s: %v, %v", statement, results, err)
		return ""
	}
	return string(results[0].Rows[0][0])
}
