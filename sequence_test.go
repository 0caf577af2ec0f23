package cubeloom_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// number runs a statement that returns one number.
func number(t *testing.T, s *cubeloom.Session, text string) int {
	t.Helper()
	rows, err := answers(t, s, text)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%s: %v, %v", text, rows, err)
	}
	n, err := strconv.Atoi(rows[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSequencesSurvive copies a data directory at moments when a process could be killed: no
// value that a transaction has committed, or a client has seen, is handed out again. A
// database that is closed loses none.
func TestSequencesSurvive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	open := func(dir string) (*cubeloom.DB, *cubeloom.Session) {
		t.Helper()
		db, err := cubeloom.Open(cubeloom.Options{DataDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return db, db.Session()
	}
	killed := func(n int) int {
		t.Helper()
		copied := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		db, s := open(copied)
		defer db.Close()
		defer s.Close()
		next := number(t, s, "SELECT nextval('t_id_seq')")
		if next <= n || next > n+34 {
			t.Errorf("%d was handed out, and then %d", n, next)
		}
		return next
	}
	db, s := open(dir)
	run(t, s, "CREATE TABLE t (id serial, v text)")
	for i := range 100 {
		last := number(t, s, []string{"SELECT nextval('t_id_seq')", "INSERT INTO t (v) VALUES ('x') RETURNING id",
			"INSERT INTO t (v) SELECT 'y' FROM generate_series(1, 1) RETURNING id"}[i%3])
		if last != i+1 {
			t.Fatalf("%d instead of %d", last, i+1)
		}
		if i%11 == 0 {
			killed(last)
		}
	}
	run(t, s, "SELECT setval('t_id_seq', 20)")
	killed(20)
	run(t, s, "BEGIN")
	run(t, s, "SELECT nextval('t_id_seq')")
	run(t, s, "ROLLBACK")
	s.Close()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, s = open(dir)
	defer db.Close()
	defer s.Close()
	if n := number(t, s, "SELECT nextval('t_id_seq')"); n != 22 {
		t.Errorf("after closing comes %d instead of 22", n)
	}
}

// TestSequencesOfSessions has sessions take values at the same time, each of them once.
func TestSequencesOfSessions(t *testing.T) {
	db, a, b := twoSessions(t)
	run(t, a, "CREATE TABLE s1 (id serial, v integer)")
	run(t, a, "CREATE TABLE s2 (id integer DEFAULT nextval('s1_id_seq'), v integer)")
	var all sync.WaitGroup
	for worker := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			s := db.Session()
			defer s.Close()
			for i := range 20 {
				text := fmt.Sprintf("INSERT INTO s%d (v) SELECT g FROM generate_series(1, %d) g", worker%2+1, 1+i)
				if i%3 == 0 {
					text = fmt.Sprintf("INSERT INTO s%d (v) VALUES (1), (2)", worker%2+1)
				}
				if _, err := s.Query(context.Background(), text); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
	expect(t, b, "SELECT count(*) - count(DISTINCT id) FROM (SELECT id FROM s1 UNION ALL SELECT id FROM s2) x", "0", "")
	expect(t, b, "SELECT max(id) - count(*) FROM (SELECT id FROM s1 UNION ALL SELECT id FROM s2) x", "0", "")
	expect(t, b, "INSERT INTO s1 (v) SELECT 1 / (2 - g) FROM generate_series(1, 3) g", "", "22012")
	expect(t, b, "SELECT nextval('s1_id_seq') > v FROM s1", "", "0A000")
	run(t, a, "BEGIN READ ONLY")
	expect(t, a, "SELECT nextval('s1_id_seq')", "", "25006")
	run(t, a, "ROLLBACK")
}
