package dispatch

import (
	"math"
	"time"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql/value"
)

// strict is a function that returns NULL where an argument is NULL.
func strict(act func(*session.Session, *result.Result, []value.Value) (value.Value, error)) func(*session.Session, *result.Result, []value.Value) (value.Value, error) {
	return func(s *session.Session, res *result.Result, args []value.Value) (value.Value, error) {
		for _, arg := range args {
			if arg.Kind == value.Null {
				return value.Value{}, nil
			}
		}
		return act(s, res, args)
	}
}

// void is what functions of the type void return.
var void = value.Value{Kind: value.Text}

func boolean(b bool) value.Value { return value.Value{Kind: value.Bool, B: b} }

// lockAdvisory takes an advisory lock and waits for it.
func lockAdvisory(shared, transaction bool) func(*session.Session, *result.Result, []value.Value) (value.Value, error) {
	return strict(func(s *session.Session, _ *result.Result, args []value.Value) (value.Value, error) {
		return void, s.AdvisoryLock(s.Context(), args, shared, transaction)
	})
}

// tryAdvisory takes an advisory lock where nobody else has it.
func tryAdvisory(shared, transaction bool) func(*session.Session, *result.Result, []value.Value) (value.Value, error) {
	return strict(func(s *session.Session, _ *result.Result, args []value.Value) (value.Value, error) {
		has, err := s.TryAdvisoryLock(s.Context(), args, shared, transaction)
		return boolean(has), err
	})
}

// unlockAdvisory gives an advisory lock back.
func unlockAdvisory(shared bool) func(*session.Session, *result.Result, []value.Value) (value.Value, error) {
	mode := "ExclusiveLock"
	if shared {
		mode = "ShareLock"
	}
	return strict(func(s *session.Session, res *result.Result, args []value.Value) (value.Value, error) {
		had := s.AdvisoryUnlock(args, shared)
		if !had {
			res.Notices = append(res.Notices, result.NewWarning(value.CodeWarning, "you don't own a lock of type "+mode))
		}
		return boolean(had), nil
	})
}

// unlockAll gives all advisory locks back.
func unlockAll(s *session.Session, _ *result.Result, _ []value.Value) (value.Value, error) {
	s.AdvisoryUnlockAll()
	return void, nil
}

// sleep waits for as long as its argument says.
var sleep = strict(func(s *session.Session, _ *result.Result, args []value.Value) (value.Value, error) {
	seconds := max(args[0].F, 0)
	if math.IsNaN(seconds) || seconds > math.MaxInt64/float64(time.Second) {
		seconds = math.MaxInt64/float64(time.Second) - 1
	}
	timer := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return void, nil
	case <-s.Context().Done():
		return void, s.Context().Err()
	}
})
