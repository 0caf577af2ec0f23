package explain

import (
	"context"
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Explain runs EXPLAIN.
func Explain(ctx context.Context, s *session.Session, stmt *sql.Explain) (*result.Result, error) {
	opts, err := ReadOptions(stmt.Options)
	if err != nil {
		return nil, err
	}
	if execute := ExecuteOf(stmt); execute != nil {
		var res *result.Result
		err := query.WithPrepared(s, execute, func(p *session.Prepared) error {
			if p.Statement == nil {
				return value.Errorf(value.CodeFeatureNotSupported, "EXPLAIN of an empty statement is not supported")
			}
			res, err = explainStatement(ctx, s, p.Statement.Parsed.Statement, stmt.Pos, opts)
			return err
		})
		return res, err
	}
	return explainStatement(ctx, s, stmt.Statement, stmt.Pos, opts)
}

// ExecuteOf is the EXECUTE whose statement is explained, or nil.
func ExecuteOf(stmt *sql.Explain) *sql.Execute {
	switch inner := stmt.Statement.(type) {
	case *sql.Execute:
		return inner
	case *sql.CreateTableAs:
		return inner.Execute
	}
	return nil
}

// explainStatement explains a statement of an EXPLAIN at pos.
func explainStatement(ctx context.Context, s *session.Session, stmt sql.Statement, pos sql.Pos, opts Options) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	stmt = sqlstate.Must(Explained(stmt, pos))
	writes := sql.Writes(stmt)
	if opts.Analyze && len(writes) > 0 {
		return nil, value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "EXPLAIN ANALYZE of data-modifying statements in WITH is not supported")
	}
	planOpts := query.Explaining(s)
	planOpts.Trace, planOpts.Weigh = opts.Rules, opts.Rules || opts.Fusion
	planOpts.Returned = map[*sql.CTE]*planner.Relation{}
	if len(writes) == 0 {
		planOpts.Compute = query.Options(s).Compute // for the plan that would run
	}
	rows := explainPart(ctx, s, stmt, planOpts, opts)
	planOpts.Around = sql.WithOf(stmt)
	for _, cte := range writes {
		part := explainPart(ctx, s, cte.Write, planOpts, opts)
		rows = append(append(rows, []string{""}, []string{"WITH " + cte.Name.Name}), part...)
	}
	return result.Texts("EXPLAIN", []string{"QUERY PLAN"}, rows), nil
}

// explainPart explains one plan of a statement: its own, or that of a statement in its WITH. Where
// it changes rows, the plan is that of the query which finds them, and so is what
// ANALYZE runs.
func explainPart(ctx context.Context, s *session.Session, stmt sql.Statement, planOpts planner.Options, opts Options) [][]string {
	start := time.Now()
	plan := sqlstate.Must(planner.BuildStatement(stmt, catalog.Of(s), planOpts))
	sqlstate.Check(catalog.Permit(s, plan.Source.Access))
	c := sqlstate.Must(query.Weave(s, plan.Source, false))
	c.Elapsed = time.Since(start)
	p := sqlstate.Must(query.Place(ctx, s, c))
	e := New(c, opts)
	places := p.Steps()
	var kernels []runtime.Metrics // that ran
	if opts.Analyze {
		run := query.RunOptions(s)
		run.Explain = true
		run.Account = s.NewAccount() // what it returns is not the result
		defer run.Account.Close()
		res := sqlstate.Must(query.ExecuteAt(ctx, s, c, p, run))
		e.Measure(c, &res.Stats, res.Count())
		kernels = res.Stats.Kernels
		places = res.Stats.Places
	}
	for _, d := range p.Decisions() {
		e.Program.AddPlacement(d.Groups, d.Decision)
	}
	if !opts.Analyze {
		e.predict(s, c, p)
	}
	for group, text := range p.Reasons(places) {
		e.Program.Groups[group].RunsOn = text
	}
	if opts.Fusion && s.Settings.Tuning >= runtime.TuneLarge {
		e.Found = foundOf(c, ctx, p)
	}
	if opts.Cuda || opts.Launch {
		for _, text := range DeviceTexts(c, ctx, p, kernels) {
			if opts.Cuda {
				e.CUDA = append(e.CUDA, text.Head+text.Source)
			}
			if opts.Launch {
				e.Launch = append(e.Launch, text.Head+text.Plan)
			}
		}
	}
	return sqlstate.Must(e.Lines(c, opts))
}

// Explained is the query or the sql.Change of a statement that is explained.
func Explained(stmt sql.Statement, pos sql.Pos) (sql.Statement, error) {
	switch inner := stmt.(type) {
	case *sql.Query, sql.Change:
		return inner, nil
	case *sql.CreateTableAs:
		return inner.Query, nil
	case *sql.CreateView:
		return inner.Query, nil
	}
	return nil, value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "EXPLAIN of this kind of statement is not supported")
}

// predict adds how several devices are likely to share the kernels of groups.
func (e *Explanation) predict(s *session.Session, c *query.Compiled, p *placement.Plan) {
	rows := func(step int) float64 {
		return c.Woven.Ops[c.Woven.Groups[c.Program.Steps[step].Group].Last()].Rows
	}
	for i, predicted := range p.Sharing(rows, s.Settings.Exchange) {
		if predicted != nil {
			group := &e.Program.Groups[c.Program.Steps[i].Group]
			group.Sharing = append(group.Sharing, sharing(predicted))
		}
	}
}
