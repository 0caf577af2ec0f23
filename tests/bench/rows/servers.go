package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/bench/process"
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

// cpu is the time that the server's process has spent computing.
func (c *contender) cpu() (time.Duration, error) { return process.CPU(c.pid) }

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
