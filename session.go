package cubeloom

import (
	"time"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Session runs statements one after the other, with settings of its own. A
// Session is used by one goroutine at a time; different Sessions of a DB are
// independent.
type Session struct{ core *session.Session }

// Identity says who a session belongs to: its role by name, the database, and what its
// server gives it: settings, the files that it may use, the other sessions.
type Identity = session.Identity

// Activity is a session as pg_stat_activity shows it. Times are in UTC.
type Activity = pgcatalog.Activity

// Session starts a session of the bootstrap superuser, who may do everything, with the
// database's settings.
func (db *DB) Session() *Session {
	return &Session{db.core.Start(Identity{Database: "cubeloom"}, db.core.Tables.State().Access().Role(access.Bootstrap))}
}

// Connect starts a session of a role, with the settings of Identity and of the role. It
// fails with 28000 where there is no such role, and where a setting of Identity is not
// valid. Who connects has been authenticated, and Role.Login been looked at.
func (db *DB) Connect(id Identity) (*Session, error) {
	role := db.Role(id.User)
	if role == nil {
		return nil, value.Errorf(value.CodeInvalidAuthorization, "role %q does not exist", id.User)
	}
	if err := catalog.MayConnect(db.core.Tables.State().Access(), role, id.Database); err != nil {
		return nil, err
	}
	core, err := db.core.Connect(id, role)
	if err != nil {
		return nil, err
	}
	return &Session{core}, nil
}

// Role is the number of the role that the session was started for.
func (s *Session) Role() uint32 { return uint32(s.core.Role) }

// IdleTimeout is how long the session may wait for its next statement as it
// stands, 0 for ever: idle_session_timeout or, in a transaction,
// idle_in_transaction_session_timeout.
func (s *Session) IdleTimeout() time.Duration {
	name := "idle_session_timeout"
	if s.core.InBlock() {
		name = "idle_in_transaction_session_timeout"
	}
	return s.core.Settings.ClientDuration(name)
}

// StatementTimeout is the setting statement_timeout: how long a statement may
// take, 0 for ever. The session ends statements by it itself; its server
// has what comes before and after, such as sending rows.
func (s *Session) StatementTimeout() time.Duration { return s.core.Settings.StatementTimeout }

// Account is what the session's memory beside that of statements and their results
// is charged to, for a server that holds messages and parameters for the
// session. Close takes back what is charged then.
func (s *Session) Account() *runtime.Account { return s.core.Kept() }

// Progress returns how far the running statement is: rows read of all rows to be
// read. Any goroutine may call it.
func (s *Session) Progress() (done, total int64) {
	return s.core.Progress.RowsDone.Load(), s.core.Progress.RowsTotal.Load()
}

// ProgressInterval is how often the session's user wants to hear of a running
// statement's progress; 0 for never.
func (s *Session) ProgressInterval() time.Duration { return s.core.Settings.ProgressInterval }

// Parameter is a setting that clients of the wire protocol are told of.
type Parameter = settings.Parameter

// Parameters are the settings that clients are told of at the start and when
// they change, in a fixed order.
func (s *Session) Parameters() []Parameter {
	var list []Parameter
	for _, c := range settings.Client {
		if c.Report {
			list = append(list, Parameter{Name: c.Name, Value: s.core.Settings.Client[c.Name]})
		}
	}
	return list
}

// SetParameter sets a setting as a client does when it connects: RESET goes back
// to this value. It fails with 42704 for a setting that is not known, with 22023 for a
// value that does not suit it, and with 42501 for one that the role may not set.
func (s *Session) SetParameter(name, text string) error {
	return s.core.SetAtStart(name, text)
}

// ParseBytes reads an amount of memory as SET memory_limit does: a whole number of bytes, or
// one with the unit kB, MB, GB or TB. Name says what the amount is for, in the error.
func ParseBytes(name, text string) (int64, error) { return settings.ParseBytes(name, text) }

// Close ends the session: a transaction that is open is rolled back, and what the
// session keeps is forgotten. It may be called again. Results stay valid.
func (s *Session) Close() { s.core.Close() }
