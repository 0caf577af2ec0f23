package query

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
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
	device   bool // a device was open, or being opened
	machine  *machine.Machine
	// before is the plan that this one takes the place of, since a kernel turned out to have more registers than was
	// estimated: it runs as long as kernels of this one are being compiled. Nil: they are not.
	before atomic.Pointer[Compiled]
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
	last, _ := memo.Get(key).(*keptPlan)
	if last != nil && !last.fits(s) {
		last = nil
	}
	if last != nil && !last.Woven.Outdated() {
		return last.run(ctx, s, start)
	}
	c, err := Compile(s, q, catalog.Of(s), Options(s), false)
	if err != nil {
		return nil, err
	}
	if c.Plan.Momentary {
		return Execute(ctx, s, c)
	}
	kept := *c
	plan := *c.Plan
	plan.Estimates = nil // they hold this statement's meter
	kept.Plan = &plan
	made := &keptPlan{Compiled: &kept, settings: s.Settings, params: slices.Clone(s.Params), device: s.DB.Device.Comes(), machine: machine.Current()}
	memo.Put(key, made, keptPlanBytes+s.Account.Used())
	if last == nil {
		return Execute(ctx, s, c)
	}
	made.before.Store(cmp.Or(last.before.Load(), last.Compiled))
	return made.run(ctx, s, start)
}

// run runs the plan, or the one before it where kernels are being compiled.
func (k *keptPlan) run(ctx context.Context, s *session.Session, start time.Time) (*result.Result, error) {
	c, before := *k.Compiled, k.before.Load()
	c.Elapsed, c.Weaving = time.Since(start), 0
	if before == nil {
		return Execute(ctx, s, &c)
	}
	p, err := Place(ctx, s, &c)
	if err != nil {
		return nil, err
	}
	if p.AwaitsCompiler(ctx) {
		c = *before
		c.Elapsed, c.Weaving = time.Since(start), 0
		return Execute(ctx, s, &c)
	}
	k.before.Store(nil)
	return ExecuteAt(ctx, s, &c, p, RunOptions(s))
}

// fits reports whether a session would make the plan again, but for what it is known by now that the device's
// compiler gives its kernels.
func (k *keptPlan) fits(s *session.Session) bool {
	return k.device == s.DB.Device.Comes() && k.machine == machine.Current() && reflect.DeepEqual(k.settings, s.Settings) && reflect.DeepEqual(k.params, s.Params)
}
