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
// first, then appended as a whole, or what ON CONFLICT makes of them. The table is
// locked before, so that it keeps its columns and nobody adds a key.
func Insert(ctx context.Context, s *session.Session, stmt *sql.Insert) (*result.Result, error) {
	name, err := s.ChangedName(stmt.Table)
	if err != nil {
		return nil, err
	}
	var res *result.Result
	var rows int64
	defer s.EndTurns()
	err = s.ChangeOf(name, "INSERT", func(tx *store.Tx) error {
		build := func() (*planner.InsertPlan, error) { return planner.BuildInsert(stmt, catalog.Of(s), query.Options(s)) }
		plan, err := lockAndBuild(ctx, s, tx, name, access.Insert, build, func(p *planner.InsertPlan) *planner.Plan { return p.Source })
		if err != nil {
			return err
		}
		c, err := query.Weave(s, plan.Source, true)
		if err != nil {
			return err
		}
		if res, err = query.Execute(ctx, s, c); err != nil {
			return err
		}
		if err := s.TakeHeld(res.Count()); err != nil {
			return err
		}
		if plan.Conflict == nil {
			rows = res.Count()
			own := plan.Own()
			res, err = res.Behind(own, ""), AppendRelation(ctx, s, tx, name, res.Rows, result.Ordinals(own))
			return err
		}
		stored, err := resolve(ctx, s, tx, name, plan, res.Rows)
		if rows = int64(len(stored)); err != nil || stmt.Returning == nil {
			return err
		}
		res, err = pickedBehind(res, stored, plan.Own())
		return err
	})
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf("INSERT 0 %d", rows)
	if stmt.Returning == nil {
		return &result.Result{Tag: tag}, nil
	}
	res.Tag = tag
	return res, nil
}
