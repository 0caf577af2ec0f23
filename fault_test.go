package cubeloom

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/sql/value"
)

// cutStatements read or copy columns of the tables a and b in every way that there is.
var cutStatements = []string{
	"SELECT sum(i) FROM a",
	"SELECT t, count(*) FROM a GROUP BY t",
	"SELECT i FROM a WHERE i > 9000 ORDER BY t LIMIT 3",
	"SELECT * FROM a",
	"SELECT count(*) FROM a JOIN b ON a.i = b.i",
	"SELECT max(t), min(f) FROM a",
	"SELECT row_number() OVER (ORDER BY t) FROM a",
	"WITH RECURSIVE r AS (SELECT i FROM a WHERE i = 1 UNION SELECT r.i + 1 FROM r JOIN a ON a.i = r.i + 1) SELECT count(*) FROM r",
	"SELECT (SELECT count(*) FROM a WHERE a.i < b.i) FROM b LIMIT 3",
	"EXPLAIN ANALYZE SELECT sum(f) FROM a",
	"INSERT INTO b SELECT * FROM a",
	"INSERT INTO a SELECT * FROM generate_series(1, 60000) AS x(g), (VALUES (1.5, 'y')) v(f, t)",
	"UPDATE a SET f = 1 WHERE i = 5",
	"UPDATE b SET f = a.f FROM a WHERE a.i = b.i",
	"DELETE FROM a WHERE t = 'text 7'",
	"CREATE TABLE c AS SELECT * FROM a",
	"ALTER TABLE a ADD COLUMN extra integer DEFAULT 1",
	"ALTER TABLE a ALTER COLUMN i TYPE bigint",
	"ALTER TABLE a ADD PRIMARY KEY (i)",
	"COPY a TO '$DIR/copied.csv'",
}

// TestCutSegmentFailsTheStatement cuts a segment off under an open database:
// statements that need it fail with XX001 and the name of the file, sessions and
// other tables go on.
func TestCutSegmentFailsTheStatement(t *testing.T) {
	for _, used := range []bool{false, true} {
		dir := t.TempDir()
		fillCut(t, dir)
		db, err := Open(Options{DataDir: dir, Device: "cpu"})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		s := db.Session()
		defer s.Close()
		var before *Result
		if used { // so that its checksums have been verified
			if before, err = s.Query(context.Background(), "SELECT * FROM a"); err != nil {
				t.Fatal(err)
			}
		}
		cutSegments(t, dir)
		for _, text := range cutStatements {
			cutStatement(t, s, strings.ReplaceAll(text, "$DIR", t.TempDir()))
		}
		loadCut(t, db, s)
		checkBlock(t, s)
		if before != nil {
			rows := 0
			for cur := before.Cursor(); cur.Next(); rows++ {
				_ = cur.Text(2)
			}
			if rows != 50000 {
				t.Errorf("a result of before has %d rows", rows)
			}
		}
	}
}

// fillCut makes the tables a and b, which need several pages of their files, and
// small, which needs none that is cut off.
func fillCut(t *testing.T, dir string) {
	t.Helper()
	db, err := Open(Options{DataDir: dir, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const rows = " SELECT (g * 7919) % 50021, g / 8.0, 'text ' || g FROM generate_series(1, 50000) AS x(g);"
	const columns = " (i integer, f double precision, t text);"
	script := "CREATE TABLE a" + columns + "CREATE TABLE b" + columns + "CREATE TABLE small (x integer);" +
		"INSERT INTO a" + rows + "INSERT INTO b" + rows + "INSERT INTO small VALUES (1), (2);"
	if err := db.Session().Run(context.Background(), script, func(*Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

// cutSegments cuts the large segments of a directory off.
func cutSegments(t *testing.T, dir string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.segment"))
	if err != nil {
		t.Fatal(err)
	}
	cut := 0
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && info.Size() > 64<<10 {
			cut++
			err = os.Truncate(path, 8)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if cut != 2 {
		t.Fatalf("%d segments were cut off", cut)
	}
}

// damaged reports whether an error says which segment is damaged.
func damaged(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == value.CodeDataCorrupted && strings.Contains(e.Message, ".segment")
}

// cutStatement runs a statement that needs what was cut off.
func cutStatement(t *testing.T, s *Session, text string) {
	t.Helper()
	ctx := context.Background()
	_, err := s.Query(ctx, text)
	if !damaged(err) {
		t.Errorf("%s: %v", text, err)
	}
	res, err := s.Query(ctx, "SELECT sum(x) FROM small")
	if err != nil || res.Rows() != 1 {
		t.Errorf("after %s: %v", text, err)
	}
}

// loadCut appends Arrow records to a table, whose last block is to be read for that.
func loadCut(t *testing.T, db *DB, s *Session) {
	t.Helper()
	ctx := context.Background()
	res, err := s.Query(ctx, "SELECT g, g / 8.0::float8, 'text' FROM generate_series(1, 40000) AS x(g)")
	if err != nil {
		t.Fatal(err)
	}
	records, err := res.Records()
	if err != nil {
		t.Fatal(err)
	}
	defer records.Release()
	loader, err := db.Loader(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer loader.Close()
	for err == nil && records.Next() {
		err = loader.Append(ctx, records.Record())
	}
	if !damaged(err) {
		t.Errorf("loading records: %v", err)
	}
}

// checkBlock checks that a transaction fails as a whole.
func checkBlock(t *testing.T, s *Session) {
	t.Helper()
	ctx := context.Background()
	var e *Error
	for _, step := range []struct{ text, code string }{
		{"BEGIN", ""}, {"INSERT INTO small VALUES (100)", ""}, {"SELECT sum(i) FROM a", value.CodeDataCorrupted},
		{"SELECT 1", value.CodeFailedTransaction}, {"COMMIT", ""},
	} {
		_, err := s.Query(ctx, step.text)
		if step.code == "" && err != nil || step.code != "" && (!errors.As(err, &e) || e.Code != step.code) {
			t.Errorf("%s: %v", step.text, err)
		}
	}
	res, err := s.Query(ctx, "SELECT sum(x) FROM small")
	if err != nil {
		t.Fatal(err)
	}
	if cur := res.Cursor(); !cur.Next() || cur.Text(0) != "3" {
		t.Errorf("the failed transaction left something: %s", cur.Text(0))
	}
}
