package cubeloom

import (
	"context"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/store/file"
	"github.com/cubeloom/cubeloom/sql"
)

// describeCopy checks a COPY of a stream and says how it is written. An error fails the
// session's transaction.
func (s *Session) describeCopy(st *Statement) (f CopyFormat, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError(p)
		}
		if err != nil {
			s.fail()
			err = userError(context.Background(), err)
		}
	}()
	stmt := st.parsed.Statement.(*sql.Copy)
	if s.failed() {
		return f, errFailedTransaction()
	}
	format, _, err := file.Options("", copyOptions(stmt), copyUse(stmt))
	if err != nil {
		return f, err
	}
	f.Binary = format == file.Binary
	f.Columns, err = s.copyColumns(stmt)
	return f, err
}

// copyColumns counts the columns that COPY reads or writes.
func (s *Session) copyColumns(stmt *sql.Copy) (int, error) {
	if !stmt.From {
		plan, err := planner.Build(copiedQuery(stmt), s.catalog(), s.planOptions())
		if err == nil {
			err = s.permit(plan.Access)
		}
		if err != nil {
			return 0, err
		}
		var copied []string
		for _, c := range plan.Columns {
			copied = append(copied, c.Name)
		}
		return len(plan.Columns), checkForced(stmt, copied, s.columnsOf(stmt.Table))
	}
	plan, err := s.planCopy(stmt, nil)
	if err != nil {
		return 0, err
	}
	all := s.columnsOf(stmt.Table)
	copied := make([]string, len(plan.Columns))
	for i, c := range plan.Columns {
		copied[i] = all[c]
	}
	return len(copied), checkForced(stmt, copied, all)
}

// columnsOf are the names of the columns of a table; none of no name.
func (s *Session) columnsOf(name sql.Name) []string {
	if len(name) == 0 {
		return nil
	}
	rel, err := s.catalog().Relation(nameParts(name))
	if err != nil || rel == nil {
		return nil
	}
	names := make([]string, len(rel.Columns))
	for i, c := range rel.Columns {
		names[i] = c.Name
	}
	return names
}
