// Package expression binds every kind of expression but calls of functions: operators,
// predicates, CASE, arrays and subqueries.
package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// InDefault names the default of a column, which says itself that it takes no
// columns.
const InDefault = "DEFAULT expression"

// Bind binds an expression of any kind.
func Bind(x *scope.Exprs, e sql.Expr) (algebra.Expr, error) {
	if e == nil {
		return nil, value.Errorf(value.CodeInternal, "an expression is missing in the syntax tree")
	}
	if err := x.Enter(e.Position()); err != nil {
		return nil, err
	}
	defer x.Leave()
	switch e := e.(type) {
	case *sql.Literal:
		return literal(x, e, "")
	case *sql.TypedLiteral:
		return typedLiteral(x, unlimitedChar(e))
	case *sql.ColumnRef:
		return column(x, e)
	case *sql.Param:
		return param(x, e)
	case *sql.Unary:
		return unary(x, e)
	case *sql.Binary:
		return binary(x, e)
	case *sql.Is:
		return is(x, e)
	case *sql.IsDistinct:
		return isDistinct(x, e)
	case *sql.Between:
		return between(x, e)
	case *sql.In:
		return in(x, e)
	case *sql.Like:
		return like(x, e)
	case *sql.Case:
		return caseExpr(x, e)
	case *sql.Cast:
		return cast(x, e)
	case *sql.FuncCall:
		return x.Call(e)
	case *sql.Collate:
		return collate(x, e)
	case *sql.Exists:
		return exists(x, e)
	case *sql.Subquery:
		return scalarSubquery(x, e)
	case *sql.Quantified:
		return quantified(x, e)
	case *sql.Array:
		return array(x, e)
	case *sql.ArrayQuery:
		return arrayQuery(x, e)
	case *sql.Subscript:
		return subscript(x, e)
	}
	return nil, refuseExpr(e)
}

// notInAlone refuses what an expression that stands alone cannot hold.
func notInAlone(pos sql.Pos, what, where string) error {
	return value.ErrorAt(int(pos), value.CodeFeatureNotSupported, "cannot use %s in %s", what, where)
}

// refuseExpr names an expression that is not supported.
func refuseExpr(e sql.Expr) error {
	pos := e.Position()
	switch e.(type) {
	case *sql.Row:
		return term.NotSupported(pos, "row values are")
	case *sql.Default:
		return value.ErrorAt(int(pos), value.CodeSyntax, "DEFAULT is not allowed in this context")
	case *sql.NamedArg:
		return term.NotSupported(pos, "an argument with a name is")
	case *sql.Star:
		return value.ErrorAt(int(pos), value.CodeSyntax, "* is allowed in a select list and in count(*) only")
	}
	return value.ErrorAt(int(pos), value.CodeInternal, "unknown kind of expression %T", e)
}

// literal gives a constant its type; sign is "-" where one stood before it.
func literal(x *scope.Exprs, e *sql.Literal, sign string) (algebra.Expr, error) {
	switch e.Kind {
	case sql.NullLiteral:
		return &algebra.Const{Typ: algebra.TUnknown}, nil
	case sql.BoolLiteral:
		return &algebra.Const{Val: value.Value{Kind: value.Bool, B: e.Text == "true"}, Typ: algebra.TBool}, nil
	case sql.StringLiteral:
		return &algebra.Const{Val: value.Value{Kind: value.Text, S: e.Text}, Typ: algebra.TUnknown}, nil
	}
	n, err := value.ParseNum(sign + e.Text)
	if err != nil {
		c := &algebra.Const{Val: value.Value{Kind: value.Text, S: value.Written(sign + e.Text)}, Typ: algebra.TUnknown}
		x.TooWide[c] = value.At(err, int(e.Pos))
		return c, nil
	}
	return numberConst(n, e.Kind == sql.IntegerLiteral), nil
}

// numberConst is a number as the narrowest type that its text can have.
func numberConst(n value.Num, integer bool) *algebra.Const {
	if i, fits := n.Coef.Int64(); integer && fits && n.Scale == 0 {
		typ := algebra.TInt64
		if i == int64(int32(i)) {
			typ = algebra.TInt32
		}
		return &algebra.Const{Val: value.Value{Kind: value.Int, I: i}, Typ: typ}
	}
	return &algebra.Const{Val: value.Value{Kind: value.Decimal, Num: n}, Typ: eval.NumType(n)}
}

func typedLiteral(x *scope.Exprs, e *sql.TypedLiteral) (algebra.Expr, error) {
	name := e.Type
	modifier, modified, err := convert.CutModifier(&name)
	if err != nil {
		return nil, err
	}
	typ, err := sqltype.Resolve(name)
	if err != nil {
		return nil, err
	}
	v, err := convert.ParseLiteral(x.Binder, e.Text, typ, e.Type.Field, false)
	if err != nil {
		return nil, value.At(err, int(e.TextPos))
	}
	if typ == algebra.TNumeric {
		typ = eval.NumType(v.Num)
	}
	c := &algebra.Const{Val: v, Typ: typ}
	if modified {
		return modifier.Apply(x.Binder, c, e.Pos), nil
	}
	return c, nil
}

func column(x *scope.Exprs, e *sql.ColumnRef) (algebra.Expr, error) {
	if out, err := x.OutputColumn(e.Name); out != nil || err != nil {
		return out, err
	}
	if x.Alone == InDefault {
		return nil, notInAlone(e.Position(), "column reference", x.Alone)
	}
	c, err := x.Resolve(e.Name)
	if err != nil {
		return nil, err
	}
	ref := c.Col.Ref()
	x.RefPos[ref] = int(e.Position())
	return ref, nil
}

// param gives $n the value that came with the statement. A value that came as
// text without a type is an untyped literal.
func param(x *scope.Exprs, e *sql.Param) (algebra.Expr, error) {
	if e.Index > scope.MaxParams || x.Alone != "" {
		return nil, value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index)
	}
	for level := x; level != nil; level = level.Env.Enclosing() {
		if level.Arguments == nil {
			continue
		}
		if e.Index > len(level.Arguments) {
			return nil, value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index)
		}
		return level.Arguments[e.Index-1], nil
	}
	if x.Opts.InferParams {
		return x.UnknownParam(e), nil
	}
	if e.Index < 1 || e.Index > len(x.Opts.Params) {
		return nil, value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index)
	}
	p := x.Opts.Params[e.Index-1]
	return &algebra.Const{Val: p.Value, Typ: p.Type}, nil
}

func is(x *scope.Exprs, e *sql.Is) (algebra.Expr, error) {
	f := map[string]algebra.Func{
		"null": algebra.IsNull, "unknown": algebra.IsNull, "true": algebra.IsTrue, "false": algebra.IsFalse,
	}[e.What]
	if row, ok := e.X.(*sql.Row); ok && e.What == "null" {
		return nullRow(x, e, row)
	}
	var arg algebra.Expr
	var err error
	if e.What == "null" {
		if arg, err = x.Expr(e.X); err == nil {
			arg, err = convert.Settle(x, arg, e.X.Position())
		}
	} else {
		arg, err = convert.Condition(x, e.X, "IS "+map[bool]string{true: "NOT "}[e.Not]+term.Upper(e.What))
	}
	if err != nil {
		return nil, err
	}
	return term.NegateIf(e.Not, term.Call(f, algebra.TBool, e.Pos, arg)), nil
}

func isDistinct(x *scope.Exprs, e *sql.IsDistinct) (algebra.Expr, error) {
	if l, isRow := e.L.(*sql.Row); isRow {
		if r, alsoRow := e.R.(*sql.Row); alsoRow {
			return distinctRows(x, e, l, r)
		}
	}
	l, r, err := convert.Pair(x, e.L, e.R)
	if err != nil {
		return nil, err
	}
	cmp, err := Compare(x, algebra.Distinct, l, r, term.Operands{Op: "=", Left: e.L.Position(), Right: e.R.Position(), Pos: e.Pos})
	if err != nil {
		return nil, err
	}
	return term.NegateIf(e.Not, cmp), nil
}

func between(x *scope.Exprs, e *sql.Between) (algebra.Expr, error) {
	lower, err := inRange(x, e, e.Lo, e.Hi)
	if err != nil {
		return nil, err
	}
	if e.Symmetric {
		swapped, err := inRange(x, e, e.Hi, e.Lo)
		if err != nil {
			return nil, err
		}
		lower = term.Call(algebra.Or, algebra.TBool, e.Pos, lower, swapped)
	}
	return term.NegateIf(e.Not, lower), nil
}

// inRange is x >= lo AND x <= hi.
func inRange(x *scope.Exprs, e *sql.Between, lo, hi sql.Expr) (algebra.Expr, error) {
	ge, err := comparison(x, algebra.Ge, ">=", e.X, lo, e.Pos)
	if err != nil {
		return nil, err
	}
	le, err := comparison(x, algebra.Le, "<=", e.X, hi, e.Pos)
	if err != nil {
		return nil, err
	}
	return term.Call(algebra.And, algebra.TBool, e.Pos, ge, le), nil
}

// like binds LIKE, ILIKE and SIMILAR TO on text.
func like(x *scope.Exprs, e *sql.Like) (algebra.Expr, error) {
	l, r, err := convert.Pair(x, e.X, e.Pattern)
	if err != nil {
		return nil, err
	}
	return likeOf(x, e, l, r)
}

// likeOf is LIKE, ILIKE or SIMILAR TO of bound operands.
func likeOf(x *scope.Exprs, e *sql.Like, l, r algebra.Expr) (algebra.Expr, error) {
	f, op := algebra.Like, "~~"
	if e.Fold {
		f, op = algebra.ILike, "~~*"
	}
	if e.Not {
		op = "!" + op
	}
	if !term.IsTextual(l) || !term.IsTextual(r) {
		return nil, term.NoOperator(op, l, r, e.Pos)
	}
	args := []algebra.Expr{convert.Shown(x.Binder, l), r, &algebra.Const{Val: value.Value{Kind: value.Text, S: `\`}, Typ: algebra.TText}}
	var err error
	if e.Escape != nil {
		if args[2], err = escape(x, e.Escape); err != nil {
			return nil, err
		}
	}
	if e.Similar && e.Escape == nil {
		args = args[:2]
	}
	positions := []sql.Pos{e.X.Position(), e.Pattern.Position(), e.Pos}
	for i := range args {
		if args[i], err = convert.Coerce(x, args[i], algebra.TText, sqltype.Implicit, positions[i]); err != nil {
			return nil, err
		}
	}
	if e.Similar {
		pattern := term.Call("similar_to_escape", algebra.TText, e.Pos, args[1:]...)
		return term.NegateIf(e.Not, term.Call(algebra.RegexpLike, algebra.TBool, e.Pos, args[0], pattern, term.TextConst(""))), nil
	}
	return term.NegateIf(e.Not, term.Call(f, algebra.TBool, e.Pos, args...)), nil
}

// escape binds the constant of ESCAPE.
func escape(x *scope.Exprs, e sql.Expr) (algebra.Expr, error) {
	bound, err := convert.ExprAs(x, e, algebra.TText, sqltype.Implicit)
	if err != nil {
		return nil, err
	}
	c, err := x.Constant(bound, int(e.Position()))
	if err != nil {
		return nil, err
	}
	if n := len([]rune(c.Val.S)); n > 1 {
		return nil, &value.Error{
			Code: value.CodeInvalidEscape, Message: "invalid escape string",
			Hint: "Escape string must be empty or one character.", Pos: int(e.Position()),
		}
	}
	return c, nil
}
