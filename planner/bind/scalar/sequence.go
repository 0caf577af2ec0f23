package scalar

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Sequence binds nextval, currval, lastval and setval, which act when a statement is bound
// that is to run. That is once for each row where no rows are read; elsewhere nextval and
// setval are refused, but as items of a SELECT list, which the session runs itself.
func Sequence(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	counts := map[string][2]int{"nextval": {1, 1}, "currval": {1, 1}, "lastval": {0, 0}, "setval": {2, 3}}[name]
	if n := len(e.Args); n < counts[0] || n > counts[1] {
		args, _ := convert.Args(x, e)
		panic(term.NoFunction(name, args, e.Pos))
	}
	if acts := name == "nextval" || name == "setval"; acts && (len(x.Scope.Rels) > 0 || x.Alone == expression.InDefault) {
		panic(term.NotSupported(e.Pos, name+"() within an expression over rows is"))
	}
	types := []algebra.Type{algebra.TText, algebra.TInt64, algebra.TBool}
	args := make([]value.Value, len(e.Args))
	for i, arg := range e.Args {
		v := constantOf(x, arg, types[i])
		if v.Kind == value.Null {
			return &algebra.Const{Typ: algebra.TInt64}
		}
		args[i] = v
	}
	x.Momentary = true
	if x.Opts.Sequences == nil {
		return term.Int64Value(0)
	}
	v, err := callSequence(x.Opts.Sequences, name, args)
	if err != nil {
		panic(err)
	}
	return term.Int64Value(v)
}

// constantOf computes an argument. The name of a sequence may be cast to regclass.
func constantOf(x *scope.Exprs, e sql.Expr, typ algebra.Type) value.Value {
	switch c := e.(type) {
	case *sql.Cast:
		if c.Type.Name == "regclass" {
			e = c.X
		}
	case *sql.TypedLiteral:
		if c.Type.Name == "regclass" {
			e = &sql.Literal{Kind: sql.StringLiteral, Text: c.Text, Pos: c.TextPos}
		}
	}
	bound := x.Expr(e)
	bound = convert.Coerce(x, bound, typ, sqltype.Implicit, e.Position())
	return x.Constant(bound, int(e.Position())).Val
}

// callSequence acts.
func callSequence(q scope.Sequences, name string, args []value.Value) (int64, error) {
	if name == "lastval" {
		return q.Last()
	}
	key, err := q.Named(args[0].S)
	if err != nil {
		return 0, err
	}
	switch name {
	case "currval":
		return q.Current(key)
	case "setval":
		return args[1].I, q.Set(key, args[1].I, len(args) < 3 || args[2].B)
	}
	v, _, err := q.Take(key, 1)
	return v, err
}
