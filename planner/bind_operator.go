package planner

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

var comparisons = map[string]algebra.Func{
	"=": algebra.Eq, "<>": algebra.Ne, "<": algebra.Lt, "<=": algebra.Le, ">": algebra.Gt, ">=": algebra.Ge,
}

var arithmeticOps = map[string]algebra.Func{
	"+": algebra.Add, "-": algebra.Sub, "*": algebra.Mul, "/": algebra.Div, "%": algebra.Mod, "^": algebra.Power,
}

// likeOps are the operator forms of LIKE.
var likeOps = map[string]sql.Like{
	"~~": {}, "!~~": {Not: true}, "~~*": {Fold: true}, "!~~*": {Not: true, Fold: true},
}

func (x *exprBinder) binary(e *sql.Binary) (algebra.Expr, error) {
	switch e.Op {
	case "and", "or":
		return x.connective(e)
	}
	if f, ok := comparisons[e.Op]; ok {
		if l, r, ok := rows(e); ok {
			return x.compareRows(e, l, r)
		}
		if l, q, ok := rowAndQuery(e); ok {
			return x.compareRowQuery(e, l, q)
		}
		return x.comparison(f, e.Op, e.L, e.R, e.Pos)
	}
	if like, ok := likeOps[e.Op]; ok {
		like.X, like.Pattern, like.Pos = e.L, e.R, e.Pos
		return x.like(&like)
	}
	if op, ok := regexpOps[e.Op]; ok {
		return x.regexpMatch(e, op)
	}
	if e.Op == "^@" {
		return x.funcCall(&sql.FuncCall{Name: sql.Name{{Name: "starts_with", Pos: e.Pos}}, Args: []sql.Expr{e.L, e.R}, Pos: e.Pos})
	}
	l, r, err := x.pair(e.L, e.R)
	if err != nil {
		return nil, err
	}
	at := operands{e.Op, e.L.Position(), e.R.Position(), e.Pos}
	if f, ok := arithmeticOps[e.Op]; ok {
		return x.arithmetic(f, l, r, at)
	}
	if f, ok := bitOps[e.Op]; ok {
		return x.bits(f, l, r, at)
	}
	isArray := func(t algebra.Type) bool { return t.Kind == algebra.Array || t.IsVector() }
	switch {
	case e.Op == "||" && (isArray(l.Type()) || isArray(r.Type())):
		return x.concatArrays(asArray(l, at.left), asArray(r, at.right), at)
	case e.Op == "||":
		return x.concat(l, r, at)
	case containments[e.Op] != "":
		return x.containment(l, r, at)
	}
	return nil, notSupported(e.Pos, "the operator "+e.Op+" is")
}

// connective binds a chain of ANDs or of ORs to one call of all operands, so
// that long chains nest no deeper than short ones.
func (x *exprBinder) connective(e *sql.Binary) (algebra.Expr, error) {
	f := map[string]algebra.Func{"and": algebra.And, "or": algebra.Or}[e.Op]
	var args []algebra.Expr
	for _, operand := range chain(e) {
		cond, err := x.condition(operand, upper(e.Op))
		if err != nil {
			return nil, err
		}
		args = append(args, cond)
	}
	return call(f, algebra.TBool, e.Pos, args...), nil
}

// chain gives the operands of a chain of one operator that leans to the left,
// in order.
func chain(e *sql.Binary) []sql.Expr {
	var reversed []sql.Expr
	for {
		reversed = append(reversed, e.R)
		left, ok := e.L.(*sql.Binary)
		if !ok || left.Op != e.Op {
			reversed = append(reversed, e.L)
			break
		}
		e = left
	}
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return reversed
}

func (x *exprBinder) comparison(f algebra.Func, op string, l, r sql.Expr, pos sql.Pos) (algebra.Expr, error) {
	left, right, err := x.pair(l, r)
	if err != nil {
		return nil, err
	}
	return x.compare(f, left, right, operands{op, l.Position(), r.Position(), pos})
}

// compare binds a comparison: both operands get the type in which they are
// compared.
func (x *exprBinder) compare(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	var err error
	if l, err = x.literalLike(l, r.Type(), at.left); err != nil {
		return nil, err
	}
	if r, err = x.literalLike(r, l.Type(), at.right); err != nil {
		return nil, err
	}
	if l.Type().Kind == algebra.Array && r.Type().Kind == algebra.Array {
		return x.compareArrays(f, l, r, at)
	}
	l, r = x.comparedChars(l, r)
	typ, ok := comparisonType(l.Type(), r.Type())
	if !ok {
		return nil, noOperator(at.op, l, r, at.pos)
	}
	if l, err = x.operand(l, typ, at.left); err != nil {
		return nil, err
	}
	if r, err = x.operand(r, typ, at.right); err != nil {
		return nil, err
	}
	return call(f, algebra.TBool, at.pos, l, r), nil
}

// literalLike gives an untyped literal the type of what it is compared with,
// without that type's precision or length: the literal is not to lose digits
// or characters.
func (x *exprBinder) literalLike(e algebra.Expr, like algebra.Type, pos sql.Pos) (algebra.Expr, error) {
	if e.Type().Kind != algebra.Unknown || like.Kind == algebra.Unknown {
		return e, nil
	}
	if like.Kind == algebra.Float32 && x.isWide(e) {
		like = algebra.TFloat64
	}
	switch like.Kind {
	case algebra.Text:
		if like.Padded {
			like = algebra.TBPChar
		} else {
			like = algebra.TText
		}
		return x.coerce(e, like, sqltype.Implicit, pos)
	case algebra.Decimal:
		e, err := x.coerce(e, algebra.TNumeric, sqltype.Implicit, pos)
		if c, ok := e.(*algebra.Const); ok && c.Val.Kind == value.Decimal {
			return &algebra.Const{Val: c.Val, Typ: eval.NumType(c.Val.Num)}, nil
		}
		return e, err
	}
	return x.coerce(e, like, sqltype.Implicit, pos)
}

// operand converts an operand of a comparison, and leaves it alone where it
// compares as it is.
func (x *exprBinder) operand(e algebra.Expr, typ algebra.Type, pos sql.Pos) (algebra.Expr, error) {
	if e.Type().Kind != algebra.Unknown && algebra.Comparable(e.Type(), typ) {
		return e, nil
	}
	return x.coerce(e, typ, sqltype.Implicit, pos)
}

// comparisonType is the type in which two values are compared. Decimals are
// compared at the larger scale, and reals in double precision with other numbers.
func comparisonType(a, b algebra.Type) (algebra.Type, bool) {
	typ, ok := sqltype.Wider(a, b)
	if typ.Kind == algebra.Unknown {
		return algebra.TText, true
	}
	if typ == algebra.TFloat32 && a != b {
		return algebra.TFloat64, ok
	}
	if ok && typ.Kind == algebra.Numeric {
		l, r := sqltype.AsDecimal(a), sqltype.AsDecimal(b)
		if l.Kind == algebra.Decimal && r.Kind == algebra.Decimal {
			scale := max(l.Scale, r.Scale)
			whole := max(l.Precision-l.Scale, r.Precision-r.Scale)
			if int(whole)+int(scale) <= sqltype.MaxPrecision {
				return algebra.TDecimal(whole+scale, scale), true
			}
		}
	}
	return typ, ok
}

// arithmetic binds + - * / % and ^.
func (x *exprBinder) arithmetic(f algebra.Func, l, r algebra.Expr, at operands) (algebra.Expr, error) {
	lt, rt := l.Type(), r.Type()
	if lt.Kind == algebra.Unknown && rt.Kind == algebra.Unknown {
		return nil, notUnique(at, l, r)
	}
	if isTime(lt) || isTime(rt) {
		return x.timeArithmetic(f, l, r, at)
	}
	// An untyped literal is taken to be of the other operand's type.
	var err error
	if lt.Kind == algebra.Unknown && rt.IsNumber() {
		if l, err = x.numberLike(l, rt, at.left); err != nil {
			return nil, err
		}
	}
	if rt.Kind == algebra.Unknown && lt.IsNumber() {
		if r, err = x.numberLike(r, lt, at.right); err != nil {
			return nil, err
		}
	}
	if !l.Type().IsNumber() || !r.Type().IsNumber() {
		return nil, noOperator(at.op, l, r, at.pos)
	}
	return x.numbers(f, l, r, at)
}

// numberLike reads an untyped literal as a number of a type's kind.
func (x *exprBinder) numberLike(e algebra.Expr, typ algebra.Type, pos sql.Pos) (algebra.Expr, error) {
	switch {
	case typ.Kind == algebra.Decimal:
		typ = algebra.TNumeric
	case typ.Kind == algebra.Float32 && x.isWide(e):
		typ = algebra.TFloat64
	}
	return x.coerce(e, typ, sqltype.Implicit, pos)
}

// concat binds ||: one side must be text, the other becomes it.
func (x *exprBinder) concat(l, r algebra.Expr, at operands) (algebra.Expr, error) {
	if !isTextual(l) && !isTextual(r) {
		return nil, noOperator(at.op, l, r, at.pos)
	}
	var err error
	if l, err = x.coerce(l, algebra.TText, sqltype.Assignment, at.left); err != nil {
		return nil, err
	}
	if r, err = x.coerce(r, algebra.TText, sqltype.Assignment, at.right); err != nil {
		return nil, err
	}
	return call(algebra.Concat, algebra.TText, at.pos, l, r), nil
}

// prefixFunctions are the functions that prefix operators stand for.
var prefixFunctions = map[string]string{"|/": "sqrt", "||/": "cbrt", "@": "abs"}

// unary binds the operators with one operand.
func (x *exprBinder) unary(e *sql.Unary) (algebra.Expr, error) {
	switch e.Op {
	case "not":
		cond, err := x.condition(e.X, "NOT")
		return negateIf(err == nil, cond), err
	case "-", "+", "~":
	case "|/", "||/", "@":
		return x.funcCall(&sql.FuncCall{Name: sql.Name{{Name: prefixFunctions[e.Op], Pos: e.Pos}}, Args: []sql.Expr{e.X}, Pos: e.Pos})
	default:
		return nil, notSupported(e.Pos, "the operator "+e.Op+" is")
	}
	if lit, ok := e.X.(*sql.Literal); ok && e.Op != "~" && (lit.Kind == sql.IntegerLiteral || lit.Kind == sql.DecimalLiteral) {
		return x.literal(lit, e.Op)
	}
	arg, err := x.expr(e.X)
	if err != nil {
		return nil, err
	}
	typ := arg.Type()
	switch {
	case typ.Kind == algebra.Unknown:
		return nil, &value.Error{
			Code:    value.CodeAmbiguousFunction,
			Message: "operator is not unique: " + e.Op + " unknown",
			Hint:    "Could not choose a best candidate operator. You might need to add explicit type casts.",
			Pos:     int(e.Pos),
		}
	case e.Op == "+" && typ.IsNumber():
		return arg, nil
	case typ.Kind == algebra.Interval && e.Op == "-":
		return call(algebra.MulInterval, typ, e.Pos, arg, floatConst(-1)), nil
	case !typ.IsNumber(), e.Op == "~" && !typ.IsInteger():
		return nil, &value.Error{
			Code:    value.CodeUndefinedFunction,
			Message: "operator does not exist: " + e.Op + " " + sqltype.Name(typ),
			Hint:    "No operator matches the given name and argument type. You might need to add an explicit type cast.",
			Pos:     int(e.Pos),
		}
	}
	if e.Op == "~" {
		ones := &algebra.Const{Val: value.Value{Kind: value.Int, I: -1}, Typ: typ}
		return x.bits(value.BitXor, arg, ones, operands{e.Op, e.X.Position(), e.Pos, e.Pos})
	}
	return onReal(arg, e.Pos, func(arg algebra.Expr) algebra.Expr { return call(algebra.Neg, arg.Type(), e.Pos, arg) }), nil
}
