package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// serve is Cubeloom's server: it writes its address to standard output and ends
// when standard input does.
func serve(ctx context.Context) error {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	dir, err := os.MkdirTemp("", "cubeloom-rows-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		return err
	}
	srv := server.New(server.Config{DB: db})
	go srv.Serve(l)
	fmt.Println(l.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, srv.Shutdown(ctx))
}

// contender is a server that is measured, through a Unix socket.
type contender struct {
	name string
	wire *wire
	pid  int // of the process that serves the connection
	stop func() error
}

// ticks are those of /proc in a second.
const ticks = 100

// cpu is the time that the server's process has spent computing.
func (c *contender) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.pid))
	if err != nil {
		return 0, err
	}
	// Behind the program's name, which may hold anything: user and system time
	// are fields 14 and 15.
	var state string
	var skipped [10]int64
	var user, system int64
	args := []any{&state}
	for i := range skipped {
		args = append(args, &skipped[i])
	}
	_, err = fmt.Sscan(string(text[bytes.LastIndexByte(text, ')')+1:]), append(args, &user, &system)...)
	return time.Duration(user+system) * time.Second / ticks, err
}

// startCubeloom starts this program as the server.
func startCubeloom() (c *contender, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "--serve")
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
	c = &contender{name: "cubeloom", pid: cmd.Process.Pid, stop: func() error { return errors.Join(in.Close(), cmd.Wait()) }}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		c.wire, err = dial("unix", strings.TrimSpace(address))
	}
	if err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

// startPostgres starts PostgreSQL.
func startPostgres(ctx context.Context) (*contender, error) {
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		return nil, err
	}
	w, err := dial("unix", filepath.Join(pg.Dir(), ".s.PGSQL.5432"))
	if err != nil {
		return nil, errors.Join(err, pg.Close())
	}
	return &contender{name: "postgresql", wire: w, pid: w.pid, stop: pg.Close}, nil
}

// close ends the connection and the server.
func (c *contender) close() error { return errors.Join(c.wire.close(), c.stop()) }
