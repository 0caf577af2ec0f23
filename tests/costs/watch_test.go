//go:build costs

package costs

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// watchAddress is the environment variable that makes the test's program one that asks
// the server at that address for one row all the time.
const watchAddress = "CUBELOOM_COSTS_WATCH"

// How often the server is asked, and how often the yardstick's timer is to fire.
const (
	askEvery  = 20 * time.Millisecond
	tickEvery = 5 * time.Millisecond
)

// turns is how many processes and goroutines wait for a core, one after the other, until
// an answer has come: the client that asks, the server's network, its session, and the
// client again. Each may wait as long as the yardstick's goroutine does.
const turns = 4

func TestMain(m *testing.M) {
	if address := os.Getenv(watchAddress); address != "" {
		if err := watch(address); err != nil {
			fmt.Fprintln(os.Stderr, "watch:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// watch writes a line for each answer: how long it took, and the most that a goroutine of
// this process, which does nothing else, waited for a core meanwhile. It ends with its
// standard input.
func watch(address string) error {
	ctx := context.Background()
	conn, err := (&process{addr: address}).connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	ended := make(chan struct{})
	go func() {
		bufio.NewReader(os.Stdin).ReadByte()
		close(ended)
	}()
	fmt.Println("ready")
	late := newYardstick()
	for {
		late.restart()
		began := time.Now()
		if err := conn.ExecParams(ctx, "SELECT 1", nil, nil, nil, nil).Read().Err; err != nil {
			return err
		}
		fmt.Println(int64(time.Since(began)), int64(late.most()))
		select {
		case <-ended:
			return nil
		case <-time.After(askEvery):
		}
	}
}

// watched has a process ask the server for one row all the time while do runs, and returns
// how long the slowest answer took. What the machine made everybody wait does not count
// against the server.
func watched(t *testing.T, p *process, do func()) (slowest time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), watchAddress+"="+p.addr)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("the watching process does not begin: %q", lines.Text())
	}
	seen := make(chan struct{})
	go func() {
		defer close(seen)
		for lines.Scan() {
			var took, waited time.Duration
			if _, err := fmt.Sscan(lines.Text(), (*int64)(&took), (*int64)(&waited)); err != nil {
				t.Errorf("the watching process says %q", lines.Text())
				continue
			}
			slowest = max(slowest, took)
			if took-turns*waited > longestAnswer {
				t.Errorf("SELECT 1 takes %v; a goroutine that does nothing waits %v meanwhile", took, waited)
			}
		}
	}()
	do()
	in.Close()
	<-seen
	if err := cmd.Wait(); err != nil {
		t.Errorf("the watching process: %v", err)
	}
	return slowest
}
