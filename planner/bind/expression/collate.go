package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// collate binds x COLLATE name.
func collate(x *scope.Exprs, e *sql.Collate) algebra.Expr {
	sqlstate.Check(sqltype.CheckCollation(e))
	return x.Expr(e.X)
}
