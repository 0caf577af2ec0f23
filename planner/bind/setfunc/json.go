package setfunc

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// jsonRows are the parts of a value of JSON, which a routine makes an array of.
func jsonRows(x *scope.Exprs, name string, routine function.Form, e *sql.FuncCall) *scope.SetCall {
	of := jsonArgument(x, name, e)
	part := algebra.TText
	if routine == value.JSONElements {
		part = of.Type()
	}
	array := term.Call(algebra.Func(routine), algebra.TArray(part), e.Pos, of, term.TextConst(name))
	return elementRows(x.Folded(array), e.Pos)
}

// JSONMembers binds json_each and its kin in FROM: the keys of an object, and their values.
func JSONMembers(x *scope.Exprs, t *sql.TableFunc, name string) algebra.Node {
	return RowsInFrom(x.Binder, jsonMembers(x, t.Call, name), name, t)
}

func jsonMembers(x *scope.Exprs, call *sql.FuncCall, name string) []*scope.SetCall {
	of := jsonArgument(x, name, call)
	parts := func(routine algebra.Func, part algebra.Type, column string) *scope.SetCall {
		array := term.Call(routine, algebra.TArray(part), call.Pos, of, term.TextConst(name))
		c := elementRows(x.Folded(array), call.Pos)
		c.Col.Name = column
		return c
	}
	values := parts(value.JSONValues, of.Type(), "value")
	if strings.HasSuffix(name, "_text") {
		values = parts(value.ValueTexts, algebra.TText, "value")
	}
	return []*scope.SetCall{parts(value.JSONKeys, algebra.TText, "key"), values}
}

// jsonArgument is the argument of a function of json, or of jsonb as its name says.
func jsonArgument(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	typ := term.JSONType(name)
	if len(args) != 1 || args[0].Type() != typ && args[0].Type().Kind != algebra.Unknown {
		panic(term.NoFunction(name, args, e.Pos))
	}
	return convert.Coerce(x, args[0], typ, sqltype.Implicit, positions[0])
}
