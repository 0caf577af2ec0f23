package query

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/setfunc"
	"github.com/cubeloom/cubeloom/sql"
)

// setFunctionTable binds a set-returning function in FROM. before is what stands
// before it there, whose columns the arguments may be of.
func setFunctionTable(b *scope.Binder, t *sql.TableFunc, fn string, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope, error) {
	pos := int(t.Call.Pos)
	if err := b.CountRelation(pos); err != nil {
		return nil, nil, err
	}
	x := &scope.Exprs{Binder: b, Scope: before, Env: env, Clause: "functions in FROM"}
	name := fn
	if t.Alias.Name != "" {
		name = t.Alias.Name
	}
	var node algebra.Node
	var err error
	switch fn {
	case "unnest":
		node, err = setfunc.Unnest(x, t, name)
	case "generate_series":
		node, err = setfunc.GenerateSeries(x, t, name)
	default:
		var c *scope.SetCall
		if c, err = setfunc.Rows(x, fn, t.Call); err == nil {
			node = setfunc.RowsInFrom(x.Binder, []*scope.SetCall{c}, name, t)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return named(b, &scope.Bound{Node: node}, name, nil, t.Columns, pos)
}
