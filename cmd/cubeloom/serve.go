package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// serveFlags are the flags of serve that are not of the engine.
type serveFlags struct {
	listen            []string
	rules             string
	users             string
	superuser         string
	superuserPassword string
	minPassword       int
	tlsCert, tlsKey   string
	tlsClientCA       string
	noTLS             bool
	monitor           string
	maxConnections    int
	maxRunning        int
	maxQueued         int
	settings          []string
	files             string
	slowQuery         time.Duration
	logLiterals       bool
	stopTimeout       time.Duration
	verbose           bool
}

// newServe makes the command serve.
func newServe() *cobra.Command {
	var engine engineFlags
	var flags serveFlags
	var config string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve psql and every other client of PostgreSQL",
		Long: `Serves the database by PostgreSQL's wire protocol until it is interrupted; then it
lets running statements finish, as long as --stop-timeout allows. A second interrupt
ends it at once. SIGHUP reads --rules, the certificates and --config again.

Who gets in: as long as no role has a password, clients on this machine come in by any
name, as ordinary roles, and there are no others. 'cubeloom user NAME' gives a role a
password; from then on everyone needs one (SCRAM-SHA-256), and --listen may reach beyond
this machine. A file of --rules, in the form of PostgreSQL's pg_hba.conf, says otherwise.
Whoever owns the data directory comes in as any role by the socket in it: psql -h DIR.

The first start makes one superuser, named by --superuser; docs/security.md says more.
TLS is offered with the certificate of --tls-cert, or with one that is made at the
first start and vouches for itself.

Statements read and write files of this machine below the folder of --files only;
psql's \copy, which reads and writes files of the client, works always.`,
		Example: `  cubeloom serve                                   # then: psql -h localhost
  cubeloom serve --data ./db --superuser ana       # one who may do everything
  cubeloom user ana --data ./db                    # asks for the password
  cubeloom serve --data ./db --listen :5432        # for other machines, too`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := givenFlags(cmd.Flags())
			if err := readConfig(config, cmd.Flags(), given); err != nil {
				return err
			}
			total, err := engine.serverMemory()
			if err != nil {
				return err
			}
			defer limitHeap(total)()
			s := &service{flags: &flags, dataDir: engine.data, io: stdio(cmd)}
			s.reread = func() (*serveFlags, error) { return rereadFlags(config, given) }
			return s.run(cmd.Context(), &engine)
		},
	}
	engine.register(cmd)
	f := cmd.Flags()
	f.StringVar(&engine.totalMemory, "total-memory", "", "memory for everything together: queries, results, cursors, tables in memory, such as 16GB, or 0 for no limit (default: four fifths of the machine's)")
	f.StringVar(&config, "config", "", "file of flags, one NAME = VALUE a line; those of the command line come first")
	flags.register(f)
	return cmd
}

// register adds the flags to a set.
func (f *serveFlags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.listen, "listen", []string{"localhost:5432"}, "address, or path of a Unix socket, to listen at (may be repeated)")
	set.StringVar(&f.rules, "rules", "", "file that says who may log in from where and how, in the form of pg_hba.conf")
	set.StringVar(&f.superuser, "superuser", "", "name of the superuser that the first start makes (default: cubeloom)")
	set.StringVar(&f.superuserPassword, "superuser-password-file", "", "file of the password that the superuser gets when he has none")
	set.IntVar(&f.minPassword, "min-password-length", cubeloom.DefaultMinPasswordLength, "characters that a new password must have")
	set.StringVar(&f.users, "users", "", "users file of an older version, whose users become roles while no role has a password")
	set.StringVar(&f.tlsCert, "tls-cert", "", "PEM file of the certificate (default: one that is made at the first start)")
	set.StringVar(&f.tlsKey, "tls-key", "", "PEM file of the certificate's key")
	set.StringVar(&f.tlsClientCA, "tls-client-ca", "", "PEM file of the authorities that vouch for clients, for the method cert of --rules")
	set.BoolVar(&f.noTLS, "no-tls", false, "do not offer TLS")
	set.IntVar(&f.maxConnections, "max-connections", server.DefaultMaxConnections, "clients that may be connected; superusers have 3 places more")
	set.IntVar(&f.maxRunning, "max-running", 0, "statements that run at a time, others wait (default: no limit)")
	set.IntVar(&f.maxQueued, "max-queued", server.DefaultMaxQueued, "statements that may wait; more are refused")
	set.StringArrayVar(&f.settings, "set", nil, "setting that sessions start with, such as statement_timeout=5min (may be repeated)")
	set.StringVar(&f.files, "files", "", "folder below which COPY and queries may read and write files (default: they may open none)")
	set.StringVar(&f.monitor, "monitor", "", "address of a page /health and of /metrics for Prometheus, such as localhost:9187")
	set.DurationVar(&f.slowQuery, "slow-query", 0, "log statements that take this long, such as 500ms; 0 logs none")
	set.BoolVar(&f.logLiterals, "log-literals", false, "log slow statements with their literals, instead of ? for each")
	set.DurationVar(&f.stopTimeout, "stop-timeout", 30*time.Second, "how long running statements may go on after an interrupt")
	set.BoolVar(&f.verbose, "verbose", false, "log every connection")
}

// serverConfig is what the flags say of the server. It reads the files that they name.
func (f *serveFlags) serverConfig(db *cubeloom.DB, dataDir string) (cfg server.Config, err error) {
	cfg = server.Config{
		DB: db, MaxConnections: f.maxConnections, MaxRunning: f.maxRunning, MaxQueued: f.maxQueued,
		SlowQuery: f.slowQuery, LogLiterals: f.logLiterals,
	}
	if f.maxRunning < 0 {
		return cfg, fmt.Errorf("--max-running must not be negative, got %d", f.maxRunning)
	}
	if f.maxQueued < 1 {
		return cfg, fmt.Errorf("--max-queued must be at least 1, got %d", f.maxQueued)
	}
	if f.maxConnections < 1 {
		return cfg, fmt.Errorf("--max-connections must be at least 1, got %d", f.maxConnections)
	}
	if cfg.Settings, err = f.sessionSettings(db); err != nil {
		return cfg, err
	}
	if cfg.Files, err = f.openFiles(dataDir); err != nil {
		return cfg, err
	}
	if cfg.TLS, err = f.tls(dataDir); err != nil {
		return cfg, err
	}
	if f.rules != "" {
		cfg.Rules, err = server.LoadRules(f.rules)
	}
	return cfg, err
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

// tls is how connections are secured; nil for not at all.
func (f *serveFlags) tls(dataDir string) (config *tls.Config, err error) {
	switch {
	case f.noTLS:
		return nil, nil
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return nil, fmt.Errorf("--tls-cert and --tls-key go together")
	case f.tlsCert != "":
		config, err = server.TLSConfig(f.tlsCert, f.tlsKey)
	default:
		config, err = server.SelfSigned(dataDir)
	}
	if err == nil && f.tlsClientCA != "" {
		err = server.TrustClients(config, f.tlsClientCA)
	}
	return config, err
}

// listenAt listens at a TCP address, or at a Unix socket where addr is a path. Where
// there are no users it refuses what others than those on this machine can reach.
func listenAt(addr string, users bool) (net.Listener, error) {
	if strings.Contains(addr, "/") {
		return net.Listen("unix", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if at, ok := l.Addr().(*net.TCPAddr); ok && !users && !at.IP.IsLoopback() {
		l.Close()
		return nil, fmt.Errorf("--listen %s can be reached from other machines, and no role has a password: "+
			"give one with 'cubeloom user NAME --data DIR' (or --superuser-password-file), or say with --rules who may log in", addr)
	}
	return l, nil
}

// ownerSocket is the path of the socket by which the owner of a data directory comes in,
// such as 'psql -h DIR' looks for it. A path too long for a socket is shortened by one to
// the open directory, which the caller closes.
func ownerSocket(dataDir string) (path string, dir *os.File, err error) {
	const longest = 100 // of the 108 bytes that systems allow
	if path, err = filepath.Abs(filepath.Join(dataDir, ".s.PGSQL.5432")); err != nil || len(path) <= longest {
		return path, nil, err
	}
	if dir, err = os.Open(dataDir); err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/.s.PGSQL.5432", dir.Fd()), dir, nil
}

// listenForOwner listens at the socket of a data directory that this process has locked.
func listenForOwner(dataDir string) (net.Listener, error) {
	path, dir, err := ownerSocket(dataDir)
	if err != nil {
		return nil, err
	}
	if dir != nil {
		defer dir.Close()
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		os.Remove(path) // of a server that was killed
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if dir != nil {
		// The path ends with this call; the next start removes the socket.
		l.(*net.UnixListener).SetUnlinkOnClose(false)
	}
	return l, os.Chmod(path, 0o600)
}
