package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AreBytea reports whether two operands are bytea, one of which may be an untyped literal.
func AreBytea(l, r algebra.Expr) bool {
	lt, rt := l.Type().Kind, r.Type().Kind
	return lt == algebra.Bytea && (rt == lt || rt == algebra.Unknown) || rt == algebra.Bytea && lt == algebra.Unknown
}

// Aggregated are the two arguments of string_agg as the texts that are put together, and what
// makes its result of these: the digits of bytea, or texts as they are; ok is false for others.
func Aggregated(x *scope.Exprs, args []algebra.Expr, positions []sql.Pos) (texts []algebra.Expr, result func(algebra.Expr) algebra.Expr, ok bool) {
	switch {
	case len(args) != 2:
		return nil, nil, false
	case AreBytea(args[0], args[1]):
		for i, arg := range args {
			held := convert.Coerce(x, convert.Coerce(x, arg, algebra.TBytea, sqltype.Implicit, positions[i]), algebra.TText, sqltype.Assignment, positions[i])
			texts = append(texts, x.Folded(term.Call(algebra.Substring, algebra.TText, positions[i], held, term.Int32Const(3))))
		}
		return texts, func(digits algebra.Expr) algebra.Expr {
			held := term.Call(algebra.Concat, algebra.TText, sql.NoPos, term.TextConst(`\x`), digits)
			return term.Call(value.ByteaIn, algebra.TBytea, sql.NoPos, held)
		}, true
	case !term.IsTextual(args[0]) || !term.IsTextual(args[1]):
		return nil, nil, false
	}
	for i, arg := range args {
		texts = append(texts, convert.Coerce(x, arg, algebra.TText, sqltype.Implicit, positions[i]))
	}
	return texts, func(text algebra.Expr) algebra.Expr { return text }, true
}
