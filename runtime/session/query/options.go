package query

import (
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Options are the options of planning a statement of the session.
func Options(s *session.Session) planner.Options {
	disable := make(map[string]bool)
	for _, rule := range s.Settings.DisabledRules {
		disable[rule] = true
	}
	opts := planner.Options{
		Meter:  s.Meter,
		Params: s.Params, Now: s.Now(), Statement: time.Now(), Zone: s.Settings.Location(), Style: s.Settings.Style(), SQLFunctions: catalog.SQLFunctions(s), Disable: disable,
		Random: s.Random, SetSeed: s.SetSeed, MayCall: catalog.MayCall(s), Sequences: s.Sequences(),
	}
	if s.Account != nil { // a statement runs
		opts.Compute = planner.Computing(func(plan *planner.Plan) (value.Value, error) { return compute(s, plan) })
	}
	return opts
}

// Explaining are the options of planning a statement that is not to run.
func Explaining(s *session.Session) planner.Options {
	opts := Options(s)
	opts.Sequences, opts.Compute = nil, nil
	return opts
}

// RunOptions are what a backend obeys for one query of the session.
func RunOptions(s *session.Session) *runtime.RunOptions {
	wants := s.Settings.DeviceWants()
	return &runtime.RunOptions{
		Explain:    s.DB.DumpDir != "",
		Threads:    s.Settings.Threads,
		VectorRows: s.Settings.VectorRows,
		Launch:     s.Settings.Launch,
		Ahead:      true,
		Tuning:     s.Settings.Tuning,
		Exchange:   s.Settings.Exchange,
		Forced:     wants.Force(),
		Account:    s.Account,
		Progress:   &s.Progress,
	}
}

// Inferring are the options of planning a statement for the types of its
// parameters, of which some are given.
func Inferring(s *session.Session, given []result.ColumnType) planner.Options {
	opts := planner.Options{
		InferParams: true, Meter: s.Meter, Now: s.Now(), Zone: s.Settings.Location(), Style: s.Settings.Style(), SQLFunctions: catalog.SQLFunctions(s), Params: make([]planner.Param, len(given)),
	}
	for i, t := range given {
		opts.Params[i].Type = t.Type
	}
	return opts
}
