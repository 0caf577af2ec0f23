// Package session is the state of one session of a database, and what every statement of it
// needs: the settings, the transaction, the cursors and prepared statements, the account of
// its memory. The packages below run the statements: dispatch knows which of them runs which.
//
// The files, each using only those before it: statement.go, transaction.go, cursor.go and
// prepared.go are what a session holds, session.go is the session itself; names.go finds
// what names of tables stand for; assign.go, modes.go, settings.go and shown.go change and
// show settings; block.go begins and ends transactions, for the statements in transact.go
// and discard.go; running.go parses statements, and is what each has while it runs.
package session

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Streams are what COPY FROM STDIN reads and COPY TO STDOUT writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
}

// Session runs statements one after the other, with settings of its own. A
// Session is used by one goroutine at a time; different Sessions of a DB are
// independent.
type Session struct {
	DB       *Database
	Identity Identity
	Role     access.OID // that it was started for
	Settings settings.Values
	startup  settings.Values   // what RESET goes back to
	invented map[string]string // the settings that its client has invented, in lower case
	bounds   []access.Setting  // what an ordinary role cannot raise settings above
	tx       *transaction      // nil outside a transaction block
	// temporary is the session's temporary tables and views, and number its own among
	// the sessions of the database.
	temporary store.Temporary
	number    int64
	advisory  *store.Advisory // nil before it takes the first
	Params    []planner.Param // of the running statement
	Cursors   Cursors
	Prepared  PreparedStatements
	// describing says that a statement is planned and not run.
	Describing bool
	ctx        context.Context // of the running statement; nil where none runs
	Meter      *value.Meter    // of planning it; nil likewise
	changes    int             // how many statements that change tables run, one within the other
	Streams    *Streams        // of the running statement, where it is COPY
	random     *rand.Rand
	seq        sequences
	Progress   runtime.Progress
	Account    *runtime.Account // of the running statement; nil where none runs
	kept       *runtime.Account // of what the session keeps beside results
}

// sequences is what a session knows of sequences: the values that it took last, and those
// whose turn its statement has.
type sequences struct {
	current map[*store.Sequence]int64 // by its first version
	last    *store.Sequence           // that it took a value of last
	held    []*store.Sequence
}

// Identity says who a session belongs to.
type Identity struct {
	User     string // the name of a role, whose privileges the session has
	Database string
	// Settings are those that the session starts with, by name; those of the role go
	// before them. What protects the server among them, an ordinary role cannot raise.
	Settings map[string]string
	PID      int32 // what pg_backend_pid() returns
	// Activity lists the sessions for pg_stat_activity; nil: there is none.
	Activity func() []pgcatalog.Activity
	// Signal ends the statement of a session, or with terminate the session, for
	// pg_cancel_backend and pg_terminate_backend; false where there is none of
	// that PID. nil: there are none.
	Signal func(pid int32, terminate bool) bool
	// Files are what the session's statements may read and write of the machine, if
	// its role may; nil: whatever the process may, as the owner does.
	Files fileaccess.Access
}

// Access is who may do what, as the session's statements see it.
func (s *Session) Access() *access.State {
	if s.tx != nil {
		return s.tx.tx.Access()
	}
	return s.DB.Tables.State().Access()
}

// Context ends with the running statement.
func (s *Session) Context() context.Context {
	if s.ctx == nil {
		return context.Background()
	}
	return s.ctx
}

// User is the role by whose privileges the session's statements run.
func (s *Session) User() access.OID { return s.Settings.CurrentRole }

// Superuser reports whether the session's statements may do everything.
func (s *Session) Superuser() bool { return s.Access().IsSuperuser(s.User()) }

// Now is the time that the session's statements see: when the transaction
// began.
func (s *Session) Now() time.Time {
	if s.tx != nil {
		return s.tx.started
	}
	return time.Now()
}

// TransactionNumber is the number of the transaction, 0 where none is open. One that has changed
// nothing gets a number only to assign.
func (s *Session) TransactionNumber(assign bool) int64 {
	switch {
	case s.tx == nil:
		return 0
	case assign:
		return s.tx.tx.Number()
	}
	return s.tx.tx.NumberIfAny()
}

// Random is a value of random(), as a whole number.
func (s *Session) Random() int64 { return s.random.Int64() }

// SetSeed makes the values of random() those that follow from a number.
func (s *Session) SetSeed(seed float64) { s.random = rand.New(rand.NewPCG(math.Float64bits(seed), 0)) }

// Start makes a session of a role with the database's settings.
func (db *Database) Start(id Identity, role *access.Role) *Session {
	id.User = role.Name
	s := &Session{DB: db, Identity: id, Role: role.OID, number: db.sessions.Add(1)}
	s.Settings = db.Defaults
	s.Settings.Become(role)
	s.startup, s.invented = s.Settings, map[string]string{}
	s.random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	s.kept = s.NewAccount()
	s.Cursors = Cursors{}
	s.Prepared = PreparedStatements{byName: map[string]*Prepared{}, account: s.kept}
	return s
}

// NewAccount makes an account with the session's limit for one statement.
func (s *Session) NewAccount() *runtime.Account { return s.DB.Memory.Below(s.Settings.MemoryLimit) }

// Kept is the account of what the session keeps beside statements and their results, until
// Close.
func (s *Session) Kept() *runtime.Account { return s.kept }

// InTransaction reports whether a transaction is open, if only that of one statement.
func (s *Session) InTransaction() bool { return s.tx != nil }

// Started is when the transaction block began, zero where there is none.
func (s *Session) Started() time.Time {
	if !s.InBlock() {
		return time.Time{}
	}
	return s.tx.started
}

// State is what the session's statements read: the transaction's tables, or
// the last committed ones.
func (s *Session) State() *store.State {
	if s.tx != nil {
		return s.tx.tx.State()
	}
	return s.temporary.Over(s.DB.Tables.State())
}

// readOnly reports whether the transaction that a statement runs in only reads.
func (s *Session) readOnly() bool {
	return s.Settings.Client[settings.CurrentModes+"read_only"] == settings.OnOff(true)
}

// InBlock reports whether the session is in a transaction that BEGIN opened.
func (s *Session) InBlock() bool { return s.tx != nil && !s.tx.implicit }

// Failed reports whether a statement of the transaction that is open has failed.
func (s *Session) Failed() bool { return s.tx != nil && s.tx.failed }

// Fail makes the transaction that is open one that has failed.
func (s *Session) Fail() {
	if s.tx != nil {
		s.tx.failed = true
	}
}
