package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// sqlTable binds a function in FROM as the query that it is, in which $1, $2, … stand for
// its arguments.
func sqlTable(b *scope.Binder, t *sql.TableFunc, text string, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	pos := int(t.Call.Pos)
	b.CountRelation(pos)
	name := t.Call.Name[len(t.Call.Name)-1].Name
	outer := &scope.Exprs{Binder: b, Scope: before, Env: env, Clause: "functions in FROM"}
	args, _ := convert.Args(outer, t.Call)
	stmt, err := sql.Parse(text)
	if err != nil {
		panic(scope.InFunction(err, name, t.Call.Pos))
	}
	function := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: outer.Clause, Arguments: args}
	rel, err := sqlstate.Try(func() *scope.Bound {
		return b.Query(stmt.(*sql.Query), &scope.Environment{Parent: env, Outer: function}, false)
	})
	if err != nil {
		panic(scope.InFunction(err, name, t.Call.Pos))
	}
	alias := name
	if t.Alias.Name != "" {
		alias = t.Alias.Name
	}
	return named(rel, alias, nil, t.Columns, pos)
}
