// Package dispatch runs the statements of a session: dispatch.go knows which package runs
// which statement, describe.go what a statement takes and returns. Here stand the statements
// that are about the session itself: transactions, cursors, prepared statements, and
// functions that act on sessions.
package dispatch

import (
	"context"
	"io"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/define"
	"github.com/cubeloom/cubeloom/runtime/session/explain"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/transfer"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// dispatch runs one statement. In a transaction that has failed only its end
// goes on.
func dispatch(ctx context.Context, s *session.Session, parsed *sql.Parsed) (*result.Result, error) {
	if t, ok := parsed.Statement.(*sql.Transaction); ok {
		result, err := s.Transact(t)
		if err != nil {
			s.Fail()
		}
		return result, err
	}
	switch {
	case !s.InTransaction():
		return s.Alone(func() (*result.Result, error) { return serialized(ctx, s, parsed) })
	case s.Failed():
		return nil, session.ErrFailedTransaction()
	}
	result, err := serialized(ctx, s, parsed)
	if err != nil {
		s.Fail()
	}
	return result, err
}

// serialized runs a statement over the snapshot that its transaction's level asks
// for.
func serialized(ctx context.Context, s *session.Session, parsed *sql.Parsed) (*result.Result, error) {
	if needsSnapshot(parsed.Statement) {
		if err := s.Snapshot(ctx, parsed.Statement); err != nil {
			return nil, err
		}
	}
	result, err := statement(ctx, s, parsed)
	if err == nil {
		err = s.Unserializable()
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// needsSnapshot reports whether a statement may look at tables or at the catalog.
func needsSnapshot(stmt sql.Statement) bool {
	switch stmt.(type) {
	case *sql.Transaction, *sql.Set, *sql.SetConstraints, *sql.Show, *sql.Fetch, *sql.Unlisten:
		return false
	}
	return true
}

// statement runs a statement that is not about transactions. A panic is its error,
// so that it fails the transaction too.
func statement(ctx context.Context, s *session.Session, parsed *sql.Parsed) (res *result.Result, err error) {
	defer fault.Arm()()
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, session.InternalError(p)
		}
	}()
	defer sqlstate.Catch(&err)
	if parsed.Locks {
		parsed = lockRows(ctx, s, parsed)
	}
	return run(ctx, s, parsed), nil
}

// run runs a statement, and panics with its error.
func run(ctx context.Context, s *session.Session, parsed *sql.Parsed) *result.Result {
	switch stmt := parsed.Statement.(type) {
	case *sql.Query:
		return actingQuery(ctx, s, stmt, parsed)
	case *sql.Explain:
		return sqlstate.Must(explain.Explain(ctx, s, stmt))
	case sql.Change:
		return write.Run(ctx, s, stmt)
	case *sql.Truncate:
		return write.Truncate(ctx, s, stmt)
	case *sql.AlterTable:
		return define.AlterTable(ctx, s, stmt)
	case *sql.CreateTable:
		return define.CreateTable(ctx, s, stmt)
	case *sql.CreateTableAs:
		return define.CreateTableAs(ctx, s, stmt)
	case *sql.CreateView:
		if stmt.Materialized {
			return define.CreateMaterializedView(ctx, s, stmt)
		}
		return define.CreateView(ctx, s, stmt)
	case *sql.RefreshView:
		return define.RefreshView(ctx, s, stmt)
	case *sql.CreateHierarchy:
		return define.CreateHierarchy(ctx, s, stmt)
	case *sql.CreateExtension:
		return define.CreateExtension(stmt)
	case *sql.CreateSchema:
		return define.CreateSchema(ctx, s, stmt)
	case *sql.CreateSequence:
		return define.CreateSequence(ctx, s, stmt)
	case *sql.AlterSequence:
		return define.AlterSequence(ctx, s, stmt)
	case *sql.CreateType:
		return define.CreateType(ctx, s, stmt)
	case *sql.AlterType:
		return define.AlterType(ctx, s, stmt)
	case *sql.CreateDomain:
		return define.CreateDomain(ctx, s, stmt)
	case *sql.AlterDomain:
		return define.AlterDomain(ctx, s, stmt)
	case *sql.CreateFunction:
		return define.CreateFunction(ctx, s, stmt)
	case *sql.DropFunction:
		return define.DropFunction(ctx, s, stmt)
	case *sql.AlterFunction:
		return define.AlterFunction(ctx, s, stmt)
	case *sql.CreateIndex:
		return define.CreateIndex(ctx, s, stmt)
	case *sql.AttachIndex:
		return define.AttachIndex(ctx, s, stmt)
	case *sql.RenameIndex:
		return define.RenameIndex(ctx, s, stmt)
	case *sql.Cluster:
		return define.Cluster(ctx, s, stmt)
	case *sql.Maintain:
		return define.Maintain(s, stmt)
	case *sql.Reindex:
		return define.Reindex(ctx, s, stmt)
	case *sql.Drop:
		return define.Drop(ctx, s, stmt)
	case *sql.Copy:
		return transfer.Copy(ctx, s, stmt)
	case *sql.ExportDatabase:
		return transfer.ExportDatabase(ctx, s, stmt)
	case *sql.ImportDatabase:
		return transfer.ImportDatabase(ctx, s, stmt, func(parsed *sql.Parsed) error {
			_, err := statement(ctx, s, parsed)
			return err
		})
	case *sql.Set:
		return sqlstate.Must(s.Set(stmt))
	case *sql.SetConstraints:
		return sqlstate.Must(write.SetConstraints(ctx, s, stmt))
	case *sql.Show:
		return sqlstate.Must(s.Show(stmt))
	case *sql.Declare:
		return declare(ctx, s, stmt, parsed.Text)
	case *sql.Fetch:
		return fetch(s, stmt)
	case *sql.CloseCursor:
		return closeCursor(s, stmt)
	case *sql.Prepare:
		return prepare(s, stmt, parsed.Text)
	case *sql.Execute:
		return executePrepared(s, stmt, func(parsed *sql.Parsed) (*result.Result, error) { return statement(ctx, s, parsed) })
	case *sql.Deallocate:
		return deallocate(s, stmt)
	case *sql.Unlisten:
		return &result.Result{Tag: "UNLISTEN"} // there is no LISTEN
	case *sql.Discard:
		return sqlstate.Must(s.Discard(stmt))
	}
	return governStatement(ctx, s, parsed)
}

// lockRows takes the locks of locking clauses, and returns the statement that is to run.
func lockRows(ctx context.Context, s *session.Session, parsed *sql.Parsed) *sql.Parsed {
	switch parsed.Statement.(type) {
	case *sql.Prepare, *sql.Explain, *sql.CreateView:
		return parsed // they do not run it
	}
	skip, err := write.LockRows(ctx, s, parsed.Statement)
	if !skip || err != nil {
		sqlstate.Check(err)
		return parsed
	}
	q := *parsed.Statement.(*sql.Query)
	body := *q.Body.(*sql.Select)
	body.Where = &sql.Literal{Kind: sql.BoolLiteral, Text: "false", Pos: q.Pos}
	q.Body = &body
	return &sql.Parsed{Statement: &q, Text: parsed.Text + " -- none", Offset: parsed.Offset}
}

// governStatement runs a statement about roles, owners, privileges, locks or comments.
func governStatement(ctx context.Context, s *session.Session, parsed *sql.Parsed) *result.Result {
	switch stmt := parsed.Statement.(type) {
	case *sql.CreateRole:
		return govern.CreateRole(ctx, s, stmt)
	case *sql.AlterRole:
		return govern.AlterRole(ctx, s, stmt)
	case *sql.RenameRole:
		return govern.RenameRole(ctx, s, stmt)
	case *sql.AlterRoleSet:
		return govern.AlterRoleSet(ctx, s, stmt)
	case *sql.DropRole:
		return govern.DropRole(ctx, s, stmt)
	case *sql.GrantRole:
		return govern.GrantRole(ctx, s, stmt)
	case *sql.Grant:
		return govern.Grant(ctx, s, stmt)
	case *sql.DefaultPrivileges:
		return govern.DefaultPrivileges(ctx, s, stmt)
	case *sql.Lock:
		return write.Lock(ctx, s, stmt)
	case *sql.Comment:
		return govern.Comment(ctx, s, stmt)
	case *sql.RenameSchema:
		return define.RenameSchema(ctx, s, stmt)
	case *sql.AlterOwner:
		return govern.AlterOwner(ctx, s, stmt)
	case *sql.DropOwned:
		return govern.DropOwned(ctx, s, stmt)
	case *sql.ReassignOwned:
		return govern.ReassignOwned(ctx, s, stmt)
	}
	panic(value.Errorf(value.CodeFeatureNotSupported, "%T statements are not supported", parsed.Statement))
}

// Run runs one statement under the session's time limit. A defect that panics
// ends the statement and not the program.
func Run(ctx context.Context, s *session.Session, parsed *sql.Parsed) (res *result.Result, err error) {
	ctx, leave := s.Enter(ctx)
	defer leave()
	defer func() {
		if p := recover(); p != nil {
			s.Fail()
			res, err = nil, session.InternalError(p)
		}
	}()
	s.Progress.RowsDone.Store(0)
	s.Progress.RowsTotal.Store(0)
	s.Progress.Worked.Store(0)
	if err = s.Account.Grow(session.TreeBytes(parsed.Text)); err == nil {
		res, err = dispatch(ctx, s, parsed)
	} else {
		s.Fail()
	}
	if err != nil {
		return nil, session.UserError(ctx, err)
	}
	res.Names = catalog.ObjectNames(s, len(res.Columns), func(i int) algebra.Type { return res.Columns[i].Type.Type })
	s.Hold(res)
	return res, nil
}

// Execute is Run with the values of the statement's parameters.
func Execute(ctx context.Context, s *session.Session, parsed *sql.Parsed, params []planner.Param) (*result.Result, error) {
	s.Params = params
	defer func() { s.Params = nil }()
	return Run(ctx, s, parsed)
}

// Copy is Run of COPY FROM STDIN, which reads in, or COPY TO STDOUT, which writes to out.
func Copy(ctx context.Context, s *session.Session, parsed *sql.Parsed, in io.Reader, out io.Writer) (*result.Result, error) {
	s.Streams = &session.Streams{In: in, Out: out}
	defer func() { s.Streams = nil }()
	return Run(ctx, s, parsed)
}
