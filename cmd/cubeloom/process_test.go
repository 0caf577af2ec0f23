package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// asProgram in the environment makes the test's binary the program itself.
const asProgram = "CUBELOOM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// process is the program in a process of its own.
type process struct {
	*exec.Cmd
	out   safeText // what it writes, both streams
	ended chan struct{}
}

// run starts the program with a command line and a standard input. It is killed when
// the test ends, if it runs then.
func run(t testing.TB, in string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), ended: make(chan struct{})}
	p.Env = append(os.Environ(), asProgram+"=1")
	p.Stdin, p.Stdout, p.Stderr = strings.NewReader(in), &p.out, &p.out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		p.Wait()
	}()
	t.Cleanup(func() {
		p.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Logf("%v:\n%s", args, p.out.String())
		}
	})
	return p
}

// serveProcess starts a server with its tables in memory at a free port, where args
// name no other place, and returns its address.
func serveProcess(t testing.TB, args ...string) (p *process, address string) {
	t.Helper()
	p = run(t, "", append([]string{"serve", "--listen", "127.0.0.1:0", "--memory-limit", "512MB", "--total-memory", "1GB", "--device", "cpu"}, args...)...)
	return p, p.out.find(t, `listening at (127\S+)`)
}

// wait waits for the end of the process and returns its exit status.
func (p *process) wait(t testing.TB, within time.Duration) int {
	t.Helper()
	select {
	case <-p.ended:
		return p.ProcessState.ExitCode()
	case <-time.After(within):
		p.Process.Signal(syscall.SIGQUIT)
		<-p.ended
		t.Fatalf("the process has not ended within %v", within)
		return 0
	}
}

// signal sends a signal.
func (p *process) signal(t testing.TB, sig os.Signal) {
	t.Helper()
	if err := p.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// safeText is a stream that can be read while it is written.
type safeText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

var _ io.Writer = (*safeText)(nil)

func (s *safeText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// find waits for a match and returns its group.
func (s *safeText) find(t testing.TB, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		text := s.String()
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s in\n%s", pattern, text)
		}
	}
}
