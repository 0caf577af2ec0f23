package query

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Compile plans, weaves and generates a query, and dumps what it made. keepOrder is
// that of weave.
func Compile(s *session.Session, q *sql.Query, cat *catalog.Catalog, opts planner.Options, keepOrder bool) (*Compiled, error) {
	return compile(s, q, cat, opts, weaving{keepOrder: keepOrder})
}

func compile(s *session.Session, q *sql.Query, cat *catalog.Catalog, opts planner.Options, how weaving) (*Compiled, error) {
	start := time.Now()
	plan, err := planner.Build(q, cat, opts)
	if err == nil {
		err = catalog.Permit(s, plan.Access)
	}
	if err != nil {
		return nil, err
	}
	c, err := weave(s, plan, how)
	if err != nil {
		return nil, err
	}
	c.Elapsed = time.Since(start)
	return c, c.Dump(q, s.DB.DumpDir)
}

// Weave weaves a plan and generates its kernels. With keepOrder the rows come in the
// order of the tables that they are read from, so that a table that is made of them is
// in the order of a key if those are; who insists on a device, which cannot keep it of
// rows that joins multiply, has them in any order.
func Weave(s *session.Session, plan *planner.Plan, keepOrder bool) (*Compiled, error) {
	return weave(s, plan, weaving{keepOrder: keepOrder})
}

// weaving is how a plan is woven: with the order of Weave kept, and going a way on a device that is to be tried.
type weaving struct{ keepOrder, tries bool }

func weave(s *session.Session, plan *planner.Plan, how weaving) (_ *Compiled, err error) {
	defer sqlstate.Catch(&err)
	start := time.Now()
	if s.DB.Demand != nil && s.Settings.Device == placement.CUDA {
		sqlstate.Check(s.DB.Demand())
	}
	woven := sqlstate.Must(fusion.Weave(plan.Root, fusion.Options{
		Fusion: s.Settings.Fusion, Joins: s.Settings.JoinPreference(), Preferences: s.Settings.Preferences(),
		KeepOrder: how.keepOrder && s.Settings.Device != placement.CUDA, Estimates: plan.Estimates,
		Device:   s.Settings.Device == placement.CUDA || s.Settings.Device == placement.Auto && s.DB.Device.Comes(),
		Compiler: s.DB.Device.Compiler(), Tune: s.Settings.Cuts(), Tries: how.tries,
	}))
	program := sqlstate.Must(codegen.Generate(woven))
	return &Compiled{Plan: plan, Woven: woven, Program: program, Weaving: time.Since(start), memo: &placement.Memo{}}, nil
}

// Run runs a query and makes its result. keepOrder is that of weave.
func Run(ctx context.Context, s *session.Session, q *sql.Query, keepOrder bool) (*result.Result, error) {
	c, err := Compile(s, q, catalog.Of(s), Options(s), keepOrder)
	if err != nil {
		return nil, err
	}
	return Execute(ctx, s, c)
}

// Execute runs a compiled query.
func Execute(ctx context.Context, s *session.Session, c *Compiled) (*result.Result, error) {
	p, err := Place(ctx, s, c)
	if err != nil {
		return nil, err
	}
	return ExecuteAt(ctx, s, c, p, RunOptions(s))
}

// ExecuteAt runs a compiled query where p says.
func ExecuteAt(ctx context.Context, s *session.Session, c *Compiled, p *placement.Plan, opts *runtime.RunOptions) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	start := time.Now()
	sqlstate.Check(s.Unserializable())
	sqlstate.Check(catalog.Populated(s, c.Plan.Access))
	opts.CompileBehind, opts.Passing, opts.Usage = p.CompilesBehind(), p.Passes(), c.Woven.Learns()
	defer p.Begin()()
	defer p.Prepare(ctx)()
	times := c.tries && p.IsAlone() && c.Woven.Tries()
	opts.Explain = opts.Explain || times
	run, err := runtime.Execute(ctx, c.Program, p.Placement(), opts)
	if err == nil {
		p.Ran(run)
		err = errors.Join(c.DumpDevice(run), c.learn(run))
		switch {
		case times && p.IsAlone():
			err = errors.Join(err, c.Woven.Took(c.kernelTimes(run)))
		case c.tries && !p.IsOnDevice():
			err = errors.Join(err, c.Woven.Failed())
		}
	}
	sqlstate.Check(err)
	res := &result.Result{
		Columns: result.PlanColumns(c.Plan),
		Tag:     fmt.Sprintf("SELECT %d", run.Rows.Rows()),
		Notices: result.PlaceNotices(p.Notes(run.Places, run.Steps)),
		Stats: result.Stats{
			Planning: c.Elapsed, Weaving: c.Weaving, Execution: time.Since(start), CopyBack: run.CopyBack,
			Peak: run.Peak, Kernels: run.Steps, Places: run.Places, Seeks: p.IsOnDevice() && (c.Woven.Tries() || c.Woven.Outdated()),
		},
		Rows: run.Rows,
	}
	return res, nil
}

// learn notes what a device's compiler gave the kernels that ran: those of one group each, which are
// all of it.
func (c *Compiled) learn(run *runtime.Execution) error {
	if !c.Woven.Learns() {
		return nil
	}
	kernels := make(map[int]int)
	for i := range c.Program.Steps {
		kernels[c.Program.Steps[i].Group]++
	}
	given := make(map[int]fusion.Given)
	for i := range c.Program.Steps {
		step, usage := &c.Program.Steps[i], run.Steps[i].Usage
		if usage.Registers > 0 && kernels[step.Group] == 1 && len(step.Groups) <= 1 {
			given[step.Group] = fusion.Given(usage)
		}
	}
	return c.Woven.Learn(given)
}

// kernelTimes is what the kernels of groups took that one device ran over tables that lie there.
func (c *Compiled) kernelTimes(run *runtime.Execution) map[int]fusion.KernelTime {
	times, unknown := make(map[int]fusion.KernelTime), make(map[int]bool)
	for i := range c.Program.Steps {
		step, m := &c.Program.Steps[i], &run.Steps[i]
		groups := step.Groups
		if len(groups) == 0 {
			groups = []int{step.Group}
		}
		for _, group := range groups {
			took := times[group]
			took.Shared = took.Shared || len(groups) > 1
			if m.Device == nil || m.Sharing != nil || m.Stream.Bytes > 0 {
				unknown[group] = true
				continue
			}
			took.Nanoseconds += float64(m.Device.Kernels())
			times[group] = took
		}
	}
	maps.DeleteFunc(times, func(group int, _ fusion.KernelTime) bool { return unknown[group] })
	return times
}

// Place decides where the steps of c run.
func Place(ctx context.Context, s *session.Session, c *Compiled) (*placement.Plan, error) {
	steps := c.Program.Steps
	rows := func(step int) float64 {
		group := &c.Woven.Groups[steps[step].Group]
		return c.Woven.Ops[group.Last()].Rows
	}
	p, err := s.DB.Device.Place(ctx, placement.Query{
		Program: c.Program, Rows: rows, Threads: s.Settings.Threads, Devices: s.Settings.Devices, Wish: s.Settings.Device, NoFallback: !s.Settings.DeviceFallback, Wants: s.Settings.DeviceWants(), Expansions: s.Settings.DeviceExpansions(), Pages: s.Settings.Pages, Filters: s.Settings.DeviceFilters(), Packing: s.Settings.DevicePacking(), Operators: s.Settings.Preferences(), Memo: c.memo,
	})
	if err != nil {
		return nil, err
	}
	c.Program = p.Program()
	return p, nil
}
