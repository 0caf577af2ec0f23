//go:build reference

package tests

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	rolesPassword = "correct horse battery staple"
	rolesSetup    = "testdata/roles/setup.sql"
)

// A matrixServer is one of the two whose answers are compared.
type matrixServer struct {
	target   string // without the user
	sessions map[string]*pgconn.PgConn
	out      string // the name of the file that COPY TO writes
}

// connect returns the session of a role that has a name, logged in where it is not.
func (m *matrixServer) connect(t *testing.T, role, name string) *pgconn.PgConn {
	t.Helper()
	if c := m.sessions[name]; c != nil && !c.IsClosed() {
		return c
	}
	c, err := pgconn.Connect(t.Context(), m.target+" dbname=postgres user="+role+" password='"+rolesPassword+"'")
	if err != nil {
		t.Fatalf("%s: %v", role, err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	m.sessions[name] = c
	return c
}

// startMatrix sets both servers up, and returns the folder whose files they may open.
func startMatrix(t *testing.T) (ours, theirs *matrixServer, dir string) {
	t.Helper()
	ctx := t.Context()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pg.Close() })
	if dir, err = os.MkdirTemp("", "cubeloom-roles-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := errors.Join(os.Chmod(dir, 0o777), os.WriteFile(filepath.Join(dir, "rows.data"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	setup, err := os.ReadFile(rolesSetup)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(setup), "{password}", rolesPassword)
	if err := pg.Exec(ctx, text); err != nil {
		t.Fatal(err)
	}
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := cubeloom.FilesBelow(dir)
	if err != nil {
		t.Fatal(err)
	}
	nameSuperuser(t, db)
	port := listen(t, db, server.Config{DB: db, Files: files})
	if err := db.Session().Run(ctx, text, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatalf("setting up: %v", err)
	}
	ours = &matrixServer{target: "host=127.0.0.1 port=" + port, sessions: map[string]*pgconn.PgConn{}, out: "ours.data"}
	theirs = &matrixServer{target: "host=" + pg.Dir(), sessions: map[string]*pgconn.PgConn{}, out: "theirs.data"}
	return ours, theirs, dir
}

// rolesCommands are commands of psql about roles that answer as with PostgreSQL. The
// database's name is said, since PostgreSQL has several.
var rolesCommands = []string{
	`\du`, `\du+`, `\dg o*`, `\dp`, `\dp granted*`, `\z`, `\z owned_view`, `\ddp`, `\dn`, `\dn+`, `\drds`, `\drds plain`, `\dt`, `\dv`,
	`SELECT datname, pg_get_userbyid(datdba), datacl FROM pg_database WHERE datname = 'postgres'`,
	`SELECT rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolconnlimit, rolpassword, rolvaliduntil, rolconfig FROM pg_roles ORDER BY 1`,
	`SELECT usename, usesuper, passwd, valuntil, useconfig FROM pg_user ORDER BY 1`, `SELECT groname, array_length(grolist, 1) FROM pg_group ORDER BY 1`,
	`SELECT tablename, tableowner FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`, `SELECT viewname, viewowner FROM pg_views WHERE schemaname = 'public' ORDER BY 1`,
	`SELECT relname, attname, attacl FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE attacl IS NOT NULL AND relnamespace = 2200 ORDER BY 1, 2`,
	`SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
	`SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
	`SELECT grantor, grantee, table_name, privilege_type, is_grantable, with_hierarchy FROM information_schema.table_privileges WHERE table_schema = 'public' ORDER BY 1, 2, 3, 4`,
	`SELECT grantor, grantee, table_name, privilege_type FROM information_schema.role_table_grants WHERE table_schema = 'public' ORDER BY 1, 2, 3, 4`,
	`SELECT grantor, grantee, table_name, column_name, privilege_type, is_grantable FROM information_schema.column_privileges WHERE table_schema = 'public' ORDER BY 1, 2, 3, 4, 5`,
	`SELECT grantor, grantee, table_name, column_name, privilege_type FROM information_schema.role_column_grants WHERE table_schema = 'public' ORDER BY 1, 2, 3, 4, 5`,
	`SELECT schema_name, schema_owner FROM information_schema.schemata WHERE schema_name = 'public'`,
	`SELECT relname, has_table_privilege('grantee', oid, 'SELECT'), has_any_column_privilege('grantee', oid, 'UPDATE') FROM pg_class WHERE relnamespace = 2200 ORDER BY 1`,
	`SELECT rolname, pg_has_role(rolname, 'owner', 'USAGE'), pg_has_role(oid, 'owner', 'MEMBER'), has_table_privilege(rolname, 'granted', 'DELETE') FROM pg_roles ORDER BY 1`,
	`SELECT relname, attname, has_column_privilege('owner', c.oid, attnum, 'SELECT'), has_column_privilege(c.oid, attname::text, 'UPDATE') FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 2200 AND relkind = 'r' AND attnum > 0 ORDER BY 1, 2`,
	`SELECT acldefault('r', oid), acldefault('d', oid), acldefault('n', oid), acldefault('f', oid) FROM pg_roles WHERE rolname = 'owner'`,
	`SELECT 'owner'::regrole::text, 'owner'::regrole::oid::regrole::text, pg_get_userbyid(0)`, `SELECT oid::regrole::text FROM pg_roles ORDER BY 1`,
}

// TestCatalogsOfRolesAsWithPostgres compares what psql and the catalogs say of roles and
// privileges, to roles that see all and that see little.
func TestCatalogsOfRolesAsWithPostgres(t *testing.T) {
	ours, theirs, _ := startMatrix(t)
	var commands []string
	for _, c := range rolesCommands {
		commands = append(commands, `\echo `+catalogMark, c)
	}
	for _, role := range []string{"chief", "grantee", "plain"} {
		user := " dbname=postgres user=" + role + " password='" + rolesPassword + "'"
		got := strings.Split(output(t, psql(t.Context(), ours.target+user, commands...)), catalogMark)[1:]
		want := strings.Split(output(t, psql(t.Context(), theirs.target+user, commands...)), catalogMark)[1:]
		for i, c := range rolesCommands {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("%s: %s\ngot\n%s\nwant\n%s", role, c, got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			}
		}
	}
}

// catalogMark stands before what psql writes for each command.
const catalogMark = "-- next --"
