package cubeloom_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// exported is what TestExportsComeBack moves: every type, names that need quotes, names
// that are no names of files, empty tables, and who may do what.
const exported = `
CREATE ROLE reader;
CREATE ROLE "Owner 1" IN ROLE reader;
CREATE TABLE every (
  b boolean, s smallint, i integer DEFAULT 7, l bigint, f double precision, r real,
  d9 numeric(9,2), d38 numeric(38,3) DEFAULT -1.5, n numeric, t text DEFAULT 'it''s \ ; --', v varchar(20), c char(4),
  day date, ts timestamp, tz timestamptz, sp interval, ai bigint[], at text[], ad date[], an numeric[], az timestamp[], at2 interval[],
  tod time, tod2 time(2), ts3 timestamp(3), sp0 interval(0), id uuid, ids uuid[], tods time[],
  PRIMARY KEY (i), CONSTRAINT "Own key" UNIQUE (s, l), UNIQUE (t));
INSERT INTO every SELECT g % 2 = 0, g, g * 70000, g::bigint * 5000000000, g / 8.0, g / 3.0,
  g * 1.25, g * 1234567890123456789012345678.125::numeric(38,3), (g * 1.10)::numeric, 'text ' || g, 'v' || g, 'c' || g % 3,
  date '0044-03-15 BC' + g * 50000, timestamp '2001-02-03 04:05:06.789' + g * interval '1 hour',
  timestamptz '1999-12-31 23:59:59.000001+00' - g * interval '1 year', g * interval '1 mon -2 days 03:04:05.6',
  ARRAY[g, NULL, -g]::bigint[], ARRAY['a' || g, 'b,"c\', NULL, 'null', ''], ARRAY[date '2024-02-29', NULL], ARRAY[1.50, g],
  ARRAY[timestamp '2024-07-01 12:00'], ARRAY[interval '1 day', '-1 mon'],
  time '00:00:00.123456' + g * interval '35 minutes', time '00:00:00.123456' + g * interval '35 minutes', timestamp '2001-02-03 04:05:06.789' + g * interval '1 hour',
  g * interval '1.6 seconds', lpad(g::text, 32, 'a')::uuid, ARRAY[lpad(g::text, 32, 'b')::uuid, NULL], ARRAY[time '24:00', NULL] FROM generate_series(1, 40) AS x(g);
INSERT INTO every (i, f, r, n, t, sp, at) VALUES (-1, 'NaN', 'NaN', 1.000, '', '-178000000 years', '[0:1]={x,y}'),
  (-2, '-Infinity', 'Infinity', 99999999999999999999999999999999999999, '"', '00:00:00.000001', '{}'),
  (-3, '-0', 1e-45, 0.00000000000000000001, E'\\N', '-1 mon +1 day -00:00:01', '{NULL}'), (-4, 5e-324, 3.4028235e38, -0.0, E'a\nb\r\n\t,x', NULL, NULL);
CREATE TABLE lone (t text CHECK (t <> 'x' -- not x
), CHECK (length(t) < 100));
INSERT INTO lone VALUES (NULL), (''), ('\.'), (E'\\.\n'), (' ');
ALTER TABLE lone ADD CONSTRAINT "Not yet" CHECK (t <> ' ') NOT VALID;
CREATE TABLE empty (a integer, b text NOT NULL, when_added date DEFAULT '2024-01-01', c boolean);
CREATE TABLE "../up" ("select" integer, "a ""b" text);
INSERT INTO "../up" VALUES (1, 'ü');
CREATE TABLE "..\UP" (x integer);
CREATE TABLE "Schema" (x integer NOT NULL);
CREATE TABLE "-rf * ' $(x)" (x integer);
ALTER TABLE empty ALTER c SET DEFAULT 2 > 1 AND true;
CREATE SEQUENCE falling INCREMENT BY -3 MINVALUE -10 MAXVALUE 100 START 7 CYCLE;
SELECT nextval('falling');
CREATE SEQUENCE unused AS smallint;
CREATE TABLE counted (id serial PRIMARY KEY, n bigint GENERATED ALWAYS AS IDENTITY (START WITH 5 INCREMENT BY 2), v text);
INSERT INTO counted (v) VALUES ('a'), ('b');
CREATE SCHEMA "Other";
CREATE TABLE "Other".lone (id serial PRIMARY KEY, d date);
INSERT INTO "Other".lone (d) VALUES ('2024-02-29'), (NULL);
CREATE INDEX ON "Other".lone (d);
CREATE TABLE child (id integer PRIMARY KEY, up integer REFERENCES child ON DELETE CASCADE, "S" smallint, l bigint,
  CONSTRAINT "To every" FOREIGN KEY ("S", l) REFERENCES every (s, l) MATCH FULL ON DELETE SET NULL ("S") ON UPDATE CASCADE);
INSERT INTO child VALUES (1, 2, 1, 5000000000), (2, 1, NULL, NULL), (3, NULL, 7, 35000000000);
CREATE TABLE "Other".child (lone integer REFERENCES "Other".lone, d integer);
INSERT INTO "Other".child VALUES (1, 9), (NULL, 1);
ALTER TABLE "Other".child ADD CONSTRAINT later FOREIGN KEY (d) REFERENCES child DEFERRABLE INITIALLY DEFERRED NOT VALID;
`

// exportedViews are views, made in another order than that of their names.
const exportedViews = `
CREATE VIEW z AS SELECT i, "select" AS s FROM every, "../up" u;
CREATE VIEW m ("a b", q) AS WITH every AS (SELECT 1 AS i) SELECT z.i, every.i FROM z, every -- a comment
  WHERE EXISTS (SELECT 1 FROM public.empty);
CREATE VIEW a AS SELECT * FROM m;
CREATE TABLE computed (a integer GENERATED ALWAYS AS (b * 2 -- a comment
) STORED, b integer, c text GENERATED ALWAYS AS ('x') STORED);
INSERT INTO computed (b) VALUES (1), (2);
CREATE MATERIALIZED VIEW b (i, s) AS SELECT * FROM z;
CREATE MATERIALIZED VIEW "B c" AS SELECT s FROM b WITH NO DATA;
CREATE INDEX b_i ON b (i);
COMMENT ON MATERIALIZED VIEW b IS 'rows';
GRANT SELECT ON b TO reader;
SET search_path = "Other", public;
CREATE VIEW first AS SELECT lone.id, u.t FROM lone, public.lone AS u, empty;
RESET search_path;
COMMENT ON TABLE "Other".lone IS 'in another schema';
COMMENT ON SCHEMA "Other" IS 'another schema';
GRANT USAGE ON SCHEMA "Other" TO reader;
GRANT SELECT ON "Other".lone TO reader;
CREATE TEMPORARY TABLE hidden (x integer);
COMMENT ON TABLE every IS 'all of it''s types';
COMMENT ON COLUMN every.tz IS E'two\nlines';
COMMENT ON VIEW m IS 'a view';
COMMENT ON COLUMN m."a b" IS 'its column';
COMMENT ON SCHEMA public IS 'ours';
COMMENT ON INDEX b_i IS 'its index';
COMMENT ON INDEX every_t_key IS 'of a key without a name';
COMMENT ON CONSTRAINT "Own key" ON every IS 'with a name';
COMMENT ON CONSTRAINT lone_t_check ON lone IS 'a check';
COMMENT ON CONSTRAINT "Not yet" ON lone IS 'one that is not valid';
COMMENT ON CONSTRAINT "To every" ON child IS 'a reference';
ALTER TABLE lone OWNER TO "Owner 1";
GRANT SELECT, INSERT ON every TO PUBLIC;
GRANT SELECT (d9, "day"), UPDATE (n) ON every TO reader WITH GRANT OPTION;
REVOKE DELETE ON "../up" FROM cubeloom;
GRANT SELECT ON lone TO reader WITH GRANT OPTION;
GRANT SELECT ON a TO "Owner 1";
REVOKE EXECUTE ON FUNCTION lower FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE reader GRANT SELECT ON TABLES TO "Owner 1" WITH GRANT OPTION;
ALTER DEFAULT PRIVILEGES FOR ROLE reader REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE "Owner 1" IN SCHEMA public GRANT INSERT ON TABLES TO PUBLIC;
SET SESSION AUTHORIZATION reader;
GRANT SELECT ON lone TO PUBLIC;
RESET SESSION AUTHORIZATION;
REVOKE USAGE ON SCHEMA public FROM PUBLIC;
SET TIME ZONE 'Asia/Kolkata';
SET datestyle = 'German';
SET intervalstyle = 'iso_8601';
SET search_path = '';
`

func open(t *testing.T) (*cubeloom.DB, *cubeloom.Session) {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{Threads: 2, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, db.Session()
}

// runAll runs the statements of a script, all of which have to succeed, and returns the
// notices of the last.
func runAll(t *testing.T, s *cubeloom.Session, script string) (notices []cubeloom.Notice) {
	t.Helper()
	err := s.Run(context.Background(), script, func(r *cubeloom.Result) error {
		notices = r.Notices
		return nil
	})
	if err != nil {
		t.Fatalf("%.200s: %v", script, err)
	}
	return notices
}

// filesOf are the files of a directory and what they hold.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

func sameFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text && filepath.Ext(name) != ".parquet" { // which depends on the blocks of the table
			t.Errorf("%s was\n%.3000s\nand is\n%.3000s", name, text, got[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files are %d", len(want), len(got))
	}
}

// TestExportsComeBack exports a database, imports it into another one, and exports that:
// the files are the same, and the rows are, in every format.
func TestExportsComeBack(t *testing.T) {
	_, from := open(t)
	runAll(t, from, exported+exportedViews)
	for _, format := range []string{"", "(FORMAT parquet)", "WITH (FORMAT 'CSV')"} {
		dir := t.TempDir()
		first, second := filepath.Join(dir, "1"), filepath.Join(dir, "2")
		runAll(t, from, fmt.Sprintf("EXPORT DATABASE '%s' %s", first, format))
		_, to := open(t)
		runAll(t, to, "CREATE ROLE reader; CREATE ROLE \"Owner 1\"; CREATE TEMPORARY TABLE every (x integer); SET datestyle = 'SQL, DMY'; SET TIME ZONE 'America/New_York'")
		if notices := runAll(t, to, "IMPORT DATABASE '"+first+"'"); len(notices) > 0 {
			t.Errorf("%v", notices)
		}
		if got := run(t, to, "SHOW datestyle") + run(t, to, "SHOW timezone") + run(t, to, "SELECT current_user"); got != "SQL, DMY\nAmerica/New_York\ncubeloom\n" {
			t.Errorf("after an import: %s", got)
		}
		runAll(t, to, fmt.Sprintf("EXPORT DATABASE '%s' %s; RESET ALL; DROP TABLE pg_temp.every", second, format))
		sameFiles(t, filesOf(t, second), filesOf(t, first))
		runAll(t, from, "RESET ALL")
		for _, table := range []string{"every", "lone", "empty", "counted", `"../up"`, "z", "m", "a", "b", "computed", `"Other".lone`, `"Other".first`} {
			query := "SELECT * FROM " + table + " ORDER BY 1"
			if got, want := run(t, to, query), run(t, from, query); got != want {
				t.Errorf("%s%s gives\n%s\nand not\n%s", format, query, got, want)
			}
		}
		for _, next := range []string{"INSERT INTO counted (v) VALUES ('c') RETURNING id, n", "SELECT nextval('falling'), nextval('unused')"} {
			if got, want := run(t, to, next), run(t, from, next); got != want {
				t.Errorf("%s%s gives %s and not %s", format, next, got, want)
			}
		}
	}
}

// TestImportsKeepWhatTheyMay imports into a database without the roles, and as an
// ordinary role: tables and rows come, and warnings say what did not.
func TestImportsKeepWhatTheyMay(t *testing.T) {
	_, from := open(t)
	dir := filepath.Join(t.TempDir(), "x")
	runAll(t, from, exported+exportedViews+"EXPORT DATABASE '"+dir+"'")
	_, to := open(t)
	notices := fmt.Sprint(runAll(t, to, "IMPORT DATABASE '"+dir+"'"))
	if !strings.Contains(notices, `role "reader" does not exist: skipped `) || !strings.Contains(notices, `role "Owner 1" does not exist: skipped `) {
		t.Errorf("%v", notices)
	}
	if got := run(t, to, "SELECT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename = 'lone'"); got != "cubeloom\n" {
		t.Errorf("owned by %s", got)
	}

	db, to := open(t)
	runAll(t, to, "CREATE ROLE ana LOGIN; GRANT CREATE ON SCHEMA public TO ana; GRANT CREATE ON DATABASE cubeloom TO ana")
	ana, err := db.Connect(cubeloom.Identity{User: "ana", Database: "db"})
	if err != nil {
		t.Fatal(err)
	}
	notices = fmt.Sprint(runAll(t, ana, "IMPORT DATABASE '"+dir+"'"))
	if !strings.Contains(notices, `must be member of role "cubeloom": skipped `) {
		t.Errorf("%v", notices)
	}
	if got := run(t, to, "SELECT tableowner FROM pg_tables WHERE tablename = 'every'"); got != "ana\n" {
		t.Errorf("owned by %s", got)
	}
}

// fails runs a statement that must fail with a SQLSTATE and a message that has some
// words in it.
func fails(t *testing.T, s *cubeloom.Session, text, want, words string) *cubeloom.Error {
	t.Helper()
	_, err := s.Query(context.Background(), text)
	if code(err) != want || !strings.Contains(err.Error(), words) {
		t.Fatalf("%s: %v, and not %s with %q", text, err, want, words)
	}
	return err.(*cubeloom.Error)
}

// TestBadExports has exports and imports fail, which leaves nothing behind.
func TestBadExports(t *testing.T) {
	db, s := open(t)
	dir := t.TempDir()
	x := filepath.Join(dir, "x")
	runAll(t, s, "CREATE TABLE t (a integer); INSERT INTO t VALUES (1); CREATE TABLE u (b interval); INSERT INTO u VALUES ('1 day'); CREATE VIEW v AS SELECT * FROM t; EXPORT DATABASE '"+x+"'")
	fails(t, s, "EXPORT DATABASE '"+x+"'", "58P02", "is not empty")
	fails(t, s, "EXPORT DATABASE '"+x+"/schema.sql'", "42809", "is not a directory")
	fails(t, s, "EXPORT DATABASE '"+dir+"/none/x'", "58P01", "none/x")
	fails(t, s, "EXPORT DATABASE ''", "22023", "is empty")
	fails(t, s, "EXPORT DATABASE '"+dir+"/y' (FORMAT arrow)", "22023", `"arrow" not recognized`)
	fails(t, s, "EXPORT DATABASE '"+dir+"/y' (FORMAT csv, FORMAT csv)", "42601", "redundant")
	fails(t, s, "EXPORT DATABASE '"+dir+"/y' (HEADER)", "22023", `option "header" not recognized`)
	fails(t, s, "IMPORT DATABASE '"+x+"'", "42P07", `"t" already exists`)
	fails(t, s, "IMPORT DATABASE '"+dir+"/none'", "58P01", "none\" does not exist")
	fails(t, s, "IMPORT DATABASE '"+x+"/schema.sql'", "42809", "Not a directory")
	fails(t, s, "IMPORT FOREIGN SCHEMA a", "0A000", "IMPORT FOREIGN SCHEMA is not supported")
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Query(canceled, "EXPORT DATABASE '"+dir+"/y'"); code(err) != "57014" {
		t.Errorf("%v", err)
	}
	runAll(t, s, "CREATE ROLE ana LOGIN; GRANT SELECT ON t TO ana")
	ana, err := db.Connect(cubeloom.Identity{User: "ana", Database: "db"})
	if err != nil {
		t.Fatal(err)
	}
	fails(t, ana, "EXPORT DATABASE '"+dir+"/y'", "42501", "permission denied for table u")
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}

	_, to := open(t)
	runAll(t, to, "BEGIN READ ONLY")
	fails(t, to, "IMPORT DATABASE '"+x+"'", "25006", "cannot execute IMPORT DATABASE in a read-only transaction")
	runAll(t, to, "ROLLBACK")
	sound := filesOf(t, x)
	for _, c := range []struct{ file, text, code, words, where string }{
		{"load.sql", "", "58P01", "is not a complete export", ""},
		{"schema.sql", "", "58P01", `has no file "schema.sql"`, ""},
		{"u.parquet", "", "58P01", "u.parquet", "load.sql\", line 3"},
		{"u.parquet", sound["u.parquet"][:100], "XX001", "u.parquet", "load.sql\", line 3"},
		{"u.parquet", sound["t.parquet"], "42804", "", "load.sql\", line 3"},
		{"schema.sql", sound["schema.sql"] + "\nCREATE TABEL x ()", "42601", "TABEL", "schema.sql\", line 13"},
		{"schema.sql", sound["schema.sql"] + "\nDROP TABLE t", "0A000", "does not run this statement", "schema.sql\", line 13"},
		{"schema.sql", sound["schema.sql"] + "COMMIT", "0A000", "does not run this statement", "schema.sql\", line"},
		{"privileges.sql", "GRANT SELECT ON t TO cubeloom; SELECT 1", "0A000", "does not run this statement", "privileges.sql\", line 1"},
		{"privileges.sql", "GRANT SELECT ON nothing TO cubeloom", "42P01", "nothing", "privileges.sql\", line 1"},
		{"load.sql", "COPY t FROM '../x/t.parquet' (FORMAT parquet)", "0A000", "does not run this statement", "load.sql\", line 1"},
		{"load.sql", "COPY t FROM STDIN", "0A000", "does not run this statement", "load.sql\", line 1"},
		{"load.sql", "COPY t TO 'x.csv'", "0A000", "does not run this statement", "load.sql\", line 1"},
	} {
		path := filepath.Join(x, c.file)
		if os.Remove(path); c.text != "" {
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if e := fails(t, to, "IMPORT DATABASE '"+x+"'", c.code, c.words); !strings.Contains(e.Where, c.where) {
			t.Errorf("%s is %.50q: where is %q, and not %q", c.file, c.text, e.Where, c.where)
		}
		if got := run(t, to, "SELECT relname FROM pg_class WHERE relnamespace = 2200"); got != "" {
			t.Errorf("a failed import has left %s", got)
		}
		if err := os.WriteFile(path, []byte(sound[c.file]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runAll(t, to, "BEGIN; IMPORT DATABASE '"+x+"'; ROLLBACK")
	if got := run(t, to, "SELECT relname FROM pg_class WHERE relnamespace = 2200"); got != "" {
		t.Errorf("rolled back, and there is %s", got)
	}
	runAll(t, to, "IMPORT DATABASE '"+x+"'; SELECT * FROM v")
}

// TestExportsAreOneState exports while others commit changes of two tables and move a
// view from one to the other: each export is a state that was committed.
func TestExportsAreOneState(t *testing.T) {
	db, s := open(t)
	runAll(t, s, "CREATE TABLE a (n integer); CREATE TABLE b (n integer); INSERT INTO a VALUES (0); INSERT INTO b VALUES (0); CREATE VIEW v AS SELECT 0 AS n")
	stop := make(chan struct{})
	var writer sync.WaitGroup
	defer writer.Wait()
	defer close(stop)
	writer.Go(func() {
		w := db.Session()
		defer w.Close()
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			script := fmt.Sprintf("BEGIN; UPDATE a SET n = n + 1; CREATE OR REPLACE VIEW v AS SELECT %d AS n; UPDATE b SET n = n + 1; COMMIT", i)
			if err := w.Run(context.Background(), script, func(*cubeloom.Result) error { return nil }); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for i := range 20 {
		dir := filepath.Join(t.TempDir(), "x")
		runAll(t, s, fmt.Sprintf("EXPORT DATABASE '%s' (FORMAT %s)", dir, []string{"csv", "parquet"}[i%2]))
		_, to := open(t)
		runAll(t, to, "IMPORT DATABASE '"+dir+"'")
		if got := run(t, to, "SELECT a.n = b.n AND v.n = a.n FROM a, b, v"); got != "t\n" {
			t.Fatalf("export %d is no state that was committed: %s", i, run(t, to, "SELECT a.n, b.n, v.n FROM a, b, v"))
		}
	}
}
