package query

import (
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

// keptPlanBytes is what a plan takes beside what its statement was charged with when it
// had been planned, such as for constants.
const keptPlanBytes = 128 << 10

// keptPlan is a query that was compiled, with what its plan depends on besides its text
// and the state of the catalog that keeps it.
type keptPlan struct {
	*Compiled
	settings settings.Values
	params   []planner.Param
	device   bool // a device was open, or being opened
	machine  *machine.Machine
	// before is the quickest plan of those that this one takes the place of, since kernels turned out to have more
	// registers or to take longer than was estimated: it runs as long as kernels of this one are being compiled, and
	// where these fail that are tried. Nil: this one is the first.
	before   *Compiled
	compiled atomic.Bool // none of its kernels is being compiled any more
}

// RunAgain runs the query of a statement. Where the same text was run before over the
// same state, with equal parameters and settings, what was compiled then is run again.
func RunAgain(ctx context.Context, s *session.Session, q *sql.Query, parsed *sql.Parsed) (*result.Result, error) {
	start := time.Now()
	state := s.State()
	memo := state.Memo()
	if memo == nil || len(parsed.Text) > session.MaxKeptText || s.DB.DumpDir != "" {
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
	c, err := compile(s, q, catalog.Of(s), Options(s), weaving{tries: last != nil})
	if err != nil && last != nil && ctx.Err() == nil {
		last.Woven.Stay()
		return last.run(ctx, s, start)
	}
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
	if made.before = last.Compiled; last.before != nil && (!last.compiled.Load() || !last.Woven.IsQuickest()) {
		made.before = last.before
	}
	return made.run(ctx, s, start)
}

// run runs the plan, or the one before it where kernels are being compiled.
func (k *keptPlan) run(ctx context.Context, s *session.Session, start time.Time) (*result.Result, error) {
	c := k.again(k.Compiled, start)
	p, err := Place(ctx, s, c)
	if err == nil && k.before != nil && !k.compiled.Load() {
		if p.AwaitsCompiler(ctx) {
			return Execute(ctx, s, k.again(k.before, start))
		}
		k.compiled.Store(true)
	}
	var res *result.Result
	if err == nil {
		res, err = ExecuteAt(ctx, s, c, p, RunOptions(s))
	}
	if err == nil || k.before == nil || ctx.Err() != nil || !c.Woven.Tries() {
		return res, err
	}
	if err := c.Woven.Failed(); err != nil {
		return nil, err
	}
	return Execute(ctx, s, k.again(k.before, start))
}

// again is a plan for one more run.
func (k *keptPlan) again(plan *Compiled, start time.Time) *Compiled {
	c := *plan
	c.Elapsed, c.Weaving, c.tries = time.Since(start), 0, true
	return &c
}

// fits reports whether a session would make the plan again, but for what it is known by now that the device's
// compiler gives its kernels.
func (k *keptPlan) fits(s *session.Session) bool {
	return k.device == s.DB.Device.Comes() && k.machine == machine.Current() && reflect.DeepEqual(k.settings, s.Settings) && reflect.DeepEqual(k.params, s.Params)
}
