package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
)

// describeAlone describes a statement as Session.Describe of the API does: an error fails
// the session's transaction.
func (s *Session) describeAlone(ctx context.Context, st *Statement, given []ColumnType) (d *Description, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, internalError(p)
		}
		if err != nil {
			s.fail()
			err = userError(ctx, err)
		}
		s.account.Close()
		s.account = nil
	}()
	s.account = s.db.memory.Below(s.settings.MemoryLimit)
	ctx, cancel := s.limited(ctx)
	defer cancel()
	defer s.enter(ctx)()
	if err := s.describedSnapshot(st); err != nil {
		return nil, err
	}
	s.describing = true
	defer func() { s.describing = false }()
	d, err = s.describe(st, s.inferring(given))
	if err != nil {
		return nil, err
	}
	for len(d.Params) < len(given) {
		d.Params = append(d.Params, given[len(d.Params)])
	}
	return d, nil
}

// describedSnapshot takes the snapshot of the transaction before a statement is
// described, but where that may have to wait.
func (s *Session) describedSnapshot(st *Statement) error {
	if !needsSnapshot(st.parsed.Statement) || s.settings.Client[settings.CurrentModes+"deferrable"] == settings.OnOff(true) {
		return nil
	}
	return s.snapshot(s.ctx, st.parsed.Statement)
}

// describe finds out what a statement takes and gives.
func (s *Session) describe(st *Statement, opts planner.Options) (*Description, error) {
	switch stmt := st.parsed.Statement.(type) {
	case *sql.Query:
		plan, err := planner.Build(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return &Description{Params: columnTypes(plan.Params), HasRows: true, Columns: planColumns(plan)}, nil
	case *sql.Insert:
		plan, err := planner.BuildInsert(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, len(plan.Target.Columns), stmt.Returning), nil
	case *sql.Update:
		plan, err := planner.BuildUpdate(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, 1+len(plan.Set), stmt.Returning), nil
	case *sql.Delete:
		plan, err := planner.BuildDelete(stmt, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, 1, stmt.Returning), nil
	case *sql.Execute:
		p := s.prepared[stmt.Name.Name]
		if p == nil || p.executable() != nil {
			return &Description{}, nil // running it is what fails
		}
		return &Description{HasRows: p.Description.HasRows, Columns: p.Description.Columns}, nil
	case *sql.Explain:
		if explainedExecute(stmt) != nil {
			return &Description{HasRows: true, Columns: textColumns("QUERY PLAN")}, nil
		}
		query, err := explainedQuery(stmt.Statement, stmt.Pos)
		if err != nil {
			return nil, err
		}
		plan, err := planner.Build(query, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return &Description{Params: columnTypes(plan.Params), HasRows: true, Columns: textColumns("QUERY PLAN")}, nil
	case *sql.Declare:
		plan, err := planner.Build(stmt.Query, s.catalog(), opts)
		if err != nil {
			return nil, err
		}
		return &Description{Params: columnTypes(plan.Params)}, nil
	case *sql.Fetch:
		c, err := s.cursor(stmt.Name.Name)
		if err != nil || stmt.Move {
			return &Description{}, err
		}
		return &Description{HasRows: true, Columns: c.result.Columns}, nil
	case *sql.Show:
		res, err := s.show(stmt)
		if err != nil {
			return nil, err
		}
		return &Description{HasRows: true, Columns: res.Columns}, nil
	}
	return &Description{}, nil
}

// describeWrite describes a statement that changes rows, of whose plan the
// columns behind the first own ones are those of RETURNING.
func describeWrite(source *planner.Plan, own int, returning []sql.SelectItem) *Description {
	d := &Description{Params: columnTypes(source.Params), HasRows: returning != nil}
	if d.HasRows {
		d.Columns = planColumns(source)[own:]
	}
	return d
}
