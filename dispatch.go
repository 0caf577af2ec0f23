package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// dispatch runs one statement. In a transaction that has failed only its end
// goes on.
func (s *Session) dispatch(ctx context.Context, parsed *sql.Parsed) (*answer, error) {
	if t, ok := parsed.Statement.(*sql.Transaction); ok {
		result, err := s.transact(t)
		if err != nil {
			s.fail()
		}
		return result, err
	}
	switch {
	case s.tx == nil:
		return s.alone(func() (*answer, error) { return s.serialized(ctx, parsed) })
	case s.failed():
		return nil, errFailedTransaction()
	}
	result, err := s.serialized(ctx, parsed)
	if err != nil {
		s.fail()
	}
	return result, err
}

// serialized runs a statement over the snapshot that its transaction's level asks
// for.
func (s *Session) serialized(ctx context.Context, parsed *sql.Parsed) (*answer, error) {
	if needsSnapshot(parsed.Statement) {
		if err := s.snapshot(ctx, parsed.Statement); err != nil {
			return nil, err
		}
	}
	result, err := s.statement(ctx, parsed)
	if err == nil {
		err = s.unserializable()
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// needsSnapshot reports whether a statement may look at tables or at the catalog.
func needsSnapshot(stmt sql.Statement) bool {
	switch stmt.(type) {
	case *sql.Transaction, *sql.Set, *sql.Show, *sql.Fetch, *sql.Unlisten:
		return false
	}
	return true
}

// statement runs a statement that is not about transactions. A panic is its error,
// so that it fails the transaction too.
func (s *Session) statement(ctx context.Context, parsed *sql.Parsed) (res *answer, err error) {
	defer fault.Arm()()
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, internalError(p)
		}
	}()
	switch stmt := parsed.Statement.(type) {
	case *sql.Query:
		return s.actingQuery(ctx, stmt, parsed)
	case *sql.Explain:
		return s.explain(ctx, stmt)
	case *sql.Insert:
		return s.insert(ctx, stmt)
	case *sql.Update:
		return s.updateRows(ctx, stmt)
	case *sql.Delete:
		return s.deleteRows(ctx, stmt)
	case *sql.Truncate:
		return s.truncate(ctx, stmt)
	case *sql.AlterTable:
		return s.alterTable(ctx, stmt)
	case *sql.CreateTable:
		return s.createTable(ctx, stmt)
	case *sql.CreateTableAs:
		return s.createTableAs(ctx, stmt)
	case *sql.CreateView:
		return s.createView(ctx, stmt)
	case *sql.Drop:
		return s.drop(ctx, stmt)
	case *sql.Copy:
		return s.copy(ctx, stmt)
	case *sql.ExportDatabase:
		return s.exportDatabase(ctx, stmt)
	case *sql.ImportDatabase:
		return s.importDatabase(ctx, stmt, func(parsed *sql.Parsed) error {
			_, err := s.statement(ctx, parsed)
			return err
		})
	case *sql.Set:
		return s.set(stmt)
	case *sql.Show:
		return s.show(stmt)
	case *sql.Declare:
		return s.declare(ctx, stmt, parsed.Text)
	case *sql.Fetch:
		return s.fetch(stmt)
	case *sql.CloseCursor:
		return s.closeCursor(stmt)
	case *sql.Prepare:
		return s.prepare(stmt, parsed.Text)
	case *sql.Execute:
		return s.executePrepared(stmt, func(parsed *sql.Parsed) (*answer, error) { return s.statement(ctx, parsed) })
	case *sql.Deallocate:
		return s.deallocate(stmt)
	case *sql.Unlisten:
		return &answer{Tag: "UNLISTEN"}, nil // there is no LISTEN
	case *sql.Discard:
		return s.discard(stmt)
	}
	return s.governStatement(ctx, parsed)
}

// governStatement runs a statement about roles, owners, privileges, locks or comments.
func (s *Session) governStatement(ctx context.Context, parsed *sql.Parsed) (*answer, error) {
	switch stmt := parsed.Statement.(type) {
	case *sql.CreateRole:
		return s.createRole(ctx, stmt)
	case *sql.AlterRole:
		return s.alterRole(ctx, stmt)
	case *sql.RenameRole:
		return s.renameRole(ctx, stmt)
	case *sql.AlterRoleSet:
		return s.alterRoleSet(ctx, stmt)
	case *sql.DropRole:
		return s.dropRole(ctx, stmt)
	case *sql.GrantRole:
		return s.grantRole(ctx, stmt)
	case *sql.Grant:
		return s.grant(ctx, stmt)
	case *sql.DefaultPrivileges:
		return s.defaultPrivileges(ctx, stmt)
	case *sql.Lock:
		return s.lock(ctx, stmt)
	case *sql.Comment:
		return s.comment(ctx, stmt)
	case *sql.AlterOwner:
		return s.alterOwner(ctx, stmt)
	case *sql.DropOwned:
		return s.dropOwned(ctx, stmt)
	case *sql.ReassignOwned:
		return s.reassignOwned(ctx, stmt)
	}
	return nil, value.Errorf(value.CodeFeatureNotSupported, "%T statements are not supported", parsed.Statement)
}

// run runs one statement under the session's time limit. A defect that panics
// ends the statement and not the program.
func (s *Session) run(ctx context.Context, parsed *sql.Parsed) (res *answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.fail()
			res, err = nil, internalError(p)
			s.account.Close()
		}
		s.account = nil
	}()
	s.account = s.db.memory.Below(s.settings.MemoryLimit)
	ctx, cancel := s.limited(runtime.WithAccount(ctx, s.account))
	defer cancel()
	defer s.enter(ctx)()
	s.progress.RowsDone.Store(0)
	s.progress.RowsTotal.Store(0)
	s.progress.Worked.Store(0)
	if err = s.account.Grow(treeBytes(parsed.Text)); err == nil {
		res, err = s.dispatch(ctx, parsed)
	} else {
		s.fail()
	}
	if err != nil {
		s.account.Close()
		return nil, userError(ctx, err)
	}
	res.names = s.objectNames(len(res.Columns), func(i int) algebra.Type { return res.Columns[i].Type.Type })
	s.hold(res)
	return res, nil
}
