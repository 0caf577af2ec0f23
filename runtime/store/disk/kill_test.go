package disk

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
)

// copyingDir, where the environment has it, makes this process one that copies
// into the directory until it is killed.
const copyingDir = "CUBELOOM_TEST_COPYING_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(copyingDir); dir != "" {
		fmt.Println("error:", copyForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// copyRows is how many rows each COPY of copyForever appends.
const copyRows = 3000

// copyForever loads file after file into a table, each in a transaction that
// also replaces a view, and says so on standard output after each commit.
func copyForever(dir string) error {
	c, err := Open(dir)
	if err != nil {
		return err
	}
	for {
		var n int64
		err := commit(c, func(tx *store.Tx) error {
			if tx.State().Lookup("t") == nil {
				table, err := newTable("t", []algebra.Type{algebra.TInt64, algebra.TText})
				if err != nil {
					return err
				}
				if err := tx.Create(ctx, table, false); err != nil {
					return err
				}
			}
			n, err = copyOnce(tx)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Println(n)
	}
}

// copyOnce appends the next rows, corrects some of them, and makes a view whose text is their number.
func copyOnce(tx *store.Tx) (int64, error) {
	app, err := tx.Append(ctx, "t")
	if err != nil {
		return 0, err
	}
	from := app.Rows()
	var text strings.Builder
	for i := range int64(copyRows) {
		fmt.Fprintf(&text, "%d,%s\n", from+i, rawText(from+i))
	}
	if _, err := csvfile.Load(ctx, csvfile.Input{Reader: strings.NewReader(text.String())}, app, []int{0, 1}, csvfile.NewOptions(false), 2); err != nil {
		return 0, err
	}
	table, err := app.Finish()
	if err != nil {
		return 0, err
	}
	if table, err = correct(tx, table, from); err != nil {
		return 0, err
	}
	tx.Update(table)
	return table.Rows(), tx.Create(ctx, store.NewView("v", fmt.Sprint(table.Rows()), nil, nil), true)
}

// rawText is the text of row i as it is copied: every seventh is wrong.
func rawText(i int64) string {
	if i%7 == 0 {
		return "wrong"
	}
	return fmt.Sprint("text ", i%1000)
}

// correct puts the right texts in the place of the wrong ones, from row from on.
func correct(tx *store.Tx, table *store.Table, from int64) (*store.Table, error) {
	right, err := newTable("right", []algebra.Type{algebra.TText})
	if err != nil {
		return nil, err
	}
	app := right.Append()
	batch := app.NewBatch()
	change := &store.Change{Set: []int{1}, From: []int{0}}
	for i := from; i < table.Rows(); i++ {
		if i%7 == 0 {
			change.Picks = append(change.Picks, store.Pick{Row: i, At: int32(len(change.Picks))})
			batch.Col(0).Text(fmt.Sprint("text ", i%1000))
		}
	}
	part, err := batch.Seal()
	if err != nil {
		return nil, err
	}
	if err := app.Add(part); err != nil {
		return nil, err
	}
	if change.Rel, err = app.Finish(); err != nil {
		return nil, err
	}
	return tx.Rewrite(ctx, table, change, 2)
}

func TestKilledProcessLeavesTheLastCompleteState(t *testing.T) {
	dir := t.TempDir()
	const rounds = 12
	for round := range rounds {
		acknowledged := killCopying(t, dir, time.Duration(rand.IntN(120))*time.Millisecond)
		c, err := Open(dir)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		checkCopied(t, c.State(), acknowledged)
		for _, name := range files(t, dir) {
			if draftOf(name) != "" {
				t.Errorf("round %d: %s is left", round, name)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killCopying runs copyForever in a process of its own, kills it some time
// after its first commit, and returns the last number of rows that it told.
func killCopying(t *testing.T, dir string, after time.Duration) int64 {
	t.Helper()
	child, lines := copying(t, dir)
	var last int64
	var err error
	for lines.Scan() {
		if last == 0 {
			time.AfterFunc(after, func() { _ = child.Process.Kill() })
		}
		if last, err = strconv.ParseInt(lines.Text(), 10, 64); err != nil {
			t.Errorf("the copying process says %q", lines.Text())
		}
	}
	if err := child.Wait(); err == nil {
		t.Error("the copying process ended by itself")
	}
	return last
}

// copying starts copyForever in a process of its own and returns the lines that it
// writes.
func copying(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), copyingDir+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	return child, bufio.NewScanner(out)
}

// startCopying runs copyForever until the test ends, and returns what tells the last
// number of rows that it has told. It returns after the first commit.
func startCopying(t *testing.T, dir string) (told func() int64) {
	t.Helper()
	child, lines := copying(t, dir)
	var last atomic.Int64
	first := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() {
			n, err := strconv.ParseInt(lines.Text(), 10, 64)
			if err != nil {
				t.Errorf("the copying process says %q", lines.Text())
			}
			if last.Swap(n) == 0 {
				close(first)
			}
		}
	}()
	t.Cleanup(func() {
		_ = child.Process.Kill()
		<-ended
		_ = child.Wait() // it was killed
	})
	select {
	case <-first:
	case <-ended:
		t.Fatal("the copying process ended by itself")
	}
	return last.Load
}

// checkCopied checks that a state is one that copyForever committed, and not
// older than the last one that it told of.
func checkCopied(t *testing.T, s *store.State, acknowledged int64) {
	t.Helper()
	table := s.Lookup("t").(*store.Table)
	rows := table.Rows()
	if rows%copyRows != 0 || rows < acknowledged || rows > acknowledged+copyRows {
		t.Errorf("%d rows, of which %d were acknowledged", rows, acknowledged)
	}
	if v := s.Lookup("v").(*store.View); v.Text != fmt.Sprint(rows) {
		t.Errorf("the view is of %s rows, the table has %d", v.Text, rows)
	}
	n := int64(0)
	for i := range table.Blocks() {
		b, err := table.Load(i, []int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		for row := range b.Rows {
			if b.Cols[0].Int(row) != n || b.Cols[1].TextAt(row) != fmt.Sprint("text ", n%1000) {
				t.Fatalf("row %d is %d, %q", n, b.Cols[0].Int(row), b.Cols[1].TextAt(row))
			}
			n++
		}
	}
}
