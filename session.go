package cubeloom

import (
	"context"
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

// Session runs statements one after the other, with settings of its own. A
// Session is used by one goroutine at a time; different Sessions of a DB are
// independent.
type Session struct {
	db       *database
	identity Identity
	role     access.OID // that it was started for
	settings settings.Values
	startup  settings.Values  // what RESET goes back to
	bounds   []access.Setting // what an ordinary role cannot raise settings above
	tx       *transaction     // nil outside a transaction block
	// temporary is the session's temporary tables and views, and number its own among
	// the sessions of the database.
	temporary store.Temporary
	number    int64
	params    []planner.Param // of the running statement
	cursors   map[string]*sqlCursor
	prepared  map[string]*Prepared
	// describing tells that a statement is planned and not run.
	describing bool
	ctx        context.Context // of the running statement; nil where none runs
	meter      *value.Meter    // of planning it; nil likewise
	streams    *streams        // of the running statement, where it is COPY
	random     *rand.Rand
	progress   runtime.Progress
	account    *runtime.Account // of the running statement, and then of its result
	kept       *runtime.Account // of what the session keeps beside results
}

// Identity says who a session belongs to.
type Identity struct {
	User     string // the name of a role, whose privileges the session has
	Database string
	// Settings are those that the session starts with, by name; those of the role go
	// before them. What protects the server among them, an ordinary role cannot raise.
	Settings map[string]string
	PID      int32 // what pg_backend_pid() gives
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

// Activity is a session as pg_stat_activity shows it. Times are in UTC.
type Activity = pgcatalog.Activity

// Session starts a session of the bootstrap superuser, who may do everything, with the
// database's settings.
func (db *DB) Session() *Session {
	return db.core.start(Identity{Database: "cubeloom"}, db.core.tables.State().Access().Role(access.Bootstrap))
}

// Connect starts a session of a role, with the settings of Identity and of the role. It
// fails with 28000 where there is no such role, and where a setting of Identity is not
// valid. Who connects has been authenticated, and Role.Login been looked at.
func (db *DB) Connect(id Identity) (*Session, error) {
	role := db.Role(id.User)
	if role == nil {
		return nil, value.Errorf(codeInvalidAuthority, "role %q does not exist", id.User)
	}
	if err := mayConnect(db.core.tables.State().Access(), role, id.Database); err != nil {
		return nil, err
	}
	return db.core.connect(id, role)
}

// Role is the number of the role that the session was started for.
func (s *Session) Role() uint32 { return uint32(s.role) }

// IdleTimeout is how long the session may wait for its next statement as it
// stands, 0 for ever: idle_session_timeout or, in a transaction,
// idle_in_transaction_session_timeout.
func (s *Session) IdleTimeout() time.Duration {
	name := "idle_session_timeout"
	if s.inBlock() {
		name = "idle_in_transaction_session_timeout"
	}
	return s.settings.ClientDuration(name)
}

// StatementTimeout is the setting statement_timeout: how long a statement may
// take, 0 for ever. The session ends statements by it itself; whoever serves it
// has what comes before and after, such as sending rows.
func (s *Session) StatementTimeout() time.Duration { return s.settings.StatementTimeout }

// Account is what the session's memory beside that of statements and their results
// is charged to, for whoever serves the session and holds messages and parameters
// for it. Close gives back what is charged then.
func (s *Session) Account() *runtime.Account { return s.kept }

// Progress tells how far the running statement is: rows read of all rows to be
// read. Any goroutine may call it.
func (s *Session) Progress() (done, total int64) {
	return s.progress.RowsDone.Load(), s.progress.RowsTotal.Load()
}

// ProgressInterval is how often the session's user wants to hear of a running
// statement's progress; 0 for never.
func (s *Session) ProgressInterval() time.Duration { return s.settings.ProgressInterval }

// Query runs one statement. When ctx ends the statement ends with SQLSTATE
// 57014 and the session can go on. Errors are *Error wherever a user can cause
// them.
func (s *Session) Query(ctx context.Context, text string) (*Result, error) {
	var result *Result
	err := s.Run(ctx, text, func(r *Result) error {
		if result != nil {
			return value.Errorf(value.CodeSyntax, "Query takes one statement; use Run for several")
		}
		result = r
		return nil
	})
	if err == nil && result == nil {
		err = value.Errorf(value.CodeSyntax, "there is no statement in the text")
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// Run runs the statements of text, separated by semicolons, and calls each with
// every result. All of text is parsed before anything runs; the first error
// ends the run, and what ran before it stays done.
func (s *Session) Run(ctx context.Context, text string, each func(*Result) error) error {
	statements, err := s.Parse(ctx, text)
	if err != nil {
		return err
	}
	for _, st := range statements {
		result, err := s.runResult(ctx, st)
		if err != nil {
			return err
		}
		result.Notices = append(st.Notices(), result.Notices...)
		if err := each(result); err != nil {
			return err
		}
	}
	return nil
}

// runResult runs one statement and makes its result.
func (s *Session) runResult(ctx context.Context, st *Statement) (*Result, error) {
	a, err := s.run(ctx, &st.parsed)
	if err != nil {
		return nil, err
	}
	return newResult(s, a), nil
}

// Parameter is a setting that clients of the wire protocol are told of.
type Parameter = settings.Parameter

// Parameters are the settings that clients are told of at the start and when
// they change, in a fixed order.
func (s *Session) Parameters() []Parameter {
	var list []Parameter
	for _, c := range settings.Client {
		if c.Report {
			list = append(list, Parameter{Name: c.Name, Value: s.settings.Client[c.Name]})
		}
	}
	return list
}

// SetParameter sets a setting as a client does when it connects: RESET goes back
// to this value. It fails with 42704 for a setting that is not known, with 22023 for a
// value that does not suit it, and with 42501 for one that the role may not set.
func (s *Session) SetParameter(name, text string) error {
	return s.setAtStart(name, text)
}

// ParseBytes reads an amount of memory as SET memory_limit does: a whole number of bytes, or
// one with the unit kB, MB, GB or TB. Name says what the amount is for, in the error.
func ParseBytes(name, text string) (int64, error) { return settings.ParseBytes(name, text) }

// Close ends the session: a transaction that is open is rolled back, and what the
// session keeps is forgotten. It may be called again. Results stay valid.
func (s *Session) Close() { s.close() }
