package session

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Sequences hands out values of sequences to a statement of the session that runs.
func (s *Session) Sequences() planner.Sequences { return running{s} }

// running is a session whose statement takes values of sequences.
type running struct{ *Session }

// Named implements planner.Sequences.
func (s running) Named(name string) (string, error) {
	parsed, err := sql.ParseName(name)
	if err != nil {
		return "", value.WithoutPos(err)
	}
	key, err := s.TargetName(parsed)
	return key, value.WithoutPos(err)
}

// Take implements planner.Sequences.
func (s running) Take(key string, n int64) (first, step int64, err error) {
	q, err := s.sequence(key, "nextval()", access.Usage|access.Update)
	if err != nil {
		return 0, 0, err
	}
	if err := q.Turn(s.Context()); err != nil {
		return 0, 0, err
	}
	defer q.EndTurn()
	first, err = s.take(q, n)
	return first, q.Increment, err
}

// Hold implements planner.Sequences.
func (s running) Hold(key string) (first, step int64, err error) {
	q, err := s.sequence(key, "nextval()", access.Usage|access.Update)
	if err != nil {
		return 0, 0, err
	}
	for _, held := range s.seq.held {
		if held.IsVersionOf(q) {
			return 0, 0, value.Errorf(value.CodeFeatureNotSupported, "several columns of one sequence are not supported in an UPDATE, or an INSERT of a query")
		}
	}
	if err := q.Turn(s.Context()); err != nil {
		return 0, 0, err
	}
	s.seq.held = append(s.seq.held, q)
	if first, err = q.First(); err != nil {
		s.EndTurns()
	}
	return first, q.Increment, err
}

// TakeHeld takes the values of the sequences that the statement holds, of which it has used
// so many of each.
func (s *Session) TakeHeld(rows int64) error {
	for _, q := range s.seq.held {
		if rows == 0 {
			break
		}
		if _, err := (running{s}).take(q, rows); err != nil {
			return err
		}
	}
	return nil
}

// EndTurns lets others have the sequences that the statement holds.
func (s *Session) EndTurns() {
	for _, q := range s.seq.held {
		q.EndTurn()
	}
	s.seq.held = nil
}

// take takes n values of a sequence whose turn the session has.
func (s running) take(q *store.Sequence, n int64) (int64, error) {
	first, err := q.Take(n)
	if err != nil {
		return 0, err
	}
	s.tx.tx.Use(q)
	s.note(q, first+(n-1)*q.Increment)
	return first, nil
}

// note keeps the value of a sequence that the session took last.
func (s running) note(q *store.Sequence, v int64) {
	s.forget(q)
	if s.seq.current == nil {
		s.seq.current = map[*store.Sequence]int64{}
	}
	s.seq.current[q], s.seq.last = v, q
}

// forget removes what is kept of a version of a sequence.
func (s running) forget(q *store.Sequence) {
	for known := range s.seq.current {
		if known.IsVersionOf(q) {
			delete(s.seq.current, known)
		}
	}
}

// Current implements planner.Sequences.
func (s running) Current(key string) (int64, error) {
	q, err := s.sequence(key, "", access.Usage|access.Select)
	if err != nil {
		return 0, err
	}
	for known, v := range s.seq.current {
		if known.IsVersionOf(q) {
			return v, nil
		}
	}
	return 0, value.Errorf(value.CodeNotInState, "currval of sequence %q is not yet defined in this session", q.Name())
}

// Last implements planner.Sequences.
func (s running) Last() (int64, error) {
	if q := s.seq.last; q != nil {
		if o, ok := s.State().Lookup(store.KeyOf(q)).(*store.Sequence); ok && o.IsVersionOf(q) {
			return s.seq.current[q], nil
		}
	}
	return 0, value.Errorf(value.CodeNotInState, "lastval is not yet defined in this session")
}

// Set implements planner.Sequences.
func (s running) Set(key string, v int64, called bool) (err error) {
	defer sqlstate.Catch(&err)
	q := sqlstate.Must(s.sequence(key, "setval()", access.Update))
	sqlstate.Check(q.Turn(s.Context()))
	defer q.EndTurn()
	sqlstate.Check(q.Set(v, called))
	s.tx.tx.Use(q)
	if called {
		last := s.seq.last
		if s.note(q, v); last != nil && !last.IsVersionOf(q) {
			s.seq.last = last
		}
	}
	return nil
}

// sequence finds the sequence of a key for what the session's role needs one of the
// privileges for, and which changes it where command names that.
func (s running) sequence(key, command string, needs access.Privileges) (*store.Sequence, error) {
	o := s.State().Lookup(key)
	if o == nil {
		return nil, value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", store.NameOf(key))
	}
	q, ok := o.(*store.Sequence)
	if !ok {
		return nil, value.Errorf(value.CodeWrongObjectType, "%q is not a sequence", o.Name())
	}
	if !store.IsTemporary(key) {
		rights, _ := s.Access().Rights(s.User(), access.Object{Kind: access.Sequence, Name: key})
		if rights&needs == 0 {
			return nil, Denied("permission denied for sequence %s", o.Name())
		}
	}
	if command != "" {
		if err := s.Writable(key, command); err != nil {
			return nil, err
		}
	}
	return q, nil
}
