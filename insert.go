package cubeloom

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
)

// insert runs INSERT: the rows are computed and converted to the table's types
// first, then appended as a whole.
func (s *Session) insert(ctx context.Context, stmt *sql.Insert) (*Result, error) {
	name, err := objectName(stmt.Table)
	if err != nil {
		return nil, err
	}
	plan, err := planner.BuildInsert(stmt, s.catalog(), s.planOptions())
	if err != nil {
		return nil, err
	}
	var rows int64
	err = s.change(func(tx *store.Tx) error {
		c, err := s.weave(plan.Source)
		if err != nil {
			return err
		}
		res, err := s.execute(ctx, c)
		if err != nil {
			return err
		}
		rows = res.Rows()
		return s.appendRelation(ctx, tx, name, res, allOrdinals(len(res.Columns)))
	})
	if err != nil {
		return nil, err
	}
	return &Result{Tag: fmt.Sprintf("INSERT 0 %d", rows)}, nil
}
