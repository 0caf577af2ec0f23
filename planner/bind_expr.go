package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bindExpr binds an expression of any kind.
func bindExpr(x *exprBinder, e sql.Expr) (algebra.Expr, error) {
	if e == nil {
		return nil, value.Errorf(value.CodeInternal, "an expression is missing in the syntax tree")
	}
	if err := x.enter(e.Position()); err != nil {
		return nil, err
	}
	defer x.leave()
	switch e := e.(type) {
	case *sql.Literal:
		return x.literal(e, "")
	case *sql.TypedLiteral:
		return x.typedLiteral(unlimitedChar(e))
	case *sql.ColumnRef:
		return x.column(e)
	case *sql.Param:
		return x.param(e)
	case *sql.Unary:
		return x.unary(e)
	case *sql.Binary:
		return x.binary(e)
	case *sql.Is:
		return x.is(e)
	case *sql.IsDistinct:
		return x.isDistinct(e)
	case *sql.Between:
		return x.between(e)
	case *sql.In:
		return x.in(e)
	case *sql.Like:
		return x.like(e)
	case *sql.Case:
		return x.caseExpr(e)
	case *sql.Cast:
		return x.cast(e)
	case *sql.FuncCall:
		return x.funcCall(e)
	case *sql.Collate:
		return x.collate(e)
	case *sql.Exists:
		return x.exists(e)
	case *sql.Subquery:
		return x.scalarSubquery(e)
	case *sql.Quantified:
		return x.quantified(e)
	case *sql.Array:
		return x.array(e)
	case *sql.ArrayQuery:
		return x.arrayQuery(e)
	case *sql.Subscript:
		return x.subscript(e)
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
		return notSupported(pos, "row values are")
	case *sql.Default:
		return value.ErrorAt(int(pos), value.CodeSyntax, "DEFAULT is not allowed in this context")
	case *sql.NamedArg:
		return notSupported(pos, "an argument with a name is")
	case *sql.Star:
		return value.ErrorAt(int(pos), value.CodeSyntax, "* is allowed in a select list and in count(*) only")
	}
	return value.ErrorAt(int(pos), value.CodeInternal, "unknown kind of expression %T", e)
}

// exprAs binds an expression and converts it to a type.
func (x *exprBinder) exprAs(e sql.Expr, typ algebra.Type, how sqltype.Context) (algebra.Expr, error) {
	bound, err := x.expr(e)
	if err != nil {
		return nil, err
	}
	return x.coerce(bound, typ, how, e.Position())
}

// condition binds an expression that must be boolean; what says whose.
func (x *exprBinder) condition(e sql.Expr, what string) (algebra.Expr, error) {
	bound, err := x.expr(e)
	if err != nil {
		return nil, err
	}
	if k := bound.Type().Kind; k != algebra.Bool && k != algebra.Unknown {
		return nil, value.ErrorAt(int(e.Position()), value.CodeDatatypeMismatch,
			"argument of %s must be type boolean, not type %s", what, sqltype.Name(bound.Type()))
	}
	return x.coerce(bound, algebra.TBool, sqltype.Implicit, e.Position())
}

// settle makes an untyped literal text.
func (x *exprBinder) settle(e algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	if e.Type().Kind != algebra.Unknown {
		return e, nil
	}
	return x.coerce(e, algebra.TText, sqltype.Implicit, pos)
}

// literal gives a constant its type; sign is "-" where one stood before it.
func (x *exprBinder) literal(e *sql.Literal, sign string) (algebra.Expr, error) {
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
		x.tooWide[c] = value.At(err, int(e.Pos))
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

func (x *exprBinder) typedLiteral(e *sql.TypedLiteral) (algebra.Expr, error) {
	name := e.Type
	modifier, modified, err := cutModifier(&name)
	if err != nil {
		return nil, err
	}
	typ, err := sqltype.Resolve(name)
	if err != nil {
		return nil, err
	}
	v, err := x.parseLiteral(e.Text, typ, e.Type.Field, false)
	if err != nil {
		return nil, value.At(err, int(e.TextPos))
	}
	if typ == algebra.TNumeric {
		typ = eval.NumType(v.Num)
	}
	c := &algebra.Const{Val: v, Typ: typ}
	if modified {
		return modifier.apply(x.binder, c, e.Pos), nil
	}
	return c, nil
}

func (x *exprBinder) column(e *sql.ColumnRef) (algebra.Expr, error) {
	if out, err := x.outputColumn(e.Name); out != nil || err != nil {
		return out, err
	}
	if x.alone == inDefault {
		return nil, notInAlone(e.Position(), "column reference", x.alone)
	}
	c, err := x.resolve(e.Name)
	if err != nil {
		return nil, err
	}
	ref := c.col.Ref()
	x.refPos[ref] = int(e.Position())
	return ref, nil
}

// param gives $n the value that came with the statement. A value that came as
// text without a type is an untyped literal.
func (x *exprBinder) param(e *sql.Param) (algebra.Expr, error) {
	if e.Index > maxParams || x.alone != "" {
		return nil, value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index)
	}
	for level := x; level != nil; level = level.env.enclosing() {
		if level.arguments == nil {
			continue
		}
		if e.Index > len(level.arguments) {
			return nil, value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index)
		}
		return level.arguments[e.Index-1], nil
	}
	if x.opts.InferParams {
		return x.unknownParam(e), nil
	}
	if e.Index < 1 || e.Index > len(x.opts.Params) {
		return nil, value.ErrorAt(int(e.Pos), "42P02", "there is no parameter $%d", e.Index)
	}
	p := x.opts.Params[e.Index-1]
	return &algebra.Const{Val: p.Value, Typ: p.Type}, nil
}

func (x *exprBinder) is(e *sql.Is) (algebra.Expr, error) {
	f := map[string]algebra.Func{
		"null": algebra.IsNull, "unknown": algebra.IsNull, "true": algebra.IsTrue, "false": algebra.IsFalse,
	}[e.What]
	if row, ok := e.X.(*sql.Row); ok && e.What == "null" {
		return x.nullRow(e, row)
	}
	var arg algebra.Expr
	var err error
	if e.What == "null" {
		if arg, err = x.expr(e.X); err == nil {
			arg, err = x.settle(arg, e.X.Position())
		}
	} else {
		arg, err = x.condition(e.X, "IS "+map[bool]string{true: "NOT "}[e.Not]+upper(e.What))
	}
	if err != nil {
		return nil, err
	}
	return negateIf(e.Not, call(f, algebra.TBool, e.Pos, arg)), nil
}

func (x *exprBinder) isDistinct(e *sql.IsDistinct) (algebra.Expr, error) {
	if l, isRow := e.L.(*sql.Row); isRow {
		if r, alsoRow := e.R.(*sql.Row); alsoRow {
			return x.distinctRows(e, l, r)
		}
	}
	l, r, err := x.pair(e.L, e.R)
	if err != nil {
		return nil, err
	}
	cmp, err := x.compare(algebra.Distinct, l, r, operands{"=", e.L.Position(), e.R.Position(), e.Pos})
	if err != nil {
		return nil, err
	}
	return negateIf(e.Not, cmp), nil
}

func (x *exprBinder) pair(l, r sql.Expr) (left, right algebra.Expr, err error) {
	if left, err = x.expr(l); err != nil {
		return nil, nil, err
	}
	right, err = x.expr(r)
	return left, right, err
}

func (x *exprBinder) between(e *sql.Between) (algebra.Expr, error) {
	lower, err := x.inRange(e, e.Lo, e.Hi)
	if err != nil {
		return nil, err
	}
	if e.Symmetric {
		swapped, err := x.inRange(e, e.Hi, e.Lo)
		if err != nil {
			return nil, err
		}
		lower = call(algebra.Or, algebra.TBool, e.Pos, lower, swapped)
	}
	return negateIf(e.Not, lower), nil
}

// inRange is x >= lo AND x <= hi.
func (x *exprBinder) inRange(e *sql.Between, lo, hi sql.Expr) (algebra.Expr, error) {
	ge, err := x.comparison(algebra.Ge, ">=", e.X, lo, e.Pos)
	if err != nil {
		return nil, err
	}
	le, err := x.comparison(algebra.Le, "<=", e.X, hi, e.Pos)
	if err != nil {
		return nil, err
	}
	return call(algebra.And, algebra.TBool, e.Pos, ge, le), nil
}

// like binds LIKE, ILIKE and SIMILAR TO on text.
func (x *exprBinder) like(e *sql.Like) (algebra.Expr, error) {
	l, r, err := x.pair(e.X, e.Pattern)
	if err != nil {
		return nil, err
	}
	return x.likeOf(e, l, r)
}

// likeOf is LIKE, ILIKE or SIMILAR TO of bound operands.
func (x *exprBinder) likeOf(e *sql.Like, l, r algebra.Expr) (algebra.Expr, error) {
	f, op := algebra.Like, "~~"
	if e.Fold {
		f, op = algebra.ILike, "~~*"
	}
	if e.Not {
		op = "!" + op
	}
	if !isTextual(l) || !isTextual(r) {
		return nil, noOperator(op, l, r, e.Pos)
	}
	args := []algebra.Expr{x.shown(l), r, &algebra.Const{Val: value.Value{Kind: value.Text, S: `\`}, Typ: algebra.TText}}
	var err error
	if e.Escape != nil {
		if args[2], err = x.escape(e.Escape); err != nil {
			return nil, err
		}
	}
	if e.Similar && e.Escape == nil {
		args = args[:2]
	}
	positions := []sql.Pos{e.X.Position(), e.Pattern.Position(), e.Pos}
	for i := range args {
		if args[i], err = x.coerce(args[i], algebra.TText, sqltype.Implicit, positions[i]); err != nil {
			return nil, err
		}
	}
	if e.Similar {
		pattern := call("similar_to_escape", algebra.TText, e.Pos, args[1:]...)
		return negateIf(e.Not, call(algebra.RegexpLike, algebra.TBool, e.Pos, args[0], pattern, textConst(""))), nil
	}
	return negateIf(e.Not, call(f, algebra.TBool, e.Pos, args...)), nil
}

// escape binds the constant of ESCAPE.
func (x *exprBinder) escape(e sql.Expr) (algebra.Expr, error) {
	bound, err := x.exprAs(e, algebra.TText, sqltype.Implicit)
	if err != nil {
		return nil, err
	}
	c, err := x.constant(bound, int(e.Position()))
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

// resolve looks a column up, in the queries around where the scope does not
// have it.
func (x *exprBinder) resolve(name sql.Name) (*scopeColumn, error) {
	var first error
	for level := x; level != nil; level = level.env.enclosing() {
		c, err := level.scope.resolve(name)
		if err == nil || !mayBeOuter(name, err) {
			return c, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// mayBeOuter reports whether a name that a scope fails to resolve may be one of
// a query around: the scope does not have the relation or the bare column.
func mayBeOuter(name sql.Name, err error) bool {
	e, ok := err.(*value.Error)
	return ok && (e.Code == value.CodeUndefinedTable || e.Code == value.CodeUndefinedColumn && len(name) == 1)
}
