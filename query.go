package cubeloom

import (
	"context"
	"fmt"
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// compile plans, weaves and generates a query, and dumps what it made. keepOrder is
// that of weave.
func (s *Session) compile(q *sql.Query, cat *catalog, opts planner.Options, keepOrder bool) (*query.Compiled, error) {
	start := time.Now()
	plan, err := planner.Build(q, cat, opts)
	if err == nil {
		err = s.permit(plan.Access)
	}
	if err != nil {
		return nil, err
	}
	c, err := s.weave(plan, keepOrder)
	if err != nil {
		return nil, err
	}
	c.Elapsed = time.Since(start)
	return c, c.Dump(q, s.db.dumpDir)
}

// weave weaves a plan and generates its kernels. With keepOrder the rows come in the
// order of the tables that they are read from, so that a table that is made of them is
// in the order of a key if those are; who insists on a device, which cannot keep it of
// rows that joins multiply, has them in any order.
func (s *Session) weave(plan *planner.Plan, keepOrder bool) (*query.Compiled, error) {
	start := time.Now()
	woven, err := fusion.Weave(plan.Root, fusion.Options{
		Fusion: s.settings.Fusion, Joins: s.settings.JoinPreference(), Aggregates: s.settings.Tables(), Sorts: settings.Preference("sort_strategy", s.settings.Sorts),
		KeepOrder: keepOrder && s.settings.Device != placement.CUDA, Estimates: plan.Estimates,
		Device: s.settings.Device == placement.CUDA || s.settings.Device == placement.Auto && s.db.device.IsOpen(),
	})
	if err != nil {
		return nil, err
	}
	program, err := codegen.Generate(woven)
	if err != nil {
		return nil, err
	}
	return &query.Compiled{Plan: plan, Woven: woven, Program: program, Weaving: time.Since(start)}, nil
}

// runQuery runs a query and makes its result. keepOrder is that of weave.
func (s *Session) runQuery(ctx context.Context, q *sql.Query, keepOrder bool) (*answer, error) {
	c, err := s.compile(q, s.catalog(), s.planOptions(), keepOrder)
	if err != nil {
		return nil, err
	}
	return s.execute(ctx, c)
}

// execute runs a compiled query.
func (s *Session) execute(ctx context.Context, c *query.Compiled) (*answer, error) {
	p, err := s.place(c)
	if err != nil {
		return nil, err
	}
	return s.executeAt(ctx, c, p, s.runOptions())
}

// executeAt runs a compiled query where p says.
func (s *Session) executeAt(ctx context.Context, c *query.Compiled, p *placement.Plan, opts *runtime.RunOptions) (*answer, error) {
	start := time.Now()
	if err := s.unserializable(); err != nil {
		return nil, err
	}
	written := s.settings.DateStyle()
	written.Order = value.MDY // arrays are not read here
	for _, col := range c.Plan.Columns {
		if err := planner.CheckArrayStyle(col.Type, written); err != nil {
			return nil, err
		}
	}
	defer p.Prepare(ctx)()
	run, err := runtime.Execute(ctx, c.Program, p.Placement(), opts)
	var copyBack time.Duration
	if err == nil && p.UsesDevice() {
		executed := time.Now()
		err = runtime.Bring(run.Rows)
		copyBack = time.Since(executed)
	}
	if err == nil {
		err = c.DumpDevice(run)
	}
	if err != nil {
		return nil, err
	}
	res := &answer{
		Columns: planColumns(c.Plan),
		Tag:     fmt.Sprintf("SELECT %d", run.Rows.Rows()),
		Notices: placeNotices(p.Notes(run.Places, run.Steps)),
		Stats: query.Stats{
			Planning: c.Elapsed, Weaving: c.Weaving, Execution: time.Since(start), CopyBack: copyBack,
			Peak: run.Peak, Kernels: run.Steps, Places: run.Places,
		},
		rows: run.Rows,
	}
	return res, nil
}

// place decides where the steps of c run.
func (s *Session) place(c *query.Compiled) (*placement.Plan, error) {
	steps := c.Program.Steps
	rows := func(step int) float64 {
		group := &c.Woven.Groups[steps[step].Group]
		return c.Woven.Ops[group.Last()].Rows
	}
	p, err := s.db.device.Place(placement.Query{
		Program: c.Program, Rows: rows, Threads: s.settings.Threads, Wish: s.settings.Device, Aggregates: s.settings.DeviceAggregates(),
	})
	if err != nil {
		return nil, err
	}
	c.Program = p.Program()
	return p, nil
}

// placeNotices are the notices of a query of where it ran.
func placeNotices(notes placement.Notes) []Notice {
	var out []Notice
	if notes.Warning != "" {
		out = append(out, warning(codeSuccess, notes.Warning))
	}
	for _, text := range notes.Notices {
		out = append(out, notice(codeSuccess, "%s", text))
	}
	return out
}

// planColumns are the columns of a plan's rows.
func planColumns(plan *planner.Plan) []Column {
	columns := make([]Column, len(plan.Columns))
	for i, col := range plan.Columns {
		columns[i] = Column{Name: col.Name, Type: ColumnType{col.Type, plan.Declared[i]}}
	}
	return columns
}

// planOptions are the options of planning a statement of the session.
func (s *Session) planOptions() planner.Options {
	disable := make(map[string]bool)
	for _, rule := range s.settings.DisabledRules {
		disable[rule] = true
	}
	return planner.Options{
		Meter:  s.meter,
		Params: s.params, Now: s.now(), Statement: time.Now(), Zone: s.settings.Location(), Style: s.settings.DateStyle(), SQLFunctions: s.sqlFunction, Disable: disable,
		Random: s.random.Int64, SetSeed: s.setSeed, MayCall: s.mayCall(),
	}
}

// runOptions are what a backend obeys for one query of the session.
func (s *Session) runOptions() *runtime.RunOptions {
	return &runtime.RunOptions{
		Explain:    s.db.dumpDir != "",
		Threads:    s.settings.Threads,
		VectorRows: s.settings.VectorRows,
		Account:    s.account,
		Progress:   &s.progress,
	}
}

// inferring are the options of planning a statement for the types of its
// parameters, of which some are given.
func (s *Session) inferring(given []ColumnType) planner.Options {
	opts := planner.Options{
		InferParams: true, Meter: s.meter, Now: s.now(), Zone: s.settings.Location(), Style: s.settings.DateStyle(), SQLFunctions: s.sqlFunction, Params: make([]planner.Param, len(given)),
	}
	for i, t := range given {
		opts.Params[i].Type = t.Type
	}
	return opts
}
