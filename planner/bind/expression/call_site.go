package expression

import (
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
)

// CallSite is one call of a function whose overload is to be found.
type CallSite struct {
	*scope.Exprs
	Name      string
	Positions []sql.Pos
	Pos       sql.Pos
}
