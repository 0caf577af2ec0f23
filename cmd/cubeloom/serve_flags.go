package main

import (
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
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
