package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/session/explain"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// explain runs EXPLAIN.
func (s *Session) explain(ctx context.Context, stmt *sql.Explain) (*answer, error) {
	opts, err := explain.ReadOptions(stmt.Options)
	if err != nil {
		return nil, err
	}
	if execute := explainedExecute(stmt); execute != nil {
		var res *answer
		err := s.withPrepared(execute, func(p *Prepared) error {
			if p.Statement == nil {
				return value.Errorf(value.CodeFeatureNotSupported, "EXPLAIN of an empty statement is not supported")
			}
			res, err = s.explainStatement(ctx, p.Statement.parsed.Statement, stmt.Pos, opts)
			return err
		})
		return res, err
	}
	return s.explainStatement(ctx, stmt.Statement, stmt.Pos, opts)
}

// explainedExecute is the EXECUTE whose statement is explained, or nil.
func explainedExecute(stmt *sql.Explain) *sql.Execute {
	switch inner := stmt.Statement.(type) {
	case *sql.Execute:
		return inner
	case *sql.CreateTableAs:
		return inner.Execute
	}
	return nil
}

// explainStatement explains a statement of an EXPLAIN at pos.
func (s *Session) explainStatement(ctx context.Context, stmt sql.Statement, pos sql.Pos, opts explain.Options) (*answer, error) {
	query, err := explainedQuery(stmt, pos)
	if err == nil {
		err = s.permitExplained(stmt)
	}
	if err != nil {
		return nil, err
	}
	planOpts := s.planOptions()
	planOpts.Trace, planOpts.Weigh = opts.Rules, opts.Rules || opts.Fusion
	c, err := s.compile(query, s.catalog(), planOpts, false)
	if err != nil {
		return nil, err
	}
	p, err := s.place(c)
	if err != nil {
		return nil, err
	}
	e := explain.New(c, opts)
	places := p.Steps()
	var kernels []runtime.Metrics // that ran
	if opts.Analyze {
		run := s.runOptions()
		run.Explain = true
		run.Account = s.db.memory.Below(s.settings.MemoryLimit) // what it gives is not the result
		defer run.Account.Close()
		res, err := s.executeAt(ctx, c, p, run)
		if err != nil {
			return nil, err
		}
		e.Measure(c, &res.Stats, res.count())
		kernels = res.Stats.Kernels
		places = res.Stats.Places
	}
	for group, text := range p.Reasons(places) {
		e.Program.Groups[group].RunsOn = text
	}
	if opts.Cuda || opts.Launch {
		for _, text := range explain.DeviceTexts(c, ctx, p, kernels) {
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
	return textAnswer("EXPLAIN", []string{"QUERY PLAN"}, rows), nil
}

// explainedQuery is the query within the statement that is explained.
func explainedQuery(stmt sql.Statement, pos sql.Pos) (*sql.Query, error) {
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
