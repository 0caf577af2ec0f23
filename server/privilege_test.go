package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
)

// connectAs logs in as a role.
func connectAs(t *testing.T, address, role string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), "postgres://"+role+"@"+address+"/db?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// TestSessionsOfOthers lets roles look at each other's sessions and end them as far as
// they may.
func TestSessionsOfOthers(t *testing.T) {
	var db *cubeloom.DB
	address, _ := start(t, func(c *server.Config) { db = c.DB })
	ana, ben := connectAs(t, address, "ana"), connectAs(t, address, "ben")
	pid := ana.PgConn().PID()
	if _, err := simple(ana, "SELECT 'a secret of ana'"); err != nil {
		t.Fatal(err)
	}
	owner := db.Session()
	defer owner.Close()
	run := func(text string) {
		if _, err := owner.Query(context.Background(), text); err != nil {
			t.Fatal(err)
		}
	}
	seen := func(conn *pgx.Conn) string {
		got, err := simple(conn, fmt.Sprintf("SELECT query, state IS NULL FROM pg_stat_activity WHERE pid = %d", pid))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := seen(ben); got != "<insufficient privilege>|t\nSELECT 1\n" {
		t.Errorf("a stranger sees %s", got)
	}
	for text, want := range map[string]string{
		"SELECT pg_cancel_backend(%d)":    "must be a member of the role whose query is being canceled or member of pg_signal_backend",
		"SELECT pg_terminate_backend(%d)": "must be a member of the role whose process is being terminated or member of pg_signal_backend",
	} {
		if _, err := simple(ben, fmt.Sprintf(text, pid)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v", text, err)
		}
	}
	run("GRANT pg_monitor, pg_signal_backend TO ben")
	if got := seen(ben); !strings.Contains(got, "a secret of ana") {
		t.Errorf("a member of pg_monitor sees %s", got)
	}
	run("ALTER ROLE ana SUPERUSER")
	if _, err := simple(ben, fmt.Sprintf("SELECT pg_terminate_backend(%d)", pid)); err == nil || !strings.Contains(err.Error(), "must be a superuser to terminate superuser process") {
		t.Errorf("a superuser's session: %v", err)
	}
	run("ALTER ROLE ana NOSUPERUSER")
	if got, err := simple(ben, fmt.Sprintf("SELECT pg_terminate_backend(%d)", pid)); err != nil || !strings.HasPrefix(got, "t\n") {
		t.Errorf("%s, %v", got, err)
	}
}

// TestBoundsOfRoles logs in roles whose settings are bounded.
func TestBoundsOfRoles(t *testing.T) {
	var db *cubeloom.DB
	address, _ := start(t, func(c *server.Config) { db = c.DB })
	owner := db.Session()
	defer owner.Close()
	for _, text := range []string{
		"CREATE ROLE ana LOGIN", "ALTER ROLE ana SET memory_limit = '64MB' LIMIT", "ALTER ROLE ana SET statement_timeout = '5s' LIMIT",
		"ALTER ROLE ana SET statement_timeout = '2s'", "ALTER ROLE ana SET threads = 1",
	} {
		if _, err := owner.Query(context.Background(), text); err != nil {
			t.Fatal(text, err)
		}
	}
	if _, err := owner.Query(context.Background(), "ALTER ROLE ana SET timezone = 'UTC' LIMIT"); err == nil {
		t.Error("a time zone has a bound")
	}
	ana := connectAs(t, address, "ana")
	for _, c := range []struct{ text, want string }{
		{"SHOW memory_limit", "67108864"}, {"SHOW statement_timeout", "2s"}, {"SHOW threads", "1"},
		{"SET memory_limit = '65MB'", "permission denied"}, {"SET memory_limit = 0", "permission denied"}, {"SET memory_limit = '1MB'", ""},
		{"SET statement_timeout = '5s'", ""}, {"SET statement_timeout = 0", "permission denied"}, {"SET LOCAL statement_timeout = '6s'", "SET"},
		{"SELECT set_config('memory_limit', '1GB', false)", "permission denied"}, {"RESET statement_timeout", ""}, {"SHOW statement_timeout", "2s"},
		{"ALTER ROLE ana SET memory_limit = '1GB' LIMIT", "must be superuser"}, {"ALTER ROLE ana RESET ALL", ""}, {"ALTER ROLE ana SET memory_limit = '1GB'", ""},
	} {
		got, err := simple(ana, c.text)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || err != nil && c.want == "" {
			t.Errorf("%s: %s, want %q", c.text, got, c.want)
		}
	}
	again := connectAs(t, address, "ana")
	if got, err := simple(again, "SHOW memory_limit"); err != nil || !strings.HasPrefix(got, "67108864\n") {
		t.Errorf("after the role tried to raise its bound: %s, %v", got, err)
	}
}

// TestRefusalsAreNoDefects makes mistakes to which PostgreSQL answers with the code of
// internal errors: the log, which fails the test, does not call them so.
func TestRefusalsAreNoDefects(t *testing.T) {
	var db *cubeloom.DB
	address, _ := start(t, func(c *server.Config) { db = c.DB })
	if err := db.CreateRole(context.Background(), cubeloom.Role{Name: "maker", Login: true, CreateRole: true, Inherit: true, ConnectionLimit: -1}); err != nil {
		t.Fatal(err)
	}
	maker := connectAs(t, address, "maker")
	for text, want := range map[string]string{
		"GRANT pg_database_owner TO maker": `role "pg_database_owner" cannot have explicit members`,
		"GRANT maker TO pg_database_owner": `role "pg_database_owner" cannot be a member of any role`,
	} {
		if _, err := simple(maker, text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "XX000") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
