package main

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/fill"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/bench/process"
)

// serve is the server: it loads the data first.
func serve(ctx context.Context, o *options) error {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := fill.Tables(ctx, db, workload.SSB{SF: o.sf}, workload.Options{}); err != nil {
		return err
	}
	// The clients come as another role than the one that has loaded the tables.
	s := db.Session()
	_, err = s.Query(ctx, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC")
	s.Close()
	if err != nil {
		return err
	}
	return process.Serve(ctx, server.Config{DB: db, MaxConnections: o.clients + 10, MaxRunning: o.maxRunning})
}

// start starts this program as the server.
func start(o *options) (*process.Server, error) {
	return process.Start("--serve", fmt.Sprint("--sf=", o.sf), fmt.Sprint("--clients=", o.clients), fmt.Sprint("--max-running=", o.maxRunning))
}
