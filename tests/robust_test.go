package tests

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
)

// code is the SQLSTATE of an error, "" for none.
func code(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *cubeloom.Error
	if !errors.As(err, &e) {
		t.Fatalf("error without SQLSTATE: %v", err)
	}
	return e.Code
}

// bigTable is a session over a table r(a, b, c, d, v) of 2^rows rows.
func bigTable(t *testing.T, log2rows int) *cubeloom.Session {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := db.Session()
	script := `CREATE TABLE r AS SELECT 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS v;`
	for i := range log2rows {
		script += fmt.Sprintf("INSERT INTO r SELECT (a * 7 + %d) %% 97, (b * 5 + %d) %% 89, (c * 3 + %d) %% 83, (d * 11 + %d) %% 79, v + 1 FROM r;", i, i, i, i)
	}
	if err := s.Run(context.Background(), script, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCancelInTheMiddleOfACube(t *testing.T) {
	s := bigTable(t, 20)
	goroutines := runtime.NumGoroutine()
	const cube = "SELECT a, b, c, d, sum(v), count(DISTINCT v) FROM r GROUP BY CUBE (a, b, c, d)"
	ctx, cancel := context.WithCancel(context.Background())
	var cancelled time.Time
	time.AfterFunc(50*time.Millisecond, func() { cancelled = time.Now(); cancel() })
	_, err := s.Query(ctx, cube)
	if got := code(t, err); got != "57014" {
		t.Fatalf("a cancelled cube ended with %q (%v), want 57014", got, err)
	}
	t.Logf("ended %v after it was cancelled", time.Since(cancelled))
	if res, err := s.Query(context.Background(), "SELECT count(*) FROM r"); err != nil || res.Rows() != 1 {
		t.Fatalf("the session does not go on: %v", err)
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > goroutines; {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines before, %d after", goroutines, runtime.NumGoroutine())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestStatementTimeout(t *testing.T) {
	s := bigTable(t, 18)
	ctx := context.Background()
	if _, err := s.Query(ctx, "SET statement_timeout = '5ms'"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Query(ctx, "SELECT a, b, c, d, count(DISTINCT v) FROM r GROUP BY CUBE (a, b, c, d)")
	if got := code(t, err); got != "57014" {
		t.Fatalf("ended with %q (%v), want 57014", got, err)
	}
	if _, err := s.Query(ctx, "RESET statement_timeout"); err != nil {
		t.Fatal(err)
	}
}

func TestMemoryLimit(t *testing.T) {
	s := bigTable(t, 18)
	ctx := context.Background()
	if _, err := s.Query(ctx, "SET memory_limit = '1MB'"); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"SELECT * FROM r ORDER BY a, b, c, d",
		"SELECT a, b, c, d, v, count(*) FROM r GROUP BY CUBE (a, b, c, d, v)",
		"SELECT x.a FROM r x JOIN r y ON x.a = y.a AND x.b = y.b AND x.v = y.v",
	} {
		_, err := s.Query(ctx, query)
		if got := code(t, err); got != "53200" {
			t.Errorf("%s ended with %q (%v), want 53200", query, got, err)
		}
	}
	if _, err := s.Query(ctx, "SELECT a, count(*) FROM r GROUP BY a"); err != nil {
		t.Errorf("a small query does not run within the limit: %v", err)
	}
}

func TestHostileTexts(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	nest := func(open, inner, close string) string {
		return "SELECT " + strings.Repeat(open, 1000) + inner + strings.Repeat(close, 1000)
	}
	tests := []struct{ name, text, want string }{
		{"parentheses", nest("(", "1", ")"), "ok or 54001"},
		{"subselects", nest("(SELECT ", "1", ")"), "ok or 54001 or 0A000"},
		{"case", nest("CASE WHEN true THEN ", "1", " END"), "ok or 54001"},
		{"not", nest("NOT ", "true", ""), "ok or 54001"},
		{"minus", nest("- ", "1", ""), "ok or 54001"},
		{"casts", nest("", "1", "::bigint"), "ok or 54001"},
		{"sum", "SELECT 1" + strings.Repeat(" + 1", 100_000), "ok or 54001"},
		{"and", "SELECT true" + strings.Repeat(" AND true", 100_000), "ok or 54001"},
		{"derived tables", "SELECT * FROM " + strings.Repeat("(SELECT * FROM ", 1000) + "(SELECT 1 AS x) t" + strings.Repeat(") t", 1000), "ok or 54001"},
		{"unions", "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 3000), "ok or 54001"},
		{"literal of 1 MB", "SELECT length('" + strings.Repeat("x", 1<<20) + "')", "ok"},
		{"list of 100000", "SELECT 5 IN (1" + strings.Repeat(", 7", 100_000) + ")", "ok or 54001"},
		{"invalid UTF-8", "SELECT '\xff\xfe'", "22021"},
		{"zero byte", "SELECT 'a\x00b'", "22021 or 42601"},
		{"explain of a change", "EXPLAIN INSERT INTO t DEFAULT VALUES", "42P01"},
		{"open quote", "SELECT 'abc", "42601"},
		{"open comment", "SELECT 1 /* abc", "42601"},
		{"huge number", "SELECT " + strings.Repeat("9", 100_000), "22003"},
		{"cube of 40", "SELECT count(*) FROM (SELECT 1 AS a) t GROUP BY CUBE (" + strings.Repeat("a, ", 39) + "a)", "54000 or 54001 or 54011"},
	}
	for _, test := range tests {
		start := time.Now()
		_, err := s.Query(context.Background(), test.text)
		got := code(t, err)
		if got == "" {
			got = "ok"
		}
		if !strings.Contains(test.want, got) {
			t.Errorf("%s: %s (%.200v), want %s", test.name, got, err, test.want)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", test.name, took)
		}
		if _, err := s.Query(context.Background(), "SELECT 1"); err != nil {
			t.Fatalf("after %s the session does not go on: %v", test.name, err)
		}
	}
}

func TestEndlessRecursion(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := db.Session()
	ctx := context.Background()
	run := func(ctx context.Context, text string) string {
		t.Helper()
		return code(t, s.Run(ctx, text, func(*cubeloom.Result) error { return nil }))
	}
	const endless = "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT count(*) FROM t"
	cancelled, cancel := context.WithCancel(ctx)
	time.AfterFunc(50*time.Millisecond, cancel)
	if got := run(cancelled, endless); got != "57014" {
		t.Errorf("a cancelled recursion ended with %q, want 57014", got)
	}
	if got := run(ctx, "SET memory_limit = '1MB'; "+endless); got != "53200" {
		t.Errorf("an endless recursion ended with %q, want 53200", got)
	}
	const growing = "WITH RECURSIVE t (n) AS (SELECT 1 UNION SELECT n + 1 FROM t) SELECT n * 2 FROM t"
	if got := run(ctx, growing); got != "53200" {
		t.Errorf("an endless recursion of distinct rows ended with %q, want 53200", got)
	}
	if got := run(ctx, growing+" LIMIT 100"); got != "" {
		t.Errorf("an endless recursion whose first rows are wanted ended with %q", got)
	}
}
