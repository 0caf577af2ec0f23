// Package process says what processes use, and runs the caller's program a second
// time as a Cubeloom server behind a Unix socket, so that what the server uses can
// be told from what its clients use.
package process

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/cubeloom/cubeloom/server"
)

// State is what the server's process holds. The garbage has been collected.
type State struct {
	Goroutines int
	Heap       uint64 // bytes that live
	Resident   int64  // most bytes that the process ever held; 0 where that is not known
}

// Serve is what the child does: it writes the server's address to standard output
// and answers each line of standard input with its State, until the input ends.
func Serve(ctx context.Context, config server.Config) error {
	dir, err := os.MkdirTemp("", "cubeloom-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		return err
	}
	srv := server.New(config)
	go srv.Serve(l)
	fmt.Println(l.Addr())
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		if err := out.Encode(current()); err != nil {
			return err
		}
	}
	return srv.Shutdown(ctx)
}

// current is the state of this process.
func current() State {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	resident, _ := StatusBytes("VmHWM") // only Linux says
	return State{Goroutines: runtime.NumGoroutine(), Heap: m.HeapAlloc, Resident: resident}
}

// Server is the child as its parent sees it.
type Server struct {
	Address string // of its Unix socket
	PID     int
	child   *exec.Cmd
	ask     io.WriteCloser
	answers *json.Decoder
}

// Start starts this program with the given arguments, which have it call Serve.
func Start(args ...string) (*Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &Server{child: exec.Command(self, args...)}
	s.child.Stderr = os.Stderr
	if s.ask, err = s.child.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.child.Start(); err != nil {
		return nil, err
	}
	r := bufio.NewReader(out)
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	s.Address, s.PID, s.answers = strings.TrimSpace(line), s.child.Process.Pid, json.NewDecoder(r)
	return s, nil
}

// State asks the server what it holds.
func (s *Server) State() (state State, err error) {
	if _, err := s.ask.Write([]byte("\n")); err != nil {
		return state, err
	}
	return state, s.answers.Decode(&state)
}

// Stop ends the server.
func (s *Server) Stop() error { return errors.Join(s.ask.Close(), s.child.Wait()) }
