package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/bench/process"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// serve is Cubeloom's server.
func serve(ctx context.Context) error {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	return process.Serve(ctx, server.Config{DB: db})
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
func startCubeloom() (*contender, error) {
	p, err := process.Start("--serve")
	if err != nil {
		return nil, err
	}
	w, err := dial("unix", p.Address)
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	return &contender{name: "cubeloom", wire: w, pid: p.PID, stop: p.Stop}, nil
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
