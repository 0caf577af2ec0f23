package cubeloom_test

import (
	"context"
	"testing"
	"time"
)

// TestDomainsComeBack opens a data directory anew behind every statement.
func TestDomainsComeBack(t *testing.T) {
	db := reopened(t,
		"CREATE DOMAIN zz AS numeric(6,2) DEFAULT 1.5 NOT NULL",
		"CREATE DOMAIN aa AS zz CONSTRAINT low CHECK (value < 10)",
		"CREATE TABLE plain (a aa, b integer)",
		"CREATE TABLE keyed (a aa PRIMARY KEY, b integer, UNIQUE (b))",
		"ALTER DOMAIN zz ADD CONSTRAINT positive CHECK (value > 0) NOT VALID",
		"INSERT INTO plain (b) VALUES (1)",
		"INSERT INTO keyed VALUES (2, 2), (1, 3)",
		"CLUSTER keyed USING keyed_b_key",
		"COMMENT ON CONSTRAINT low ON DOMAIN aa IS 'not much'",
		"ALTER DOMAIN aa RENAME TO bb",
	)
	got := run(t, db.Session(), "SELECT a, pg_typeof(a)::text FROM plain UNION ALL SELECT a, (SELECT string_agg(conname || ' ' || convalidated, ',' ORDER BY conname) FROM pg_constraint WHERE contypid <> 0) FROM keyed")
	if want := "1.50|bb\n2.00|low true,positive false\n1.00|low true,positive false\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	for _, text := range []string{"INSERT INTO plain VALUES (10)", "INSERT INTO keyed VALUES (0)", "SELECT 11::bb"} {
		if _, err := db.Session().Query(context.Background(), text); code(err) != "23514" {
			t.Errorf("%s: %v", text, err)
		}
	}
	run(t, db.Session(), "CLUSTER keyed")
}

// TestDomainsAreKeptForWhatComes has one session use or change a domain while another one does the
// other: one of them waits for the other.
func TestDomainsAreKeptForWhatComes(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"INSERT INTO x VALUES (-1)", "ALTER DOMAIN d ADD CHECK (value > 0)", "23514"},
		{"INSERT INTO x VALUES (1)", "ALTER DOMAIN d ADD CHECK (value > 0)", ""},
		{"ALTER DOMAIN d ADD CHECK (value > 0)", "INSERT INTO x VALUES (-1)", "23514"},
		{"ALTER DOMAIN d DROP CONSTRAINT big", "INSERT INTO x VALUES (1000)", ""},
		{"CREATE TABLE y (a d)", "DROP DOMAIN d", "2BP01"},
		{"CREATE TABLE y (a d)", "ALTER DOMAIN d SET NOT NULL", ""},
		{"DROP DOMAIN e", "CREATE TABLE y (a e)", "40001"},
		{"DROP DOMAIN e", "CREATE DOMAIN f AS e", "40001"},
		{"CREATE DOMAIN f AS e", "DROP DOMAIN e", "2BP01"},
		{"ALTER DOMAIN e ADD CHECK (value > 0)", "CREATE TABLE y (a e)", "40001"},
	} {
		_, a, b := twoSessions(t)
		runAll(t, a, "CREATE DOMAIN d AS integer CONSTRAINT big CHECK (value < 100); CREATE DOMAIN e AS integer; CREATE TABLE x (a d); BEGIN; "+c.first)
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
			t.Errorf("%s after %s: %v", c.second, c.first, err)
		}
	}
}
