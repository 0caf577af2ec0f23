package main

import (
	"log/slog"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
)

// service is a server that runs.
type service struct {
	flags   *serveFlags
	dataDir string
	io      streams
	// reread reads the flags again, for SIGHUP.
	reread func() (*serveFlags, error)

	db     *cubeloom.DB
	log    *slog.Logger
	server *server.Server
	failed chan error // gets the error of a listener
}
