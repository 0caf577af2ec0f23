package write

import (
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// insert stores the rows of an INSERT, as a whole, or what ON CONFLICT makes of them, and returns
// their number and what RETURNING returns of them.
func (c *changes) insert(key string, plan *planner.Statement, res *result.Result) (int64, *result.Result) {
	sqlstate.Check(c.s.TakeHeld(res.Count()))
	if plan.Conflict == nil {
		c.append(res.Rows, plan.Own)
		return res.Count(), res.Behind(plan.Own, "")
	}
	stored := c.resolve(key, plan, res.Rows)
	if plan.Returns {
		res = pickedBehind(res, stored, plan.Own)
	}
	return int64(len(stored)), res
}
