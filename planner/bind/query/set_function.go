package query

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/setfunc"
	"github.com/cubeloom/cubeloom/sql"
)

// setFunctionTable binds a set-returning function in FROM. before is what stands
// before it there, whose columns the arguments may be of.
func setFunctionTable(b *scope.Binder, t *sql.TableFunc, fn string, env *scope.Environment, before *scope.Scope) (algebra.Node, *scope.Scope) {
	pos := int(t.Call.Pos)
	b.CountRelation(pos)
	x := &scope.Exprs{Binder: b, Scope: before, Env: env, Clause: "functions in FROM"}
	name := fn
	if t.Alias.Name != "" {
		name = t.Alias.Name
	}
	var node algebra.Node
	switch {
	case len(t.Beside) > 0:
		node = setfunc.SideBySide(x, t, name)
	case fn == "unnest":
		node = setfunc.Unnest(x, t, name)
	case fn == "generate_series":
		node = setfunc.GenerateSeries(x, t, name)
	case strings.HasPrefix(fn, "json_each") || strings.HasPrefix(fn, "jsonb_each"):
		node = setfunc.JSONMembers(x, t, fn)
	default:
		node = setfunc.RowsInFrom(x.Binder, []*scope.SetCall{setfunc.Rows(x, fn, t.Call)}, name, t)
		if strings.Contains(fn, "_array_elements") {
			return elementsTable(node, name, t)
		}
	}
	return named(&scope.Bound{Node: node}, name, nil, t.Columns, pos)
}

// elementsTable names the column of json_array_elements and its kin, as PostgreSQL does,
// value, which the name of the whole row stands for, too.
func elementsTable(node algebra.Node, name string, t *sql.TableFunc) (algebra.Node, *scope.Scope) {
	node, sc := named(&scope.Bound{Node: node}, name, []sql.Ident{{Name: "value"}}, t.Columns, int(t.Call.Pos))
	if len(t.Columns) == 0 {
		row := sc.Cols[0]
		row.Col.Name, row.System = name, true
		sc.Cols = append(sc.Cols, row)
	}
	return node, sc
}
