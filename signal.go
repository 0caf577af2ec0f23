package cubeloom

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// signalTo ends the statement of a session, or the session.
func signalTo(terminate bool) func(*Session, *answer, []value.Value) (value.Value, error) {
	return func(s *Session, res *answer, args []value.Value) (value.Value, error) {
		if args[0].Kind == value.Null {
			return value.Value{}, nil
		}
		sent, err := s.signal(res, int32(args[0].I), terminate)
		return value.Value{Kind: value.Bool, B: sent}, err
	}
}

// signal acts on the session of a PID, where the session's role may, and reports whether
// there is such a session.
func (s *Session) signal(res *answer, pid int32, terminate bool) (bool, error) {
	if s.identity.Signal == nil || s.identity.Activity == nil {
		return false, nil
	}
	sessions := s.identity.Activity()
	at := slices.IndexFunc(sessions, func(a pgcatalog.Activity) bool { return a.PID == pid })
	if at < 0 {
		res.Notices = append(res.Notices, warning("01000", fmt.Sprintf("PID %d is not a PostgreSQL server process", pid)))
		return false, nil
	}
	if err := s.maySignal(access.OID(sessions[at].Role), terminate); err != nil {
		return false, err
	}
	return s.identity.Signal(pid, terminate), nil
}

// maySignal fails where the session's role may not end statements or sessions of another.
func (s *Session) maySignal(role access.OID, terminate bool) error {
	verb, what := "cancel superuser query", "query is being canceled"
	if terminate {
		verb, what = "terminate superuser process", "process is being terminated"
	}
	state := s.access()
	switch {
	case state.IsSuperuser(role) && !s.superuser():
		return denied("must be a superuser to %s", verb)
	case !state.Has(s.user(), role) && !state.Has(s.user(), access.SignalBackend):
		return denied("must be a member of the role whose %s or member of pg_signal_backend", what)
	}
	return nil
}
