package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/call"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/sql"
)

// userTable binds a call in FROM of a function that CREATE FUNCTION has made, which returns rows.
func userTable(t *sql.TableFunc, c *call.UserCall) (algebra.Node, *scope.Scope) {
	switch {
	case len(t.Defined) > 0:
		return recordTable(t, nil)
	case t.Ordinality:
		panic(term.NotSupported(t.Call.Pos, "WITH ORDINALITY of a function in SQL is"))
	}
	rel := c.Rows()
	if c.Function.Columns == nil && c.Function.Result == "" && t.Alias.Name != "" { // the name of the relation is that of its column, too
		return named(rel, t.Alias.Name, []sql.Ident{t.Alias}, t.Columns, int(t.Call.Pos))
	}
	return calledAs(t, rel)
}
