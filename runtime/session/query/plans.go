package query

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
)

const (
	maxKeptText = 8 << 10 // the length in bytes of the longest text whose plan is kept
	// keptPlanBytes is what a plan takes beside what its statement was charged with when it
	// had been planned, such as for constants.
	keptPlanBytes = 128 << 10
)

// keptPlan is a query that was compiled, with what its plan depends on besides its text
// and the state of the catalog that keeps it.
type keptPlan struct {
	*Compiled
	settings settings.Values
	params   []planner.Param
	device   bool // a device was open
	machine  *machine.Machine
}

// RunAgain runs the query of a statement. Where the same text was run before over the
// same state, with equal parameters and settings, what was compiled then is run again.
func RunAgain(ctx context.Context, s *session.Session, q *sql.Query, parsed *sql.Parsed) (*result.Result, error) {
	start := time.Now()
	state := s.State()
	memo := state.Memo()
	if memo == nil || len(parsed.Text) > maxKeptText || s.DB.DumpDir != "" {
		return Run(ctx, s, q, false)
	}
	key := strconv.Itoa(parsed.Offset) + " " + parsed.Text
	if kept, ok := memo.Get(key).(*keptPlan); ok && kept.fits(s) {
		c := *kept.Compiled
		c.Elapsed, c.Weaving = time.Since(start), 0
		return Execute(ctx, s, &c)
	}
	c, err := Compile(s, q, catalog.Of(s), Options(s), false)
	if err != nil {
		return nil, err
	}
	if !c.Plan.Momentary {
		kept := *c
		plan := *c.Plan
		plan.Estimates = nil // they hold this statement's meter
		kept.Plan = &plan
		memo.Put(key, &keptPlan{Compiled: &kept, settings: s.Settings, params: slices.Clone(s.Params), device: s.DB.Device.IsOpen(), machine: machine.Current()}, keptPlanBytes+s.Account.Used())
	}
	return Execute(ctx, s, c)
}

// fits reports whether a session would make the plan again.
func (k *keptPlan) fits(s *session.Session) bool {
	return !k.Woven.Outdated() && k.device == s.DB.Device.IsOpen() && k.machine == machine.Current() && reflect.DeepEqual(k.settings, s.Settings) && reflect.DeepEqual(k.params, s.Params)
}
