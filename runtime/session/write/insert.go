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
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Insert runs INSERT: the rows are computed and converted to the table's types
// first, then appended as a whole, or what ON CONFLICT makes of them. The table is
// locked before, so that it keeps its columns and nobody adds a key.
func Insert(ctx context.Context, s *session.Session, stmt *sql.Insert) (_ *result.Result, err error) {
	defer sqlstate.Catch(&err)
	name := sqlstate.Must(s.ChangedName(stmt.Table))
	var res *result.Result
	var rows int64
	defer s.EndTurns()
	sqlstate.Check(s.ChangeOf(name, "INSERT", func(tx *store.Tx) (err error) {
		defer sqlstate.Catch(&err)
		build := func() (*planner.InsertPlan, error) { return planner.BuildInsert(stmt, catalog.Of(s), query.Options(s)) }
		plan := lockAndBuild(ctx, s, tx, name, access.Insert, build, func(p *planner.InsertPlan) *planner.Plan { return p.Source })
		c := sqlstate.Must(query.Weave(s, plan.Source, true))
		res = sqlstate.Must(query.Execute(ctx, s, c))
		sqlstate.Check(s.TakeHeld(res.Count()))
		if plan.Conflict == nil {
			rows = res.Count()
			own := plan.Own()
			res, err = res.Behind(own, ""), AppendRelation(ctx, s, tx, name, res.Rows, result.Ordinals(own))
			return err
		}
		stored := resolve(ctx, s, tx, name, plan, res.Rows)
		if rows = int64(len(stored)); stmt.Returning != nil {
			res = pickedBehind(res, stored, plan.Own())
		}
		return nil
	}))
	tag := fmt.Sprintf("INSERT 0 %d", rows)
	if stmt.Returning == nil {
		return &result.Result{Tag: tag}, nil
	}
	res.Tag = tag
	return res, nil
}
