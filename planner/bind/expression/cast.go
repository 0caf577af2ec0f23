package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// unlimitedChar is a literal of a type; behind a bare CHAR, unlike in a cast, it keeps its
// length.
func unlimitedChar(e *sql.TypedLiteral) *sql.TypedLiteral {
	if typ, _ := sqltype.Named(e.Type.Name); !typ.Padded || typ.Length != 1 || len(e.Type.Args) > 0 {
		return e
	}
	plain := *e
	plain.Type.Name = "bpchar"
	return &plain
}

// objectCast binds a cast to a type of names of objects; nil where e is none.
func objectCast(x *scope.Exprs, e *sql.Cast) algebra.Expr {
	alias := algebra.AliasNamed(e.Type.Name)
	if !alias.IsName() || e.Type.Array {
		return nil
	}
	bound := x.Expr(e.X)
	pos := e.Pos
	if literal, ok := e.X.(*sql.Literal); ok {
		pos = literal.Pos
	}
	return convert.ObjectNamed(x, bound, alias, pos)
}

// cast binds CAST(x AS type) and x::type.
func cast(x *scope.Exprs, e *sql.Cast) algebra.Expr {
	if bound := objectCast(x, e); bound != nil {
		return bound
	}
	if lit, ok := e.X.(*sql.Literal); ok && lit.Kind == sql.StringLiteral {
		return typedLiteral(x, &sql.TypedLiteral{Type: e.Type, Text: lit.Text, TextPos: lit.Pos, Pos: lit.Pos})
	}
	to, d, err := sqltype.ResolveDomain(e.Type, x.Catalog.Type)
	if err != nil {
		if row := rowOfNulls(x, e); row != nil {
			return row
		}
		panic(err)
	}
	if array, ok := e.X.(*sql.Array); ok && to.Kind == algebra.Array {
		return convert.InDomain(x, arrayAs(x, array, to, sqltype.Explicit), d)
	}
	bound := x.Expr(e.X)
	if from := bound.Type(); sqltype.ConversionNeeds(from, to) == sqltype.NoCast {
		panic(value.ErrorAt(int(e.Pos), value.CodeCannotCoerce, "cannot cast type %s to %s", sqltype.Name(from), sqltype.Name(to)))
	}
	if to == algebra.TNumeric {
		if to = sqltype.AsDecimal(bound.Type()); to.Kind != algebra.Decimal {
			to = algebra.TNumeric
		}
	}
	converted := convert.Coerce(x, bound, to, sqltype.Explicit, e.Pos)
	if d == nil && converted == bound {
		converted = x.Undomained(converted)
	}
	if c, ok := converted.(*algebra.Const); ok && len(e.Type.Args) > 0 && converted != bound {
		x.Declared[c] = true
	}
	return convert.InDomain(x, converted, d)
}
