package query

import (
	"strconv"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// compute runs a plan that gives one integer, or NULL.
func compute(s *session.Session, plan *planner.Plan) (_ value.Value, err error) {
	defer sqlstate.Catch(&err)
	sqlstate.Check(catalog.Permit(s, plan.Access))
	res := sqlstate.Must(Execute(s.Context(), s, sqlstate.Must(Weave(s, plan, false))))
	row := sqlstate.Must(res.First())
	if row[0] == "" {
		return value.Value{}, nil
	}
	return value.Value{Kind: value.Int, I: sqlstate.Must(strconv.ParseInt(row[0], 10, 64))}, nil
}
