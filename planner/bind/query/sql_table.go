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
	x := inFrom(b, env, before)
	args, _ := convert.Args(x, t.Call)
	if t.Ordinality {
		text = "SELECT q.*, row_number() OVER () AS ordinality FROM (" + text + ") AS q"
	}
	return calledAs(t, queryOf(x, t, text, args))
}

// inFrom binds the arguments of a function in FROM.
func inFrom(b *scope.Binder, env *scope.Environment, before *scope.Scope) *scope.Exprs {
	return &scope.Exprs{Binder: b, Scope: before, Env: env, Clause: "functions in FROM"}
}

// queryOf is the query that a function in FROM is, over its bound arguments.
func queryOf(x *scope.Exprs, t *sql.TableFunc, text string, args []algebra.Expr) *scope.Bound {
	x.CountRelation(int(t.Call.Pos))
	name := t.Call.Name[len(t.Call.Name)-1].Name
	stmt, err := sql.Parse(text)
	if err != nil {
		panic(scope.InFunction(err, name, t.Call.Pos))
	}
	function := &scope.Exprs{Binder: x.Binder, Scope: &scope.Scope{}, Clause: x.Clause, Arguments: args}
	rel, err := sqlstate.Try(func() *scope.Bound {
		return x.Query(stmt.(*sql.Query), &scope.Environment{Parent: x.Env, Outer: function}, false)
	})
	if err != nil {
		panic(scope.InFunction(err, name, t.Call.Pos))
	}
	return rel
}

// calledAs returns the rows of a function in FROM under its alias, or else its name.
func calledAs(t *sql.TableFunc, rel *scope.Bound) (algebra.Node, *scope.Scope) {
	alias := t.Alias.Name
	if alias == "" {
		alias = t.Call.Name[len(t.Call.Name)-1].Name
	}
	return named(rel, alias, nil, t.Columns, int(t.Call.Pos))
}
