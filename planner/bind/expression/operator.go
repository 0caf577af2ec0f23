package expression

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

var arithmeticOps = map[string]algebra.Func{
	"+": algebra.Add, "-": algebra.Sub, "*": algebra.Mul, "/": algebra.Div, "%": algebra.Mod, "^": algebra.Power,
}

func binary(x *scope.Exprs, e *sql.Binary) algebra.Expr {
	switch e.Op {
	case "and", "or":
		return connective(x, e)
	}
	if f, ok := comparisons[e.Op]; ok {
		if l, r, ok := rows(e); ok {
			return compareRows(x, e, l, r)
		}
		if l, q, ok := rowAndQuery(e); ok {
			return compareRowQuery(x, e, l, q)
		}
		return comparison(x, f, e.Op, e.L, e.R, e.Pos)
	}
	if test, ok := likeOps[e.Op]; ok {
		test.X, test.Pattern, test.Pos = e.L, e.R, e.Pos
		return like(x, &test)
	}
	if op, ok := regexpOps[e.Op]; ok {
		return regexpMatch(x, e, op)
	}
	if e.Op == "^@" {
		return x.Call(&sql.FuncCall{Name: sql.Name{{Name: "starts_with", Pos: e.Pos}}, Args: []sql.Expr{e.L, e.R}, Pos: e.Pos})
	}
	l, r := convert.Pair(x, e.L, e.R)
	at := term.Operands{Op: e.Op, Left: e.L.Position(), Right: e.R.Position(), Pos: e.Pos}
	if bound := jsonBinary(x, l, r, at); bound != nil {
		return bound
	}
	if f, ok := arithmeticOps[e.Op]; ok {
		return Arithmetic(x, f, l, r, at)
	}
	if f, ok := bitOps[e.Op]; ok {
		return bits(x, f, l, r, at)
	}
	isArray := func(t algebra.Type) bool { return t.Kind == algebra.Array || t.IsVector() }
	switch {
	case e.Op == "||" && (isArray(l.Type()) || isArray(r.Type())):
		return concatArrays(x, convert.AsArray(l, at.Left), convert.AsArray(r, at.Right), at)
	case e.Op == "||":
		return concat(x, l, r, at)
	case containments[e.Op] != "":
		return containment(x, l, r, at)
	}
	// One that ends with a minus is made of a sign without a blank before it.
	if _, ok := jsonOperators[e.Op]; ok || strings.HasSuffix(e.Op, "-") {
		panic(term.NoOperator(e.Op, l, r, e.Pos))
	}
	panic(term.NotSupported(e.Pos, "the operator "+e.Op+" is"))
}

// connective binds a chain of ANDs or of ORs to one call of all operands, so
// that long chains nest no deeper than short ones.
func connective(x *scope.Exprs, e *sql.Binary) algebra.Expr {
	f := map[string]algebra.Func{"and": algebra.And, "or": algebra.Or}[e.Op]
	var args []algebra.Expr
	for _, operand := range term.Chain(e) {
		args = append(args, convert.Condition(x, operand, term.Upper(e.Op)))
	}
	return term.Call(f, algebra.TBool, e.Pos, args...)
}

// Arithmetic binds + - * / % and ^.
func Arithmetic(x *scope.Exprs, f algebra.Func, l, r algebra.Expr, at term.Operands) algebra.Expr {
	lt, rt := l.Type(), r.Type()
	if lt.Kind == algebra.Unknown && rt.Kind == algebra.Unknown {
		panic(term.NotUnique(at, l, r))
	}
	if convert.IsTime(lt) || convert.IsTime(rt) {
		return timeArithmetic(x, f, l, r, at)
	}
	// An untyped literal is taken to be of the other operand's type.
	if lt.Kind == algebra.Unknown && rt.IsNumber() {
		l = numberLike(x, l, rt, at.Left)
	}
	if rt.Kind == algebra.Unknown && lt.IsNumber() {
		r = numberLike(x, r, lt, at.Right)
	}
	if !l.Type().IsNumber() || !r.Type().IsNumber() {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	return Numbers(x, f, l, r, at)
}

// numberLike reads an untyped literal as a number of a type's kind.
func numberLike(x *scope.Exprs, e algebra.Expr, typ algebra.Type, pos sql.Pos) algebra.Expr {
	switch {
	case typ.Kind == algebra.Decimal:
		typ = algebra.TNumeric
	case typ.Kind == algebra.Float32 && convert.IsWide(x.Binder, e):
		typ = algebra.TFloat64
	}
	return convert.Coerce(x, e, typ, sqltype.Implicit, pos)
}

// concat binds ||: one side must be text, the other becomes it.
func concat(x *scope.Exprs, l, r algebra.Expr, at term.Operands) algebra.Expr {
	if AreBytea(l, r) {
		l = convert.Coerce(x, l, algebra.TBytea, sqltype.Implicit, at.Left)
		r = convert.Coerce(x, r, algebra.TBytea, sqltype.Implicit, at.Right)
		return term.Call(value.ByteaConcat, algebra.TBytea, at.Pos, l, r)
	}
	if !term.IsTextual(l) && !term.IsTextual(r) {
		panic(term.NoOperator(at.Op, l, r, at.Pos))
	}
	l = convert.Coerce(x, l, algebra.TText, sqltype.Assignment, at.Left)
	r = convert.Coerce(x, r, algebra.TText, sqltype.Assignment, at.Right)
	return term.Call(algebra.Concat, algebra.TText, at.Pos, l, r)
}

// prefixFunctions are the functions that prefix operators stand for.
var prefixFunctions = map[string]algebra.Func{"|/": algebra.Sqrt, "||/": "cbrt", "@": algebra.Abs}

// prefix binds an operator that stands for a function of a number. Roots are of double precision, as an untyped literal is.
func prefix(x *scope.Exprs, e *sql.Unary) algebra.Expr {
	arg := x.Expr(e.X)
	typ := arg.Type()
	switch {
	case typ.Kind != algebra.Unknown && !typ.IsNumber():
		panic(noPrefixOperator(e, typ))
	case typ.Kind == algebra.Unknown || e.Op != "@":
		arg = convert.Coerce(x, arg, algebra.TFloat64, sqltype.Implicit, e.X.Position())
	}
	return convert.OnReal(arg, e.Pos, func(arg algebra.Expr) algebra.Expr {
		return term.Call(prefixFunctions[e.Op], arg.Type(), e.Pos, arg)
	})
}

// noPrefixOperator is PostgreSQL's message for an operand that a prefix operator does not take.
func noPrefixOperator(e *sql.Unary, typ algebra.Type) error {
	return &value.Error{
		Code:    value.CodeUndefinedFunction,
		Message: "operator does not exist: " + e.Op + " " + sqltype.Name(typ),
		Hint:    "No operator matches the given name and argument type. You might need to add an explicit type cast.",
		Pos:     int(e.Pos),
	}
}

// unary binds the operators with one operand.
func unary(x *scope.Exprs, e *sql.Unary) algebra.Expr {
	switch e.Op {
	case "not":
		return term.NegateIf(true, convert.Condition(x, e.X, "NOT"))
	case "-", "+", "~":
	case "|/", "||/", "@":
		return prefix(x, e)
	default:
		panic(term.NotSupported(e.Pos, "the operator "+e.Op+" is"))
	}
	if lit, ok := e.X.(*sql.Literal); ok && e.Op != "~" && (lit.Kind == sql.IntegerLiteral || lit.Kind == sql.DecimalLiteral) {
		return literal(x, lit, e.Op)
	}
	arg := x.Expr(e.X)
	typ := arg.Type()
	switch {
	case typ.Kind == algebra.Unknown:
		panic(&value.Error{
			Code:    value.CodeAmbiguousFunction,
			Message: "operator is not unique: " + e.Op + " unknown",
			Hint:    "Could not choose a best candidate operator. You might need to add explicit type casts.",
			Pos:     int(e.Pos),
		})
	case e.Op == "+" && typ.IsNumber():
		return arg
	case (typ.Kind == algebra.Interval || typ.Kind == algebra.Time) && e.Op == "-":
		arg = convert.Coerce(x, arg, algebra.TInterval, sqltype.Implicit, e.Pos)
		return term.Call(algebra.MulInterval, algebra.TInterval, e.Pos, arg, term.FloatConst(-1))
	case !typ.IsNumber(), e.Op == "~" && !typ.IsInteger():
		panic(noPrefixOperator(e, typ))
	}
	if e.Op == "~" {
		ones := &algebra.Const{Val: value.Value{Kind: value.Int, I: -1}, Typ: typ}
		return bits(x, value.BitXor, arg, ones, term.Operands{Op: e.Op, Left: e.X.Position(), Right: e.Pos, Pos: e.Pos})
	}
	return convert.OnReal(arg, e.Pos, func(arg algebra.Expr) algebra.Expr { return term.Call(algebra.Neg, arg.Type(), e.Pos, arg) })
}
