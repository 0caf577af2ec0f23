package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/jackc/pgx/v5"
)

var backups = flag.Int("backups", 5, "backups of a server under load, all restored")

const busySchema = `CREATE ROLE numbered;
	CREATE TABLE giving (id integer PRIMARY KEY, n bigint); INSERT INTO giving SELECT g, 1000000 FROM generate_series(1, 5000) AS x(g);
	CREATE TABLE taking (id integer PRIMARY KEY, n bigint); INSERT INTO taking SELECT id, 0 FROM giving;
	CREATE TABLE journal (number bigint, amount bigint, note text);
	CREATE TABLE counters (journal bigint, definitions bigint); INSERT INTO counters VALUES (0, 0);
	CREATE VIEW latest AS SELECT 0 AS n; COMMENT ON TABLE counters IS '0'; ALTER ROLE numbered CONNECTION LIMIT 0`

// busyInvariant returns one row for each thing that is not as every transaction leaves it.
const busyInvariant = `SELECT 'sum of all accounts' FROM (SELECT sum(n) AS n FROM giving) g, (SELECT sum(n) AS n FROM taking) t WHERE g.n + t.n <> 5000000000
	UNION ALL SELECT 'journal and accounts' FROM (SELECT coalesce(sum(amount), 0) AS n FROM journal) j, (SELECT sum(n) AS n FROM taking) t WHERE j.n <> t.n
	UNION ALL SELECT 'journal and its counter' FROM counters, (SELECT count(*) AS n, count(DISTINCT number) AS m FROM journal) j WHERE j.n <> journal OR m <> journal
	UNION ALL SELECT 'view' FROM counters, latest WHERE definitions <> n
	UNION ALL SELECT 'comment' FROM counters WHERE obj_description('counters'::regclass)::bigint <> definitions
	UNION ALL SELECT 'role' FROM counters, pg_roles WHERE rolname = 'numbered' AND rolconnlimit <> definitions`

// busy has clients change a server's database in transactions, until stop is called.
// Journaled counts those of the journal that were acknowledged.
type busy struct {
	journaled atomic.Int64
	stop      func()
}

// journal moves an amount from one table to another and writes it down.
const busyJournal = `BEGIN; UPDATE counters SET journal = journal + 1;
	UPDATE giving SET n = n - %[1]d WHERE id = %[2]d; UPDATE taking SET n = n + %[1]d WHERE id = %[2]d;
	INSERT INTO journal SELECT journal, %[1]d, repeat('note ', 50) FROM counters; COMMIT`

// busyDefinitions gives a view, a comment and a role another number.
const busyDefinitions = `BEGIN; UPDATE counters SET definitions = %[1]d; CREATE OR REPLACE VIEW latest AS SELECT %[1]d AS n;
	COMMENT ON TABLE counters IS '%[1]d'; ALTER ROLE numbered CONNECTION LIMIT %[1]d; COMMIT`

func keepBusy(t *testing.T, address string) *busy {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	b := &busy{stop: func() { cancel(); clients.Wait() }}
	client := func(script func(n int) string, done *atomic.Int64) {
		c, err := pgx.Connect(ctx, "postgres://"+address+"/db?user=cubeloom&password="+strings.ReplaceAll(filesPassword, " ", "%20"))
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close(context.Background())
		for n := 1; ctx.Err() == nil; n++ {
			if _, err := c.PgConn().Exec(ctx, script(n)).ReadAll(); err != nil && ctx.Err() == nil {
				t.Errorf("%s: %v", script(n), err)
				return
			} else if err == nil {
				done.Add(1)
			}
		}
	}
	for i := range 3 {
		clients.Go(func() {
			client(func(n int) string { return fmt.Sprintf(busyJournal, n, 1+(n*7+i)%5000) }, &b.journaled)
		})
	}
	clients.Go(func() {
		client(func(n int) string { return fmt.Sprintf(busyDefinitions, n) }, new(atomic.Int64))
	})
	return b
}

// TestBackupsOfABusyServer takes backups of a server whose clients commit without a
// pause, in transactions over several tables and definitions: each backup is sound, and
// holds a state that was committed, not older than what had been acknowledged before.
func TestBackupsOfABusyServer(t *testing.T) {
	base := t.TempDir()
	data := filepath.Join(base, "db")
	if out, err := command(t, "sql", "--data", data, "-c", busySchema); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	password := filepath.Join(base, "password")
	if err := os.WriteFile(password, []byte(filesPassword+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, address := serveProcess(t, "--data", data, "--superuser", "cubeloom", "--superuser-password-file", password)
	b := keepBusy(t, address)
	defer b.stop()
	for start := time.Now(); b.journaled.Load() == 0 && time.Since(start) < time.Minute; {
		time.Sleep(time.Millisecond)
	}
	last := int64(0)
	for n := range *backups {
		before := b.journaled.Load()
		to := filepath.Join(base, fmt.Sprint("backup", n))
		if out, err := command(t, "backup", "--data", data, "--to", to); err != nil {
			t.Fatalf("backup %d: %v\n%s", n, err, out)
		}
		after := b.journaled.Load()
		if out, err := command(t, "check", "--data", to); err != nil {
			t.Errorf("backup %d: %v\n%s", n, err, out)
		}
		const inFlight = 3 // committed, and not acknowledged yet
		last = checkRestored(t, to)
		if last < before || last > after+inFlight {
			t.Errorf("backup %d has %d entries, begun at %d and ended at %d", n, last, before, after)
		}
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
	if last == 0 {
		t.Error("the clients have done nothing")
	}
}

// checkRestored opens a backup and checks that it holds what transactions leave. It returns
// the number of entries in the journal.
func checkRestored(t *testing.T, dir string) (entries int64) {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{DataDir: dir, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := db.Session()
	defer s.Close()
	wrong, err := s.Query(t.Context(), busyInvariant)
	if err != nil {
		t.Fatal(err)
	}
	for cur := wrong.Cursor(); cur.Next(); {
		t.Errorf("%s: not as a transaction leaves it", cur.Text(0))
	}
	count, err := s.Query(t.Context(), "SELECT journal FROM counters")
	if err != nil {
		t.Fatal(err)
	}
	cur := count.Cursor()
	if !cur.Next() {
		t.Fatal("there is no counter")
	}
	return cur.Value(0).I
}
