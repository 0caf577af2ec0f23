package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql"
)

// sqlTable binds a function in FROM as the query that it is, in which $1, $2, … stand for
// its arguments.
func sqlTable(b *scope.Binder, t *sql.TableFunc, text string, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope, error) {
	pos := int(t.Call.Pos)
	if err := b.CountRelation(pos); err != nil {
		return nil, nil, err
	}
	name := t.Call.Name[len(t.Call.Name)-1].Name
	outer := &scope.Exprs{Binder: b, Scope: before, Env: env, Clause: "functions in FROM"}
	args, _, err := convert.Args(outer, t.Call)
	if err != nil {
		return nil, nil, err
	}
	stmt, err := sql.Parse(text)
	if err != nil {
		return nil, nil, scope.InFunction(err, name, t.Call.Pos)
	}
	function := &scope.Exprs{Binder: b, Scope: &scope.Scope{}, Clause: outer.Clause, Arguments: args}
	rel, err := b.Query(stmt.(*sql.Query), &scope.Environment{Parent: env, Outer: function}, false)
	if err != nil {
		return nil, nil, scope.InFunction(err, name, t.Call.Pos)
	}
	alias := name
	if t.Alias.Name != "" {
		alias = t.Alias.Name
	}
	return named(rel, alias, nil, t.Columns, pos)
}
