package cubeloom_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

// TestSchemasSurvive opens a data directory with schemas again: what is in them is there, and
// views read what they did, and constraints hold.
func TestSchemasSurvive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	reopen := func(db *cubeloom.DB) (*cubeloom.DB, *cubeloom.Session) {
		t.Helper()
		if db != nil {
			db.Close()
		}
		db, err := cubeloom.Open(cubeloom.Options{DataDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return db, db.Session()
	}
	db, s := reopen(nil)
	runAll(t, s, `CREATE SCHEMA a; CREATE SCHEMA "B b";
		CREATE TABLE t (n integer); INSERT INTO t VALUES (1);
		CREATE TABLE a.t (n serial PRIMARY KEY, v text CHECK (v <> 'bad')); INSERT INTO a.t (v) VALUES ('x'), ('y');
		SET search_path = a; CREATE VIEW v AS SELECT * FROM t; RESET search_path;
		ALTER TABLE a.t SET SCHEMA "B b"; CREATE TABLE a.t (other text);
		CREATE SCHEMA gone; CREATE TABLE gone.t (n integer); DROP SCHEMA gone CASCADE;
		CREATE SCHEMA c; CREATE TABLE c.u (n integer, m integer CHECK (c.u.m > 0)); INSERT INTO c.u VALUES (-1, 1), (1, 1);
		ALTER TABLE c.u ADD CONSTRAINT pos CHECK (u.n > 0) NOT VALID; CREATE VIEW w AS SELECT c.u.n, t.n AS one FROM c.u, t;
		ALTER SCHEMA c RENAME TO "D d"; ALTER TABLE "D d".u RENAME TO "U u"`)
	db, s = reopen(db)
	defer func() { db.Close() }()
	for _, c := range [][2]string{
		{"SELECT * FROM a.v ORDER BY 1", "1|x\n2|y\n"},
		{`SELECT max(n) FROM "B b".t`, "2\n"},
		{`INSERT INTO "B b".t (v) VALUES ('z') RETURNING n`, "3\n"},
		{"SELECT n FROM t", "1\n"},
		{"SELECT * FROM w ORDER BY n", "-1|1\n1|1\n"},
		{`INSERT INTO "D d"."U u" VALUES (2, 2) RETURNING n`, "2\n"},
		{"SELECT conname, convalidated FROM pg_constraint WHERE conrelid = '\"D d\".\"U u\"'::regclass ORDER BY 1", "pos|f\nu_m_check|t\n"},
		{"SELECT string_agg(nspname, ',' ORDER BY nspname) FROM pg_namespace", "B b,D d,a,information_schema,pg_catalog,public\n"},
	} {
		if got := run(t, s, c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", c[0], got, c[1])
		}
	}
	fails(t, s, "SELECT * FROM gone.t", "42P01", "does not exist")
	fails(t, s, `INSERT INTO "B b".t (v) VALUES ('bad')`, "23514", "t_v_check")
	fails(t, s, `INSERT INTO "B b".t VALUES (1, 'twice')`, "23505", "t_pkey")
	fails(t, s, `INSERT INTO "D d"."U u" VALUES (-2, 2)`, "23514", "pos")
	fails(t, s, `UPDATE "D d"."U u" SET m = 3`, "23514", "pos")
	fails(t, s, `ALTER TABLE "D d"."U u" VALIDATE CONSTRAINT pos`, "23514", "pos")
}

// TestSchemasAreKeptForWhatComes has one session create something in a schema while another
// drops that: one of them waits for the other.
func TestSchemasAreKeptForWhatComes(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"CREATE TABLE s.t (n integer)", "DROP SCHEMA s", "2BP01"},
		{"CREATE TABLE s.t (n integer)", "DROP SCHEMA s CASCADE", ""},
		{"DROP SCHEMA s", "CREATE TABLE s.t (n integer)", "3F000"},
		{"DROP SCHEMA s", "CREATE SCHEMA s", ""},
		{"CREATE SCHEMA r", "CREATE SCHEMA r", "42P06"},
		{"GRANT USAGE ON SCHEMA s TO PUBLIC", "DROP SCHEMA s", ""},
		{"CREATE TABLE s.t (n integer)", "ALTER SCHEMA s RENAME TO r", ""},
		{"ALTER SCHEMA s RENAME TO r", "CREATE TABLE s.t (n integer)", "3F000"},
		{"ALTER SCHEMA s RENAME TO r", "CREATE SCHEMA r", "42P06"},
		{"ALTER SCHEMA s RENAME TO r", "CREATE SCHEMA s", ""},
	} {
		_, a, b := twoSessions(t)
		runAll(t, a, "CREATE SCHEMA s; BEGIN; "+c.first)
		ended := make(chan error)
		go func() {
			_, err := b.Query(context.Background(), c.second)
			ended <- err
		}()
		select {
		case err := <-ended:
			t.Errorf("%s did not wait for %s: %v", c.second, c.first, err)
			continue
		case <-time.After(20 * time.Millisecond):
		}
		run(t, a, "COMMIT")
		if err := <-ended; code(err) != c.want {
			t.Errorf("%s after %s: %s", c.second, c.first, fmt.Sprint(err))
		}
	}
}
