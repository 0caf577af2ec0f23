package dispatch

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// signalTo ends the statement of a session, or the session.
func signalTo(terminate bool) func(*session.Session, *result.Result, []value.Value) (value.Value, error) {
	return func(s *session.Session, res *result.Result, args []value.Value) (value.Value, error) {
		if args[0].Kind == value.Null {
			return value.Value{}, nil
		}
		sent, err := signal(s, res, int32(args[0].I), terminate)
		return value.Value{Kind: value.Bool, B: sent}, err
	}
}

// signal acts on the session of a PID, where the session's role may, and reports whether
// there is such a session.
func signal(s *session.Session, res *result.Result, pid int32, terminate bool) (bool, error) {
	if s.Identity.Signal == nil || s.Identity.Activity == nil {
		return false, nil
	}
	sessions := s.Identity.Activity()
	at := slices.IndexFunc(sessions, func(a pgcatalog.Activity) bool { return a.PID == pid })
	if at < 0 {
		res.Notices = append(res.Notices, result.NewWarning(value.CodeWarning, fmt.Sprintf("PID %d is not a PostgreSQL server process", pid)))
		return false, nil
	}
	if err := maySignal(s, access.OID(sessions[at].Role), terminate); err != nil {
		return false, err
	}
	return s.Identity.Signal(pid, terminate), nil
}

// maySignal fails where the session's role may not end statements or sessions of another.
func maySignal(s *session.Session, role access.OID, terminate bool) error {
	verb, what := "cancel superuser query", "query is being canceled"
	if terminate {
		verb, what = "terminate superuser process", "process is being terminated"
	}
	state := s.Access()
	switch {
	case state.IsSuperuser(role) && !s.Superuser():
		return session.Denied("must be a superuser to %s", verb)
	case !state.Has(s.User(), role) && !state.Has(s.User(), access.SignalBackend):
		return session.Denied("must be a member of the role whose %s or member of pg_signal_backend", what)
	}
	return nil
}
