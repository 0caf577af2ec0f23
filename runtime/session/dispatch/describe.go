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
	"github.com/cubeloom/cubeloom/sql/sqlstate"
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
func describe(s *session.Session, st *session.Statement, opts planner.Options) (_ *session.Description, err error) {
	defer sqlstate.Catch(&err)
	switch stmt := st.Parsed.Statement.(type) {
	case *sql.Query, sql.Change:
		plan := sqlstate.Must(planner.BuildStatement(stmt, catalog.Of(s), opts))
		d := &session.Description{Params: result.ColumnTypes(plan.Source.Params), HasRows: plan.Returns}
		if plan.Returns {
			d.Columns = result.PlanColumns(plan.Source)[plan.Own:]
		}
		return d, nil
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
		explained := sqlstate.Must(explain.Explained(stmt.Statement, stmt.Pos))
		plan := sqlstate.Must(planner.BuildStatement(explained, catalog.Of(s), opts))
		return &session.Description{Params: result.ColumnTypes(plan.Source.Params), HasRows: true, Columns: result.TextColumns("QUERY PLAN")}, nil
	case *sql.Declare:
		plan := sqlstate.Must(planner.Build(stmt.Query, catalog.Of(s), opts))
		return &session.Description{Params: result.ColumnTypes(plan.Params)}, nil
	case *sql.Fetch:
		c, err := s.Cursors.Find(stmt.Name.Name)
		if err != nil || stmt.Move {
			return &session.Description{}, err
		}
		return &session.Description{HasRows: true, Columns: c.Result.Columns}, nil
	case *sql.Show:
		res := sqlstate.Must(s.Show(stmt))
		return &session.Description{HasRows: true, Columns: res.Columns}, nil
	}
	return &session.Description{}, nil
}
