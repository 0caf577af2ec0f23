//go:build costs

package costs

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// process is a server in a process of its own, with a limit for each statement and one
// for everything.
type process struct {
	pid  int
	addr string // host:port
}

// startServer builds and starts the server; it ends with the test.
func startServer(t *testing.T, args ...string) *process {
	t.Helper()
	program := filepath.Join(t.TempDir(), "cubeloom")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/cubeloom").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program, append([]string{"serve", "--listen", "127.0.0.1:0", "--no-tls"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	p := &process{pid: cmd.Process.Pid}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if addr, ok := strings.CutPrefix(lines.Text(), "listening at "); ok {
			p.addr = addr
			break
		}
	}
	go func() {
		for lines.Scan() {
		}
		ended <- cmd.Wait()
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Error("the server does not end")
			cmd.Process.Kill()
			<-ended
		}
	})
	if p.addr == "" {
		t.Fatal("the server does not listen")
	}
	return p
}

// connect opens a connection.
func (p *process) connect(ctx context.Context) (*pgconn.PgConn, error) {
	return pgconn.Connect(ctx, fmt.Sprintf("postgres://costs@%s/costs?sslmode=disable", p.addr))
}

// highWater is the most memory that the process has had since resetHighWater, in MB.
func (p *process) highWater(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		t.Fatalf("the server is gone: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
			if err != nil {
				t.Fatal(err)
			}
			return kilobytes >> 10
		}
	}
	t.Fatal("the process has no VmHWM")
	return 0
}

// resetHighWater starts the high-water mark anew, where the system allows that.
func (p *process) resetHighWater() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.pid), []byte("5"), 0)
}
