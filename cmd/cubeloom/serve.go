package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/spf13/cobra"
)

// serveFlags are the flags of serve that are not of the engine.
type serveFlags struct {
	listen          []string
	users           string
	requirePassword bool
	tlsCert, tlsKey string
	noTLS           bool
	monitor         string
	maxConnections  int
	maxRunning      int
	maxQueued       int
	settings        []string
	files           string
	slowQuery       time.Duration
	stopTimeout     time.Duration
	verbose         bool
}

// newServe makes the command serve.
func newServe() *cobra.Command {
	var engine engineFlags
	var flags serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve psql and every other client of PostgreSQL",
		Long: `Serves the database by PostgreSQL's wire protocol until it is interrupted; then it
lets running statements finish.

Clients on this machine need no password. Those from elsewhere need one from the
users file, which 'cubeloom user' writes, and there are none without that file.
TLS is offered with the certificate of --tls-cert, or with one that is made at the
first start and vouches for itself.

Statements read and write files of this machine below the folder of --files only;
psql's \copy, which reads and writes files of the client, works always.`,
		Example: `  cubeloom serve                                   # then: psql -h localhost
  cubeloom serve --data ./db --listen :5432 --users ./users
  cubeloom user ana --users ./users                # asks for the password`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			total, err := engine.serverMemory()
			if err != nil {
				return err
			}
			defer limitHeap(total)()
			db, err := engine.open()
			if err != nil {
				return err
			}
			defer db.Close()
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return flags.serve(ctx, db, engine.data, stdio(cmd))
		},
	}
	engine.register(cmd)
	f := cmd.Flags()
	f.StringVar(&engine.totalMemory, "total-memory", "", "memory for everything together: queries, results, cursors, tables in memory, such as 16GB, or 0 for no limit (default: four fifths of the machine's)")
	f.StringArrayVar(&flags.listen, "listen", []string{"localhost:5432"}, "address, or path of a Unix socket, to listen at (may be repeated)")
	f.StringVar(&flags.users, "users", "", "file of the users who may log in with a password")
	f.BoolVar(&flags.requirePassword, "require-password", false, "ask clients on this machine for a password too")
	f.StringVar(&flags.tlsCert, "tls-cert", "", "PEM file of the certificate (default: one that is made at the first start)")
	f.StringVar(&flags.tlsKey, "tls-key", "", "PEM file of the certificate's key")
	f.BoolVar(&flags.noTLS, "no-tls", false, "do not offer TLS")
	f.IntVar(&flags.maxConnections, "max-connections", server.DefaultMaxConnections, "clients that may be connected")
	f.IntVar(&flags.maxRunning, "max-running", 0, "statements that run at a time, others wait (default: no limit)")
	f.IntVar(&flags.maxQueued, "max-queued", server.DefaultMaxQueued, "statements that may wait; more are refused")
	f.StringArrayVar(&flags.settings, "set", nil, "setting that sessions start with, such as statement_timeout=5min (may be repeated)")
	f.StringVar(&flags.files, "files", "", "folder below which COPY and queries may read and write files (default: they may open none)")
	f.StringVar(&flags.monitor, "monitor", "", "address of a page /health and of /metrics for Prometheus, such as localhost:9187")
	f.DurationVar(&flags.slowQuery, "slow-query", 0, "log statements that take this long, such as 500ms; 0 logs none")
	f.DurationVar(&flags.stopTimeout, "stop-timeout", 30*time.Second, "how long running statements may go on after an interrupt")
	f.BoolVar(&flags.verbose, "verbose", false, "log every connection")
	return cmd
}

// serve serves db until ctx ends.
func (f *serveFlags) serve(ctx context.Context, db *cubeloom.DB, dataDir string, io streams) error {
	level := slog.LevelInfo
	if f.verbose {
		level = slog.LevelDebug
	}
	cfg := server.Config{
		DB: db, RequirePassword: f.requirePassword, MaxConnections: f.maxConnections, SlowQuery: f.slowQuery,
		MaxRunning: f.maxRunning, MaxQueued: f.maxQueued,
		Log: slog.New(slog.NewTextHandler(io.err, &slog.HandlerOptions{Level: level})),
	}
	if f.maxRunning < 0 {
		return fmt.Errorf("--max-running must not be negative, got %d", f.maxRunning)
	}
	if f.maxQueued < 1 {
		return fmt.Errorf("--max-queued must be at least 1, got %d", f.maxQueued)
	}
	if f.maxConnections < 1 {
		return fmt.Errorf("--max-connections must be at least 1, got %d", f.maxConnections)
	}
	var err error
	if cfg.Settings, err = f.sessionSettings(db); err != nil {
		return err
	}
	if cfg.Files, err = f.openFiles(dataDir); err != nil {
		return err
	}
	if cfg.TLS, err = f.tls(dataDir); err != nil {
		return err
	}
	if f.users != "" {
		if cfg.Users, err = server.LoadUsers(f.users); err != nil {
			return err
		}
	}
	srv := server.New(cfg)
	failed := make(chan error, len(f.listen)+1)
	if f.monitor != "" {
		l, err := net.Listen("tcp", f.monitor)
		if err != nil {
			return err
		}
		pages := &http.Server{Handler: srv.Monitor(), ReadHeaderTimeout: 10 * time.Second}
		defer pages.Close()
		fmt.Fprintf(io.out, "monitor at http://%s\n", l.Addr())
		go func() { failed <- pages.Serve(l) }()
	}
	for _, addr := range f.listen {
		l, err := listen(addr)
		if err != nil {
			return errors.Join(err, srv.Shutdown(ctx))
		}
		fmt.Fprintf(io.out, "listening at %s\n", l.Addr())
		go func() { failed <- srv.Serve(l) }()
	}
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	fmt.Fprintln(io.out, "stopping")
	grace, cancel := context.WithTimeout(context.Background(), f.stopTimeout)
	defer cancel()
	if stopErr := srv.Shutdown(grace); stopErr != nil {
		fmt.Fprintln(io.err, "cubeloom: statements were cancelled at the end of --stop-timeout")
	}
	return err
}

// sessionSettings are the settings of --set, where a session can have them.
func (f *serveFlags) sessionSettings(db *cubeloom.DB) (map[string]string, error) {
	settings := map[string]string{}
	trial := db.Session()
	defer trial.Close()
	for _, assignment := range f.settings {
		name, text, ok := strings.Cut(assignment, "=")
		if !ok {
			return nil, fmt.Errorf("--set takes NAME=VALUE, got %q", assignment)
		}
		if err := trial.SetParameter(name, text); err != nil {
			return nil, fmt.Errorf("--set %s: %w", assignment, err)
		}
		settings[name] = text
	}
	return settings, nil
}

// listen listens at a TCP address, or at a Unix socket where addr is a path.
func listen(addr string) (net.Listener, error) {
	if strings.Contains(addr, "/") {
		return net.Listen("unix", addr)
	}
	return net.Listen("tcp", addr)
}

// tls is how connections are secured; nil for not at all.
func (f *serveFlags) tls(dataDir string) (*tls.Config, error) {
	switch {
	case f.noTLS:
		return nil, nil
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return nil, fmt.Errorf("--tls-cert and --tls-key go together")
	case f.tlsCert != "":
		return server.TLSConfig(f.tlsCert, f.tlsKey)
	}
	return server.SelfSigned(dataDir)
}
