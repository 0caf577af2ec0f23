package dispatch

import (
	"context"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/explain"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
)

// DescribeAlone describes a statement as Session.Describe of the API does: an error fails
// the session's transaction.
func DescribeAlone(ctx context.Context, s *session.Session, st *session.Statement, given []result.ColumnType) (d *session.Description, err error) {
	ctx, leave := s.Enter(ctx)
	defer leave()
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, session.InternalError(p)
		}
		if err != nil {
			s.Fail()
			err = session.UserError(ctx, err)
		}
	}()
	if err := describedSnapshot(ctx, s, st); err != nil {
		return nil, err
	}
	defer s.Describe()()
	d, err = describe(s, st, query.Inferring(s, given))
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
func describedSnapshot(ctx context.Context, s *session.Session, st *session.Statement) error {
	if !needsSnapshot(st.Parsed.Statement) || s.Settings.Client[settings.CurrentModes+"deferrable"] == settings.OnOff(true) {
		return nil
	}
	return s.Snapshot(ctx, st.Parsed.Statement)
}

// describe finds out what a statement takes and returns.
func describe(s *session.Session, st *session.Statement, opts planner.Options) (*session.Description, error) {
	switch stmt := st.Parsed.Statement.(type) {
	case *sql.Query:
		plan, err := planner.Build(stmt, catalog.Of(s), opts)
		if err != nil {
			return nil, err
		}
		return &session.Description{Params: result.ColumnTypes(plan.Params), HasRows: true, Columns: result.PlanColumns(plan)}, nil
	case *sql.Insert:
		plan, err := planner.BuildInsert(stmt, catalog.Of(s), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, plan.Own(), stmt.Returning), nil
	case *sql.Update:
		plan, err := planner.BuildUpdate(stmt, catalog.Of(s), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, 1+len(plan.Set), stmt.Returning), nil
	case *sql.Delete:
		plan, err := planner.BuildDelete(stmt, catalog.Of(s), opts)
		if err != nil {
			return nil, err
		}
		return describeWrite(plan.Source, 1, stmt.Returning), nil
	case *sql.Execute:
		p, err := s.Prepared.Find(stmt.Name.Name)
		if err != nil || p.Executable() != nil {
			return &session.Description{}, nil // running it is what fails
		}
		return &session.Description{HasRows: p.Description.HasRows, Columns: p.Description.Columns}, nil
	case *sql.Explain:
		if explain.ExecuteOf(stmt) != nil {
			return &session.Description{HasRows: true, Columns: result.TextColumns("QUERY PLAN")}, nil
		}
		query, err := explain.QueryOf(stmt.Statement, stmt.Pos)
		if err != nil {
			return nil, err
		}
		plan, err := planner.Build(query, catalog.Of(s), opts)
		if err != nil {
			return nil, err
		}
		return &session.Description{Params: result.ColumnTypes(plan.Params), HasRows: true, Columns: result.TextColumns("QUERY PLAN")}, nil
	case *sql.Declare:
		plan, err := planner.Build(stmt.Query, catalog.Of(s), opts)
		if err != nil {
			return nil, err
		}
		return &session.Description{Params: result.ColumnTypes(plan.Params)}, nil
	case *sql.Fetch:
		c, err := s.Cursors.Find(stmt.Name.Name)
		if err != nil || stmt.Move {
			return &session.Description{}, err
		}
		return &session.Description{HasRows: true, Columns: c.Result.Columns}, nil
	case *sql.Show:
		res, err := s.Show(stmt)
		if err != nil {
			return nil, err
		}
		return &session.Description{HasRows: true, Columns: res.Columns}, nil
	}
	return &session.Description{}, nil
}

// describeWrite describes a statement that changes rows, of whose plan the
// columns behind the first own ones are those of RETURNING.
func describeWrite(source *planner.Plan, own int, returning []sql.SelectItem) *session.Description {
	d := &session.Description{Params: result.ColumnTypes(source.Params), HasRows: returning != nil}
	if d.HasRows {
		d.Columns = result.PlanColumns(source)[own:]
	}
	return d
}
