package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
)

// sqlTable binds a function in FROM as the query that it is, in which $1, $2, … stand for
// its arguments.
func (b *binder) sqlTable(t *sql.TableFunc, text string, env *environment, before *scope) (algebra.Node, *scope, error) {
	pos := int(t.Call.Pos)
	if err := b.countRelation(pos); err != nil {
		return nil, nil, err
	}
	name := t.Call.Name[len(t.Call.Name)-1].Name
	outer := &exprBinder{binder: b, scope: before, env: env, clause: "functions in FROM"}
	args, _, err := outer.args(t.Call)
	if err != nil {
		return nil, nil, err
	}
	stmt, err := sql.Parse(text)
	if err != nil {
		return nil, nil, inFunction(err, name, t.Call.Pos)
	}
	function := &exprBinder{binder: b, scope: &scope{}, clause: outer.clause, arguments: args}
	rel, err := b.query(stmt.(*sql.Query), &environment{parent: env, outer: function}, false)
	if err != nil {
		return nil, nil, inFunction(err, name, t.Call.Pos)
	}
	alias := name
	if t.Alias.Name != "" {
		alias = t.Alias.Name
	}
	return b.named(rel, alias, nil, t.Columns, pos)
}
