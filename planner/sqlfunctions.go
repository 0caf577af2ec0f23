package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// sqlFunction binds a call of a function of the embedder; nil where there is
// none.
func (x *exprBinder) sqlFunction(name string, args []algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	if x.opts.SQLFunctions == nil {
		return nil, nil
	}
	text, err := x.opts.SQLFunctions(name, args)
	if text == "" || err != nil {
		return nil, value.At(err, int(pos))
	}
	x.momentary = true
	return x.sqlText(name, text, args, pos)
}

// sqlText binds the text of a scalar function, an expression in which $1, $2, … stand for
// its arguments.
func (x *exprBinder) sqlText(name, text string, args []algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	inner := &exprBinder{binder: x.binder, scope: &scope{}, clause: x.clause, arguments: append([]algebra.Expr{}, args...)}
	return inner.functionText(name, text, pos)
}

// functionText binds the text of a function whose arguments the expression binder has.
func (x *exprBinder) functionText(name, text string, pos sql.Pos) (algebra.Expr, error) {
	stmt, err := sql.Parse("SELECT " + text)
	if err != nil {
		return nil, inFunction(err, name, pos)
	}
	item := stmt.(*sql.Query).Body.(*sql.Select).Items[0]
	sql.MoveTo(item.Expr, pos)
	bound, err := x.expr(item.Expr)
	if err != nil {
		return nil, inFunction(err, name, pos)
	}
	return bound, nil
}

// inFunction moves an error in the text of a function to its call.
func inFunction(err error, name string, pos sql.Pos) error {
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
