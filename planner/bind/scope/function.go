package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// SQLFunction binds a call of a function of the embedder; nil where there is
// none.
func (x *Exprs) SQLFunction(name string, args []algebra.Expr, pos sql.Pos) algebra.Expr {
	if x.Opts.SQLFunctions == nil {
		return nil
	}
	text, err := x.Opts.SQLFunctions(name, args)
	if err != nil {
		panic(value.At(err, int(pos)))
	}
	if text == "" {
		return nil
	}
	x.Momentary = true
	return x.SQLText(name, text, args, pos)
}

// SQLText binds the text of a scalar function, an expression in which $1, $2, … stand for
// its arguments.
func (x *Exprs) SQLText(name, text string, args []algebra.Expr, pos sql.Pos) algebra.Expr {
	inner := &Exprs{Binder: x.Binder, Scope: &Scope{}, Clause: x.Clause, Arguments: append([]algebra.Expr{}, args...)}
	return inner.FunctionText(name, text, pos)
}

// FunctionText binds the text of a function whose arguments the expression binder has.
func (x *Exprs) FunctionText(name, text string, pos sql.Pos) algebra.Expr {
	stmt, err := sql.Parse("SELECT " + text)
	if err != nil {
		panic(InFunction(err, name, pos))
	}
	item := stmt.(*sql.Query).Body.(*sql.Select).Items[0]
	sql.MoveTo(item.Expr, pos)
	bound, err := sqlstate.Try(func() algebra.Expr { return x.Expr(item.Expr) })
	if err != nil {
		panic(InFunction(err, name, pos))
	}
	return bound
}

// InFunction moves an error in the text of a function to its call.
func InFunction(err error, name string, pos sql.Pos) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	c := *e
	c.Pos = int(pos)
	if c.Detail == "" {
		c.Detail = "The error is in the text of function " + name + "."
	}
	return &c
}
