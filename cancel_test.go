package cubeloom_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

// What a statement may take after its context has ended, where the race detector does not
// slow it down. The machine may be busy: a run that is late is repeated.
const (
	endsWithin = 500 * time.Millisecond * raceFactor
	cancelRuns = 4
)

// cancelled runs work with a context that ends after a while, and checks that it then ends
// with 57014 soon, and that the session goes on.
func cancelled(t *testing.T, s *cubeloom.Session, after time.Duration, work func(context.Context) error) {
	t.Helper()
	var late time.Duration
	for range cancelRuns {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan time.Time, 1)
		time.AfterFunc(after, func() {
			ended <- time.Now()
			cancel()
		})
		err := work(ctx)
		late = time.Since(<-ended)
		if code(err) != "57014" {
			t.Fatalf("it ends with %v", err)
		}
		if _, err := s.Query(context.Background(), "SELECT 1"); err != nil {
			t.Fatalf("the session afterwards: %v", err)
		}
		if late < endsWithin {
			return
		}
	}
	t.Errorf("it ends %v after its context", late)
}

// numbers is a format n times, with commas between.
func numbers(n int, format string) string {
	var out strings.Builder
	for i := range n {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(&out, format, i)
	}
	return out.String()
}

func TestContextEndsStatements(t *testing.T) {
	db, s := opened(t)
	run(t, s, "CREATE TABLE big AS SELECT i, i::text AS t FROM generate_series(1, 300000) g(i)")
	run(t, s, "CREATE TABLE locked AS SELECT 1 AS n")
	const endless = "generate_series(1, 100000) a(i), generate_series(1, 100000) b(k)"
	for name, text := range map[string]string{
		"parsing":               "SELECT 1 WHERE 1 IN (" + numbers(2_000_000, "%d") + ")",
		"planning":              "SELECT count(*) FROM " + numbers(1500, "(VALUES (1)) t%d"),
		"planning an array":     "SELECT ARRAY[" + numbers(300_000, "1 + %d") + "]",
		"a function":            "SELECT length(regexp_replace(repeat('abc', 10000000), '(b|c|bc)*a', 'z', 'g'))",
		"a back reference":      `SELECT repeat('a', 100003) ~ '^(aa+)\1+$'`,
		"a path":                "SELECT jsonb_path_exists(jsonb_agg(i), '$[*] ? ($[*] == -@)') FROM big",
		"counting":              "SELECT count(*) FROM " + endless + " WHERE i * k % 7 = 3",
		"grouping":              "SELECT i % 7, count(DISTINCT k) FROM " + endless + " GROUP BY 1",
		"sorting":               "SELECT b.i FROM big a, big b ORDER BY a.t, b.t OFFSET 10000000000",
		"a window":              "SELECT max(n) FROM (SELECT count(*) OVER (ORDER BY i ROWS 100000 PRECEDING) + sum(i) OVER (ORDER BY t ROWS BETWEEN 5000 PRECEDING AND 5000 FOLLOWING EXCLUDE TIES) AS n FROM big) x, " + endless,
		"rows of a result":      "SELECT i, k FROM " + endless + " WHERE i * k % 100000 = 77777",
		"recursion":             "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r",
		"CREATE TABLE AS":       "CREATE TABLE made AS SELECT i FROM " + endless + " WHERE i * k % 100000 = 77777",
		"INSERT":                "INSERT INTO big SELECT i, 'x' FROM " + endless + " WHERE i * k % 100000 = 77777",
		"UPDATE":                "UPDATE big SET t = (SELECT count(*)::text FROM " + endless + " WHERE i * k % 7 = big.i)",
		"DELETE":                "DELETE FROM big WHERE i > (SELECT count(*) FROM " + endless + " WHERE i * k % 7 = 3)",
		"EXPLAIN ANALYZE":       "EXPLAIN ANALYZE SELECT count(*) FROM " + endless + " WHERE i * k % 7 = 3",
		"statements, the third": "SELECT 1; SELECT 2; SELECT count(*) FROM " + endless + " WHERE i * k % 7 = 3",
	} {
		t.Run(name, func(t *testing.T) {
			cancelled(t, s, 100*time.Millisecond, func(ctx context.Context) error {
				return s.Run(ctx, text, func(r *cubeloom.Result) error { r.Close(); return nil })
			})
		})
	}
	t.Run("a lock", func(t *testing.T) {
		other := db.Session()
		defer other.Close()
		run(t, other, "BEGIN")
		run(t, other, "UPDATE locked SET n = 2")
		cancelled(t, s, 100*time.Millisecond, func(ctx context.Context) error {
			_, err := s.Query(ctx, "UPDATE locked SET n = 3")
			return err
		})
		cancelled(t, s, 100*time.Millisecond, func(ctx context.Context) error {
			_, err := db.Loader(ctx, "locked")
			return err
		})
	})
	t.Run("before it begins", func(t *testing.T) {
		for _, text := range []string{"SELECT 1", "CREATE TABLE never AS SELECT 1", "INSERT INTO big VALUES (1, 'x')"} {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := s.Query(ctx, text); code(err) != "57014" {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
	if got := run(t, s, "SELECT count(*), max(length(t)) FROM big"); got != "300000|6\n" {
		t.Errorf("the table has %q", got)
	}
}

func TestContextEndsPreparing(t *testing.T) {
	_, s := opened(t)
	text := "SELECT count(*) FROM " + numbers(1500, "(VALUES (1)) t%d")
	t.Run("Prepare", func(t *testing.T) {
		cancelled(t, s, 100*time.Millisecond, func(ctx context.Context) error {
			_, err := s.Prepare(ctx, "p", text, nil)
			return err
		})
	})
	t.Run("Describe", func(t *testing.T) {
		list, err := s.Parse(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		cancelled(t, s, 100*time.Millisecond, func(ctx context.Context) error {
			_, err := s.Describe(ctx, list[0], nil)
			return err
		})
	})
}

// lines is an endless stream of a row.
type lines struct {
	row string
	at  int
}

func (l *lines) Read(b []byte) (int, error) {
	n := copy(b, l.row[l.at:])
	for ; n < len(b); n += copy(b[n:], l.row) {
	}
	l.at = (l.at + n) % len(l.row)
	return n, nil
}

func TestContextEndsCopy(t *testing.T) {
	_, s := opened(t)
	run(t, s, "CREATE TABLE t (a integer, b text)")
	for name, c := range map[string]struct {
		text string
		in   io.Reader
	}{
		"text":            {"COPY t FROM STDIN", &lines{row: "1\tx\n"}},
		"csv":             {"COPY t FROM STDIN (FORMAT csv)", &lines{row: "1,\"x\"\n"}},
		"a line":          {"COPY t FROM STDIN", &lines{row: "xxxxxxxxxxxxxxxx"}},
		"quotes":          {"COPY t FROM STDIN (FORMAT csv)", &lines{row: "\"\"x\"\""}},
		"binary":          {"COPY t FROM STDIN (FORMAT binary)", io.MultiReader(strings.NewReader("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"), &lines{row: "\x00\x02\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00\x01x"})},
		"rows of a query": {"COPY (SELECT i, k FROM generate_series(1, 100000) a(i), generate_series(1, 100000) b(k) WHERE i * k % 100000 = 77777) TO STDOUT", nil},
		"text that goes":  {"COPY (SELECT repeat('x', 1000000) FROM generate_series(1, 300)) TO STDOUT (FORMAT csv)", nil},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := s.Parse(context.Background(), c.text)
			if err != nil {
				t.Fatal(err)
			}
			cancelled(t, s, 100*time.Millisecond, func(ctx context.Context) error {
				_, err := s.Copy(ctx, list[0], c.in, slowly{})
				return err
			})
		})
	}
	if got := run(t, s, "SELECT count(*) FROM t"); got != "0\n" {
		t.Errorf("the table has %q", got)
	}
}

// slowly writes nowhere, and takes its time.
type slowly struct{}

func (slowly) Write(b []byte) (int, error) {
	time.Sleep(5 * time.Millisecond)
	return len(b), nil
}

// What has been read of a result stays readable when the context has ended, and a cursor
// of SQL fails.
func TestResultsOutliveTheirContext(t *testing.T) {
	_, s := opened(t)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := s.Query(ctx, "SELECT i FROM generate_series(1, 200000) g(i)")
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, "BEGIN")
	run(t, s, "DECLARE c CURSOR FOR SELECT i FROM generate_series(1, 200000) g(i)")
	cancel()
	n := 0
	c := r.Cursor()
	for c.Next() {
		n++
	}
	if err := c.Err(); err != nil || n != 200000 {
		t.Errorf("%d rows are read, and %v", n, err)
	}
	if _, err := s.Query(ctx, "FETCH 10 FROM c"); code(err) != "57014" {
		t.Errorf("FETCH: %v", err)
	}
	var e *cubeloom.Error
	if _, err := s.Query(context.Background(), "FETCH 10 FROM c"); !errors.As(err, &e) || e.Code != "25P02" {
		t.Errorf("FETCH in a transaction that has failed: %v", err)
	}
}

// opened is a database in memory and a session of it.
func opened(t *testing.T) (*cubeloom.DB, *cubeloom.Session) {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{MemoryLimit: 1 << 30, TotalMemory: 2 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := db.Session()
	t.Cleanup(s.Close)
	return db, s
}
