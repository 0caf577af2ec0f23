package dispatch

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ofSequence is a function of a row that has the name of a sequence as its first argument.
func ofSequence(act func(q planner.Sequences, key string, args []value.Value) (int64, error)) func(*session.Session, *result.Result, []value.Value) (value.Value, error) {
	return strict(func(s *session.Session, _ *result.Result, args []value.Value) (value.Value, error) {
		q := s.Sequences()
		key, err := q.Named(args[0].S)
		if err != nil {
			return value.Value{}, err
		}
		v, err := act(q, key, args)
		return value.Value{Kind: value.Int, I: v}, err
	})
}

// The functions of sequences.
var (
	nextValue = ofSequence(func(q planner.Sequences, key string, _ []value.Value) (int64, error) {
		v, _, err := q.Take(key, 1)
		return v, err
	})
	currentValue = ofSequence(func(q planner.Sequences, key string, _ []value.Value) (int64, error) { return q.Current(key) })
	setValue     = ofSequence(func(q planner.Sequences, key string, args []value.Value) (int64, error) {
		return args[1].I, q.Set(key, args[1].I, len(args) < 3 || args[2].B)
	})
)

// lastValue is lastval of a row.
func lastValue(s *session.Session, _ *result.Result, _ []value.Value) (value.Value, error) {
	v, err := s.Sequences().Last()
	return value.Value{Kind: value.Int, I: v}, err
}
