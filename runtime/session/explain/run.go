package explain

import (
	"context"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// permitExplained fails where the session's role may not run the INSERT that is explained.
func permitExplained(s *session.Session, stmt sql.Statement) error {
	insert, ok := stmt.(*sql.Insert)
	if !ok || s.Superuser() {
		return nil
	}
	plan, err := planner.BuildInsert(insert, catalog.Of(s), query.Explaining(s))
	if err != nil {
		return err
	}
	return catalog.Permit(s, plan.Source.Access)
}

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
func explainStatement(ctx context.Context, s *session.Session, stmt sql.Statement, pos sql.Pos, opts Options) (*result.Result, error) {
	q, err := QueryOf(stmt, pos)
	if err == nil {
		err = permitExplained(s, stmt)
	}
	if err != nil {
		return nil, err
	}
	planOpts := query.Explaining(s)
	planOpts.Trace, planOpts.Weigh = opts.Rules, opts.Rules || opts.Fusion
	c, err := query.Compile(s, q, catalog.Of(s), planOpts, false)
	if err != nil {
		return nil, err
	}
	p, err := query.Place(ctx, s, c)
	if err != nil {
		return nil, err
	}
	e := New(c, opts)
	places := p.Steps()
	var kernels []runtime.Metrics // that ran
	if opts.Analyze {
		run := query.RunOptions(s)
		run.Explain = true
		run.Account = s.NewAccount() // what it returns is not the result
		defer run.Account.Close()
		res, err := query.ExecuteAt(ctx, s, c, p, run)
		if err != nil {
			return nil, err
		}
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
	if opts.Fusion && s.Settings.Tuning != runtime.TuneNever {
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
	rows, err := e.Lines(c, opts)
	if err != nil {
		return nil, err
	}
	return result.Texts("EXPLAIN", []string{"QUERY PLAN"}, rows), nil
}

// QueryOf is the query within the statement that is explained.
func QueryOf(stmt sql.Statement, pos sql.Pos) (*sql.Query, error) {
	switch inner := stmt.(type) {
	case *sql.Query:
		return inner, nil
	case *sql.CreateTableAs:
		return inner.Query, nil
	case *sql.CreateView:
		return inner.Query, nil
	case *sql.Insert:
		if inner.Query != nil { // not DEFAULT VALUES
			return inner.Query, nil
		}
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
