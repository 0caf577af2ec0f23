package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// run opens the database and serves it until ctx or the process is told to end.
func (s *service) run(ctx context.Context, engine *engineFlags) error {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGHUP) // which is no reason to end while it opens, either
	defer signal.Stop(signals)
	engine.minPassword = s.flags.minPassword
	db, err := engine.open()
	if err != nil {
		return err
	}
	s.db = db
	level := slog.LevelInfo
	if s.flags.verbose {
		level = slog.LevelDebug
	}
	s.log = slog.New(slog.NewTextHandler(s.io.err, &slog.HandlerOptions{Level: level}))
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := s.begin(ctx); err != nil {
		return errors.Join(err, s.end(signals))
	}
	err = s.wait(ctx, signals)
	fmt.Fprintln(s.io.out, "stopping")
	return errors.Join(err, s.end(signals))
}

// begin makes the server and listens.
func (s *service) begin(ctx context.Context) (err error) {
	defer sqlstate.Catch(&err)
	s.firstStart(ctx)
	cfg := sqlstate.Must(s.flags.serverConfig(s.db, s.dataDir))
	cfg.Log = s.log
	if s.dataDir != "" {
		cfg.Secret = sqlstate.Must(server.Secret(s.dataDir))
	}
	s.server = server.New(cfg)
	s.failed = make(chan error, len(s.flags.listen)+2)
	if s.dataDir != "" {
		l, err := listenForOwner(s.dataDir)
		if err != nil {
			return fmt.Errorf("the socket of the data directory's owner: %w", err)
		}
		go func() { s.failed <- s.server.ServeOwner(l) }()
	}
	if s.flags.monitor != "" {
		l := sqlstate.Must(net.Listen("tcp", s.flags.monitor))
		pages := &http.Server{Handler: s.server.Monitor(), ReadHeaderTimeout: 10 * time.Second}
		fmt.Fprintf(s.io.out, "monitor at http://%s\n", l.Addr())
		go func() { s.failed <- pages.Serve(l) }()
		context.AfterFunc(ctx, func() { pages.Close() })
	}
	for _, addr := range s.flags.listen {
		l := sqlstate.Must(listenAt(addr, cfg.Rules != nil || s.db.HasUsers()))
		fmt.Fprintf(s.io.out, "listening at %s\n", l.Addr())
		go func() { s.failed <- s.server.Serve(l) }()
	}
	return nil
}

// wait waits until the server is to end.
func (s *service) wait(ctx context.Context, signals <-chan os.Signal) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-s.failed:
			if ctx.Err() != nil {
				return nil
			}
			return err
		case sig := <-signals:
			if sig != syscall.SIGHUP {
				return nil
			}
			s.reload()
		}
	}
}

// reload reads the files of the flags again; where one is wrong, all stays as it was.
func (s *service) reload() {
	flags, err := s.reread()
	var cfg server.Config
	if err == nil {
		cfg, err = flags.serverConfig(s.db, s.dataDir)
	}
	if err != nil {
		s.log.Error("reloading failed; everything stays as it was", "error", err)
		return
	}
	s.server.Reload(cfg)
	s.log.Info("reloaded rules, certificates, limits and settings of new sessions",
		"rules", flags.rules, "max-connections", flags.maxConnections, "max-running", flags.maxRunning, "max-queued", flags.maxQueued)
}

// end ends the server, in --stop-timeout and some seconds whatever hangs, and at once when
// a signal says so again.
func (s *service) end(signals <-chan os.Signal) error {
	ended := make(chan error, 1)
	go func() { ended <- s.shutdown() }()
	for {
		select {
		case err := <-ended:
			return err
		case sig := <-signals:
			if sig != syscall.SIGHUP {
				fmt.Fprintln(s.io.err, "cubeloom: ended at once by a second signal")
				os.Exit(exitSignal + int(sig.(syscall.Signal)))
			}
		}
	}
}

// exitSignal and a signal's number are the exit status of a process that it ended.
const exitSignal = 128

// shutdown ends the server and closes the database.
func (s *service) shutdown() error {
	if s.server != nil {
		grace, cancel := context.WithTimeout(context.Background(), s.flags.stopTimeout)
		defer cancel()
		switch err := s.server.Shutdown(grace); {
		case errors.Is(err, server.ErrHanging):
			// What has been acknowledged is on disk, and to close would wait for them.
			return errors.New("statements hang; the process ends without them")
		case err != nil:
			fmt.Fprintln(s.io.err, "cubeloom: statements were cancelled at the end of --stop-timeout")
		}
	}
	closed := make(chan error, 1)
	go func() { closed <- s.db.Close() }()
	select {
	case err := <-closed:
		return err
	case <-time.After(longestClose):
		return errors.New("the database does not close; the process ends without that")
	}
}

// longestClose is how long closing the database may take.
const longestClose = 10 * time.Second
