package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/server"
)

// state is what the server's process holds. The garbage has been collected.
type state struct {
	Goroutines int
	Heap       uint64 // bytes that live
	Resident   uint64 // most bytes that the process ever held
}

// serve is the server: it loads the data, writes its address to standard output,
// and answers each line on standard input with its state, until the input ends.
func serve(ctx context.Context, o *options) error {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := fill(ctx, db, workload.SSB{SF: o.sf}); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "cubeloom-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		return err
	}
	srv := server.New(server.Config{DB: db, MaxConnections: o.clients + 10, MaxRunning: o.maxRunning})
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
func current() state {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := state{Goroutines: runtime.NumGoroutine(), Heap: m.HeapAlloc}
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return s // not Linux
	}
	for line := range strings.Lines(string(text)) {
		var kB uint64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kB); n == 1 {
			s.Resident = kB << 10
		}
	}
	return s
}

// fill loads the tables of a set.
func fill(ctx context.Context, db *cubeloom.DB, set workload.Set) error {
	loaders := map[string]*cubeloom.Loader{}
	for _, t := range set.Tables() {
		if _, err := db.Session().Query(ctx, t.DDL); err != nil {
			return err
		}
		loader, err := db.Loader(ctx, t.Name)
		if err != nil {
			return err
		}
		defer loader.Close()
		loaders[t.Name] = loader
	}
	err := set.Generate(ctx, workload.Options{}, func(table string, rec arrow.Record) error { return loaders[table].Append(ctx, rec) })
	if err != nil {
		return err
	}
	for _, loader := range loaders {
		if err := loader.Commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

// process is the server's process as its parent sees it.
type process struct {
	address string // of its Unix socket
	in      *json.Decoder
	ask     func() error
	stop    func() error
}

// start starts this program as the server.
func start(o *options) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "--serve", fmt.Sprint("--sf=", o.sf), fmt.Sprint("--clients=", o.clients), fmt.Sprint("--max-running=", o.maxRunning))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{stop: func() error { return errors.Join(in.Close(), cmd.Wait()) }}
	p.ask = func() error {
		_, err := in.Write([]byte("\n"))
		return err
	}
	r := bufio.NewReader(out)
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, errors.Join(err, p.stop())
	}
	p.address, p.in = strings.TrimSpace(line), json.NewDecoder(r)
	return p, nil
}

// state asks the server what it holds.
func (p *process) state() (s state, err error) {
	if err := p.ask(); err != nil {
		return s, err
	}
	return s, p.in.Decode(&s)
}
