package cubeloom

import (
	"cmp"
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
)

// insert runs INSERT: the rows are computed and converted to the table's types
// first, then appended as a whole. The table is locked before, so that it keeps
// its columns.
func (s *Session) insert(ctx context.Context, stmt *sql.Insert) (*answer, error) {
	name, err := s.targetName(stmt.Table)
	if err != nil {
		return nil, err
	}
	var res *answer
	var own int
	err = s.changeOf(name, "INSERT", func(tx *store.Tx) error {
		build := func() (*planner.InsertPlan, error) { return planner.BuildInsert(stmt, s.catalog(), s.planOptions()) }
		if err := s.mayChange(name, access.Insert); err != nil {
			_, wrong := build()
			return cmp.Or(wrong, err)
		}
		if err := tx.Lock(ctx, name); err != nil {
			return err
		}
		plan, err := build()
		if err == nil {
			err = s.permit(plan.Source.Access)
		}
		if err != nil {
			return err
		}
		own = len(plan.Target.Columns)
		c, err := s.weave(plan.Source, true)
		if err != nil {
			return err
		}
		if res, err = s.execute(ctx, c); err != nil {
			return err
		}
		return s.appendRelation(ctx, tx, name, res, allOrdinals(own))
	})
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf("INSERT 0 %d", res.count())
	if stmt.Returning == nil {
		return &answer{Tag: tag}, nil
	}
	return res.behind(own, tag), nil
}
