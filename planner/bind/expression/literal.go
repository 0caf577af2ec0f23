package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// literal returns a constant with its type; sign is "-" where one stood before it.
func literal(x *scope.Exprs, e *sql.Literal, sign string) algebra.Expr {
	switch e.Kind {
	case sql.NullLiteral:
		return &algebra.Const{Typ: algebra.TUnknown}
	case sql.BoolLiteral:
		return &algebra.Const{Val: value.Value{Kind: value.Bool, B: e.Text == "true"}, Typ: algebra.TBool}
	case sql.StringLiteral:
		return &algebra.Const{Val: value.Value{Kind: value.Text, S: e.Text}, Typ: algebra.TUnknown}
	}
	n, err := value.ParseNum(sign + e.Text)
	if err != nil {
		c := &algebra.Const{Val: value.Value{Kind: value.Text, S: value.Written(sign + e.Text)}, Typ: algebra.TUnknown}
		x.TooWide[c] = value.At(err, int(e.Pos))
		return c
	}
	return numberConst(n, e.Kind == sql.IntegerLiteral)
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

func typedLiteral(x *scope.Exprs, e *sql.TypedLiteral) algebra.Expr {
	typ, d, err := sqltype.ResolveDomain(e.Type, x.Catalog.Type)
	if err != nil {
		panic(err)
	}
	v, err := convert.ParseLiteral(x.Binder, e.Text, typ.Plain(), e.Type.Field, false)
	if err != nil {
		panic(value.At(err, int(e.TextPos)))
	}
	if typ == algebra.TNumeric {
		typ = eval.NumType(v.Num)
	}
	c := algebra.Expr(&algebra.Const{Val: v, Typ: typ.Plain()})
	if c.Type() != typ {
		c = convert.Modified(x.Binder, c, typ, e.Pos)
	}
	return convert.InDomain(x, c, d)
}
