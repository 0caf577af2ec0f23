package cubeloom

import (
	"context"
	"strings"
	"testing"
)

func TestRolesAreKept(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	db, err := Open(Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.AdmitRole(ctx, "ana"); err != nil {
		t.Fatal(err)
	}
	if err := db.CreateRole(ctx, Role{Name: "ben", Login: true}); err != nil {
		t.Fatal(err)
	}
	if err := db.CreateRole(ctx, Role{Name: "ben"}); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a second ben: %v", err)
	}
	if err := db.ChangeRole(ctx, "ben", func(r *Role) error { r.Superuser = true; return nil }); err != nil {
		t.Fatal(err)
	}
	s, err := db.Connect(Identity{User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Query(ctx, "CREATE TABLE t (a int)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(Options{DataDir: dir}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if r := db.Role("ben"); r == nil || !r.Superuser || db.Role("ana") == nil || !db.IsMember("ben", "ana") || db.IsMember("ana", "ben") {
		t.Errorf("roles were lost: %v", db.Roles())
	}
	if _, err := db.Connect(Identity{User: "eve"}); err == nil || !strings.Contains(err.Error(), `role "eve" does not exist`) {
		t.Errorf("a stranger: %v", err)
	}
}

func TestOrdinaryRolesCannotRaiseWhatTheServerAllows(t *testing.T) {
	db, err := Open(Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if err := db.AdmitRole(ctx, "ana"); err != nil {
		t.Fatal(err)
	}
	s, err := db.Connect(Identity{User: "ana", Settings: map[string]string{"memory_limit": "1MB"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"SET memory_limit = '1MB'", ""}, {"SET memory_limit = '2MB'", "permission denied"}, {"SET memory_limit = 0", "permission denied"},
		{"SET memory_limit = '900kB'", ""}, {"SELECT 1", ""}, {"SELECT set_config('threads', '1024', false)", "permission denied"},
		{"SET threads = 1", ""}, {"SET threads = 3", "permission denied"}, {"RESET memory_limit", ""},
		{"SET statement_timeout = 0", ""}, {"SET ROLE cubeloom", "permission denied to set role"},
		{"SET SESSION AUTHORIZATION cubeloom", "permission denied to set session authorization"},
	} {
		_, err := s.Query(ctx, c.text)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestSettingsOfAllRoles(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	db, err := Open(Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ana", "ben"} {
		if err := db.AdmitRole(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
	owner := db.Session()
	for _, text := range []string{
		"ALTER ROLE ALL SET statement_timeout = '7s'", "ALTER ROLE ben SET statement_timeout = '9s'", "ALTER ROLE ALL SET threads = 1 LIMIT",
		"ALTER ROLE ALL SET extra_float_digits = 1", "ALTER ROLE ALL RESET extra_float_digits",
	} {
		if _, err := owner.Query(ctx, text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(Options{DataDir: dir}); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for name, want := range map[string]string{"ana": "7s", "ben": "9s"} {
		s, err := db.Connect(Identity{User: name})
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Query(ctx, "SHOW statement_timeout")
		if err != nil {
			t.Fatal(err)
		}
		if cur := res.Cursor(); !cur.Next() || cur.Text(0) != want {
			t.Errorf("statement_timeout of %s is %s, not %s", name, cur.Text(0), want)
		}
		if _, err := s.Query(ctx, "SET threads = 2"); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s goes beyond the bound of all roles: %v", name, err)
		}
	}
}
