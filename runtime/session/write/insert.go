package write

import (
	"context"
	"fmt"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
)

// Insert runs INSERT: the rows are computed and converted to the table's types
// first, then appended as a whole. The table is locked before, so that it keeps
// its columns.
func Insert(ctx context.Context, s *session.Session, stmt *sql.Insert) (*result.Result, error) {
	name, err := s.TargetName(stmt.Table)
	if err != nil {
		return nil, err
	}
	var res *result.Result
	var own int
	err = s.ChangeOf(name, "INSERT", func(tx *store.Tx) error {
		build := func() (*planner.InsertPlan, error) { return planner.BuildInsert(stmt, catalog.Of(s), query.Options(s)) }
		plan, err := lockAndBuild(ctx, s, tx, name, access.Insert, build, func(p *planner.InsertPlan) *planner.Plan { return p.Source })
		if err != nil {
			return err
		}
		own = len(plan.Target.Columns)
		c, err := query.Weave(s, plan.Source, true)
		if err != nil {
			return err
		}
		if res, err = query.Execute(ctx, s, c); err != nil {
			return err
		}
		return AppendRelation(ctx, s, tx, name, res, result.Ordinals(own))
	})
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf("INSERT 0 %d", res.Count())
	if stmt.Returning == nil {
		return &result.Result{Tag: tag}, nil
	}
	return res.Behind(own, tag), nil
}
