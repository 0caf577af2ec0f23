package cubeloom

import (
	"context"
	"strings"
	"testing"
)

// TestNoWayToAnothersRows tries statements of all kinds that read or change a table of
// another role.
func TestNoWayToAnothersRows(t *testing.T) {
	db, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if err := db.AdmitRole(ctx, "ana"); err != nil {
		t.Fatal(err)
	}
	owner := db.Session()
	defer owner.Close()
	ana, err := db.Connect(Identity{User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	defer ana.Close()
	run := func(s *Session, statements ...string) {
		for _, text := range statements {
			if _, err := s.Query(ctx, text); err != nil {
				t.Fatal(text, err)
			}
		}
	}
	run(owner, "CREATE TABLE secret (a int)", "INSERT INTO secret VALUES (42)")
	run(ana, "CREATE TABLE mine (a int)", "CREATE VIEW v AS TABLE secret", "PREPARE p AS TABLE secret",
		"CREATE TEMPORARY TABLE tt (a int)", "CREATE TEMPORARY VIEW tv AS SELECT s.a FROM tt, secret s")
	for _, text := range []string{
		"TABLE secret", "TABLE v", "TABLE tv", "SELECT count(*) FROM secret", "SELECT (SELECT max(a) FROM secret)", "SELECT ARRAY(SELECT a FROM secret)",
		"SELECT a FROM mine UNION SELECT a FROM secret", "WITH w AS (TABLE secret) TABLE w", "SELECT 1 WHERE EXISTS (TABLE secret)",
		"WITH RECURSIVE r AS (SELECT a FROM secret UNION ALL SELECT a FROM r WHERE false) TABLE r", "EXECUTE p", "CREATE TABLE x AS EXECUTE p",
		"CREATE TABLE x AS TABLE secret", "EXPLAIN ANALYZE TABLE secret", "EXPLAIN INSERT INTO secret VALUES (1)", "DECLARE c CURSOR WITH HOLD FOR TABLE secret",
		"UPDATE mine SET a = (SELECT max(a) FROM secret)", "DELETE FROM mine USING secret RETURNING secret.a", "INSERT INTO mine TABLE secret",
		"INSERT INTO secret VALUES (1)", "UPDATE secret SET a = 1", "DELETE FROM secret", "TRUNCATE secret", "COPY secret FROM 'x'",
		"SELECT pg_cancel_backend((SELECT max(a) FROM secret))", "DROP TABLE secret", "ALTER TABLE secret ADD COLUMN b int", "ALTER TABLE secret OWNER TO ana",
		"GRANT SELECT ON secret TO ana", "GRANT pg_read_all_data TO ana", "SET ROLE pg_read_all_data", "SET ROLE cubeloom", "REASSIGN OWNED BY cubeloom TO ana",
	} {
		if _, err := ana.Query(ctx, text); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v", text, err)
		}
	}
	run(owner, "DROP TABLE mine", "SELECT a FROM secret")
}
