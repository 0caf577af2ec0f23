package server

import (
	"crypto/tls"
	"log/slog"
	"time"

	"github.com/cubeloom/cubeloom"
)

// Config says what is served and to whom. DB is required; the zero value of
// every other field is a sound default.
type Config struct {
	DB *cubeloom.DB
	// TLS answers SSLRequest with its first certificate; nil: connections stay in the
	// clear.
	TLS *tls.Config
	// Rules say who may log in from where and how; nil: DefaultRules.
	Rules *Rules
	// Secret is what names that are no roles get their salts from, so that nobody can
	// tell them from roles; it should last, as Secret's does. nil: one for this Server.
	Secret []byte
	// MaxConnections is how many clients may be connected; 0 for 100. There are 3 places
	// more for superusers.
	MaxConnections int
	// MaxStrangers is how many connections may be that have not logged in; 0 for 1000.
	// A further one takes the place of the oldest from the address that has most.
	MaxStrangers int
	// MaxRunning is how many statements run at a time; others wait. 0: no limit.
	// Statements in a transaction block do not wait, since others may wait for
	// what it has locked; nor do those that only look at or change the session and
	// the system's relations.
	MaxRunning int
	// MaxQueued is how many statements may wait; 0 for 1000.
	MaxQueued int
	// Settings are those that sessions start with, by name, where their clients do
	// not ask for others.
	Settings map[string]string
	// Files are what statements may read and write of the machine, for roles that
	// may; nil: nothing.
	Files cubeloom.Files
	// StartupTimeout is how long a client may take to log in; 0 for 15 s.
	StartupTimeout time.Duration
	// SlowQuery is the time from which a statement is logged; 0: none is.
	SlowQuery time.Duration
	// LogLiterals logs statements with their literals, instead of ? for each.
	LogLiterals bool
	// Log takes the server's log; nil: slog.Default().
	Log *slog.Logger
}

// The defaults of Config.
const (
	DefaultMaxConnections = 100
	DefaultMaxQueued      = 1000
	defaultMaxStrangers   = 1000
	defaultStartupTimeout = 15 * time.Second
)
