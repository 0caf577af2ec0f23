//go:build costs

package tests

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/slow"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	slowAll     = flag.Bool("slow", false, "run all slow statements, with a statement_timeout of 1s, and not a sample with one of 100ms")
	slowSeed    = flag.Uint64("slow-seed", 1, "seed of the sample of slow statements; 0: any")
	slowOnly    = flag.String("slow-only", "", "run only the slow statements whose names have this")
	slowTimeout = flag.Duration("slow-timeout", 0, "statement_timeout of the slow statements (default 100ms, 1s with -slow)")
	slowProgram = flag.String("slow-program", "", "program that serves (default: this tree's)")
)

// slowSample is how many of the statements run where not all do.
const slowSample = 60

// late is how long after its time a statement may end.
const late = 500 * time.Millisecond

// tries is how often a statement runs that ends too late: other programs may have kept
// the machine busy.
const tries = 3

// TestSlow runs statements that take far longer than their time limit over the wire
// against a server process: each ends within half a second of it, with its rows or an
// error of its own, and leaves the server answering.
func TestSlow(t *testing.T) {
	timeout := *slowTimeout
	if timeout == 0 {
		timeout = 100 * time.Millisecond
		if *slowAll {
			timeout = time.Second
		}
	}
	s := startSlowServer(t)
	for _, st := range slowStatements(t) {
		s.check(t, st, timeout, func(ctx context.Context, conn *pgconn.PgConn) error {
			_, err := conn.Exec(ctx, fmt.Sprintf("set statement_timeout = '%dms'", timeout.Milliseconds())).ReadAll()
			return err
		})
	}
}

// TestSlowCancel is TestSlow with a cancel request of the client instead of a time
// limit.
func TestSlowCancel(t *testing.T) {
	const after = 100 * time.Millisecond
	s := startSlowServer(t)
	for _, st := range slowStatements(t) {
		s.check(t, st, after, func(ctx context.Context, conn *pgconn.PgConn) error {
			time.AfterFunc(after, func() { conn.CancelRequest(ctx) })
			return nil
		})
	}
}

// slowStatements are those to run.
func slowStatements(t *testing.T) []slow.Statement {
	all := slow.Statements()
	if *slowOnly != "" {
		var some []slow.Statement
		for _, st := range all {
			if strings.Contains(st.Name, *slowOnly) {
				some = append(some, st)
			}
		}
		return some
	}
	if *slowAll {
		return all
	}
	seed := *slowSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-slow-seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all[:slowSample]
}

// slowServer is a server process with the tables of the corpus.
type slowServer struct {
	program string
	cmd     *exec.Cmd
	address string
}

func startSlowServer(t *testing.T) *slowServer {
	t.Helper()
	s := &slowServer{program: *slowProgram}
	if s.program == "" {
		s.program = filepath.Join(t.TempDir(), "cubeloom")
		if out, err := exec.Command("go", "build", "-o", s.program, "../cmd/cubeloom").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	t.Cleanup(s.kill)
	s.start(t)
	return s
}

// start starts the process and makes the tables.
func (s *slowServer) start(t *testing.T) {
	t.Helper()
	s.cmd = exec.Command(s.program, "serve", "--listen", "127.0.0.1:0", "--memory-limit", "1GB", "--total-memory", "2GB", "--device", "cpu", "--stop-timeout", "1s")
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "listening at "); ok {
			s.address = address
			break
		}
	}
	go io.Copy(io.Discard, out)
	conn := s.connect(t)
	defer conn.Close(t.Context())
	for _, text := range slow.Setup() {
		if _, err := conn.Exec(t.Context(), text).ReadAll(); err != nil {
			t.Fatalf("%.100s: %v", text, err)
		}
	}
}

func (s *slowServer) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func (s *slowServer) connect(t *testing.T) *pgconn.PgConn {
	t.Helper()
	host, port, _ := strings.Cut(s.address, ":")
	conn, err := pgconn.Connect(t.Context(), fmt.Sprintf("host=%s port=%s user=tester dbname=cubeloom sslmode=disable", host, port))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// check runs one statement, which limit ends after the given time.
func (s *slowServer) check(t *testing.T, st slow.Statement, limit time.Duration, begin func(context.Context, *pgconn.PgConn) error) {
	t.Helper()
	var took time.Duration
	var err error
	for range tries {
		took, err = s.try(t, st, limit, begin)
		if err != nil {
			break
		}
		if took < limit+late {
			return
		}
	}
	if err == nil {
		err = fmt.Errorf("took %v", took.Round(time.Millisecond))
	}
	t.Errorf("%s: %v", st.Name, err)
}

// busy is by how much a statement may take longer on a machine that is busy.
const busy = 10

// computed is how long the server process has computed.
func (s *slowServer) computed() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may have blanks.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks time.Duration
	for _, field := range fields[11:13] {
		n, _ := strconv.Atoi(field)
		ticks += time.Duration(n)
	}
	return ticks * (time.Second / 100)
}

// hopeless is when a statement is given up, with its server.
const hopeless = 10 * time.Second

// try runs a statement and returns its time; an error is one that no statement may end with.
func (s *slowServer) try(t *testing.T, st slow.Statement, limit time.Duration, begin func(context.Context, *pgconn.PgConn) error) (time.Duration, error) {
	t.Helper()
	conn := s.connect(t)
	defer conn.Close(context.Background())
	ctx, cancel := context.WithTimeout(t.Context(), hopeless)
	defer cancel()
	if err := begin(ctx, conn); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	atLimit := make(chan time.Duration, 1)
	timer := time.AfterFunc(limit, func() { atLimit <- s.computed() })
	err := s.send(ctx, conn, st)
	took := time.Since(start)
	if !timer.Stop() {
		// Where other programs keep the machine busy, what counts is how long the server
		// computed behind the limit.
		took = min(took, limit+s.computed()-<-atLimit+took/busy)
	}
	if ctx.Err() != nil {
		s.kill()
		s.start(t)
		return took, fmt.Errorf("did not end within %v", hopeless)
	}
	var refused *pgconn.PgError
	switch {
	case err == nil, errors.As(err, &refused) && refused.Code != "XX000":
		if testing.Verbose() {
			t.Logf("%-60.60s %6d ms  %v", st.Name, took.Milliseconds(), err)
		}
		return took, nil
	case refused == nil: // the connection is gone
		s.kill()
		s.start(t)
	}
	return took, err
}

// send runs the statement and reads its rows.
func (s *slowServer) send(ctx context.Context, conn *pgconn.PgConn, st slow.Statement) error {
	if st.In != "" {
		before, last := st.SQL[:strings.LastIndex(st.SQL, ";")], st.SQL[strings.LastIndex(st.SQL, ";")+1:]
		if _, err := conn.Exec(ctx, before).ReadAll(); err != nil {
			return err
		}
		_, err := conn.CopyFrom(ctx, &endless{text: []byte(strings.Repeat(st.In, 1+4096/len(st.In)))}, last)
		return err
	}
	results := conn.Exec(ctx, st.SQL)
	for results.NextResult() {
		for rows := results.ResultReader(); rows.NextRow(); {
		}
	}
	return results.Close()
}

// endless reads a text again and again.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}
