package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
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

// ErrClosed is what Serve gives after Shutdown.
var ErrClosed = errors.New("server: closed")

// Server serves one database. It is safe for concurrent use.
type Server struct {
	live      atomic.Pointer[Config] // Reload changes it
	log       *slog.Logger
	secret    []byte
	sessions  registry
	admission admission
	throttle  throttle
	metrics   metrics

	mu        sync.Mutex
	listeners map[net.Listener]struct{}
	conns     map[*conn]struct{}
	strangers strangers // of conns
	closing   bool
	done      sync.WaitGroup // one for each connection
}

// New makes a server.
func New(cfg Config) *Server {
	s := &Server{log: cfg.Log, secret: cfg.Secret, listeners: map[net.Listener]struct{}{}, conns: map[*conn]struct{}{}}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.secret == nil {
		s.secret = newSecret()
	}
	s.strangers.counts = map[netip.Prefix]int{}
	s.throttle.pairs, s.throttle.addresses = map[pair]*failures{}, map[netip.Prefix]*failures{}
	s.sessions.byPID = map[uint32]*session{}
	s.Reload(cfg)
	return s
}

// Reload makes a configuration that of all connections that come, and of the
// statements that run. DB, Secret and Log stay as they were. Any goroutine may call it.
func (s *Server) Reload(cfg Config) {
	if old := s.live.Load(); old != nil {
		cfg.DB = old.DB
	}
	if cfg.Files == nil {
		cfg.Files = cubeloom.NoFiles()
	}
	cfg.MaxConnections = cmp.Or(cfg.MaxConnections, DefaultMaxConnections)
	cfg.MaxStrangers = cmp.Or(cfg.MaxStrangers, defaultMaxStrangers)
	cfg.StartupTimeout = cmp.Or(cfg.StartupTimeout, defaultStartupTimeout)
	cfg.MaxQueued = cmp.Or(cfg.MaxQueued, DefaultMaxQueued)
	s.live.Store(&cfg)
	s.admission.limit(cmp.Or(cfg.MaxRunning, math.MaxInt), cfg.MaxQueued)
}

// config is the configuration of now, which never changes.
func (s *Server) config() *Config { return s.live.Load() }

// Serve accepts connections until Shutdown, which makes it return ErrClosed, or
// until the listener fails. It closes the listener.
func (s *Server) Serve(l net.Listener) error { return s.accept(l, false) }

// ServeOwner is Serve for a Unix socket by which the user that the server runs as, and
// root, come in as any role, without a password, whatever the rules say. Where they name
// none, they come as the bootstrap superuser.
func (s *Server) ServeOwner(l net.Listener) error { return s.accept(l, true) }

func (s *Server) accept(l net.Listener, owner bool) error {
	defer l.Close()
	if !s.addListener(l) {
		return ErrClosed
	}
	for {
		c, err := l.Accept()
		if err != nil {
			if s.isClosing() {
				return ErrClosed
			}
			var temporary interface{ Temporary() bool }
			if errors.As(err, &temporary) && temporary.Temporary() {
				s.evict() // out of file descriptors, most likely
				time.Sleep(5 * time.Millisecond)
				continue
			}
			return err
		}
		s.start(c, owner)
	}
}

// addListener notes a listener, unless the server is closing.
func (s *Server) addListener(l net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.listeners[l] = struct{}{}
	return true
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// start serves a connection in a goroutine of its own.
func (s *Server) start(nc net.Conn, owner bool) {
	c := newConn(nc)
	c.owner, c.from = owner, fromOf(nc)
	c.ctx, c.cancel = context.WithCancel(context.Background())
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		nc.Close()
		return
	}
	s.conns[c] = struct{}{}
	s.done.Add(1)
	var victim *conn
	if !owner {
		victim = s.strangers.add(c, s.config().MaxStrangers)
	}
	s.mu.Unlock()
	s.end(victim)
	go func() {
		defer s.done.Done()
		defer s.forget(c)
		s.handle(c)
	}()
}

// evict ends a connection that has not logged in, if there is one.
func (s *Server) evict() {
	s.mu.Lock()
	victim := s.strangers.victim()
	if victim != nil {
		s.strangers.remove(victim)
	}
	s.mu.Unlock()
	s.end(victim)
}

// end ends a connection that has not logged in and whose place is needed; nil: none.
func (s *Server) end(victim *conn) {
	if victim != nil {
		s.metrics.evicted.Add(1)
		victim.cancel()
		victim.raw.Close()
	}
}

// known takes a connection that has logged in from the strangers, unless its place was
// needed before.
func (s *Server) known(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strangers.remove(c)
}

// forget closes a connection whose goroutine ends.
func (s *Server) forget(c *conn) {
	c.cancel()
	c.raw.Close()
	s.mu.Lock()
	delete(s.conns, c)
	s.strangers.remove(c)
	s.mu.Unlock()
}

// setCopying notes whether a statement reads from a connection: then the messages
// that it waits for are its own, and Shutdown lets it have them.
func (s *Server) setCopying(c *conn, copying bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.copying = copying
	if copying {
		c.raw.SetReadDeadline(time.Time{})
	}
}
