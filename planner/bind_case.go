package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// caseExpr binds both forms of CASE; the simple one compares its operand with
// the value of each arm.
func (x *exprBinder) caseExpr(e *sql.Case) (algebra.Expr, error) {
	x = x.without("CASE")
	var operand algebra.Expr
	if e.Operand != nil {
		var err error
		if operand, err = x.expr(e.Operand); err != nil {
			return nil, err
		}
		if operand, err = x.settle(operand, e.Operand.Position()); err != nil {
			return nil, err
		}
	}
	out := &algebra.Case{Whens: make([]algebra.When, len(e.Whens))}
	results := make([]algebra.Expr, 1, len(e.Whens)+1)
	positions := make([]sql.Pos, 1, len(e.Whens)+1)
	for i, when := range e.Whens {
		cond, err := x.caseCondition(e, operand, when.Cond)
		if err != nil {
			return nil, err
		}
		then, err := x.expr(when.Then)
		if err != nil {
			return nil, err
		}
		out.Whens[i].Cond = cond
		results, positions = append(results, then), append(positions, when.Then.Position())
	}
	// As in PostgreSQL the type of ELSE, or the NULL in its place, counts first.
	results[0], positions[0] = &algebra.Const{Typ: algebra.TUnknown}, e.Pos
	if e.Else != nil {
		var err error
		if results[0], err = x.expr(e.Else); err != nil {
			return nil, err
		}
		positions[0] = e.Else.Position()
	}
	var err error
	if results, out.Typ, err = x.unify(results, "CASE", positions); err != nil {
		return nil, err
	}
	for i := range out.Whens {
		out.Whens[i].Then = results[i+1]
	}
	if e.Else != nil {
		out.Else = results[0]
	}
	return out, nil
}

func (x *exprBinder) caseCondition(e *sql.Case, operand algebra.Expr, cond sql.Expr) (algebra.Expr, error) {
	if operand == nil {
		return x.condition(cond, "CASE/WHEN")
	}
	with, err := x.expr(cond)
	if err != nil {
		return nil, err
	}
	return x.compare(algebra.Eq, operand, with, operands{"=", e.Operand.Position(), cond.Position(), cond.Position()})
}

// unify converts expressions to their common type.
func (x *exprBinder) unify(exprs []algebra.Expr, what string, positions []sql.Pos) ([]algebra.Expr, algebra.Type, error) {
	typ, err := commonType(exprs, what, positions)
	if err != nil {
		return nil, typ, err
	}
	out := make([]algebra.Expr, len(exprs))
	for i, e := range exprs {
		if out[i], err = x.coerce(e, typ, sqltype.Implicit, positions[i]); err != nil {
			return nil, typ, err
		}
	}
	return out, typ, nil
}

// args binds the arguments of a call.
func (x *exprBinder) args(e *sql.FuncCall) ([]algebra.Expr, []sql.Pos, error) {
	args := make([]algebra.Expr, len(e.Args))
	positions := make([]sql.Pos, len(e.Args))
	for i, arg := range e.Args {
		var err error
		if args[i], err = x.expr(arg); err != nil {
			return nil, nil, err
		}
		positions[i] = arg.Position()
	}
	return args, positions, nil
}

// conditional binds the functions that do not evaluate all of their
// arguments, or skip those that are NULL.
func (x *exprBinder) conditional(name string, e *sql.FuncCall) (algebra.Expr, error) {
	if name == "coalesce" {
		x = x.without("COALESCE")
	}
	args, positions, err := x.args(e)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 || name == "nullif" && len(args) != 2 {
		return nil, value.ErrorAt(int(e.Pos), value.CodeSyntax, "wrong number of arguments of %s", upper(name))
	}
	if name == "nullif" {
		return x.nullif(args, positions, e)
	}
	args, typ, err := x.unify(args, upper(name), positions)
	if err != nil {
		return nil, err
	}
	switch name {
	case "greatest":
		return x.extreme(algebra.Ge, args, typ)
	case "least":
		return x.extreme(algebra.Le, args, typ)
	}
	return coalesce(args, typ), nil
}

// nullif is CASE WHEN a = b THEN NULL ELSE a END.
func (x *exprBinder) nullif(args []algebra.Expr, positions []sql.Pos, e *sql.FuncCall) (algebra.Expr, error) {
	eq, err := x.compare(algebra.Eq, args[0], args[1], operands{"=", positions[0], positions[1], e.Pos})
	if err != nil {
		return nil, err
	}
	a, err := x.convertTo(args[0], nullifType(args[0], args[1], eq), positions[0])
	if err != nil {
		return nil, err
	}
	null := &algebra.Const{Typ: a.Type()}
	return &algebra.Case{Whens: []algebra.When{{Cond: eq, Then: null}}, Else: a, Typ: a.Type()}, nil
}

// nullifType is the type of NULLIF: what the comparison takes its first operand as.
// PostgreSQL compares integers with each other as they are, and so floating numbers and
// times.
func nullifType(a, b, eq algebra.Expr) algebra.Type {
	l, r := a.Type(), b.Type()
	switch {
	case l.Kind == algebra.Unknown:
		if call, ok := eq.(*algebra.Call); ok && len(call.Args) > 0 {
			return call.Args[0].Type()
		}
		return algebra.TText
	case l.IsChar() && (r.IsChar() || r.Kind == algebra.Unknown || r.Length > 0):
		return l
	case l.Kind == algebra.Text:
		return algebra.TText
	case !l.IsNumber() || !r.IsNumber(), l.IsInteger() && r.IsInteger(), l.IsFloat():
		return l
	case r.IsFloat():
		return algebra.TFloat64
	}
	return sqltype.AsDecimal(l)
}

// extreme is GREATEST or LEAST: the first argument that is not NULL and, by
// cmp, beats all others that are not.
func (b *binder) extreme(cmp algebra.Func, args []algebra.Expr, typ algebra.Type) (algebra.Expr, error) {
	c := &algebra.Case{Typ: typ}
	for i, arg := range args {
		if err := b.opts.Meter.Grow(len(args) * comparedBytes); err != nil {
			return nil, err
		}
		conds := []algebra.Expr{notNull(arg)}
		for k, other := range args {
			if k != i {
				beats := call(cmp, algebra.TBool, sql.NoPos, b.comparedChar(arg), b.comparedChar(other))
				conds = append(conds, call(algebra.Or, algebra.TBool, sql.NoPos, isNull(other), beats))
			}
		}
		c.Whens = append(c.Whens, algebra.When{Cond: algebra.Conjunction(conds), Then: arg})
	}
	return c, nil
}

// comparedBytes is what the comparison of two arguments takes in a plan.
const comparedBytes = 512
