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
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// array binds ARRAY[…]: its elements get the type that they have in common.
func array(x *scope.Exprs, e *sql.Array) algebra.Expr {
	if len(e.Exprs) == 0 {
		panic(&value.Error{
			Code: "42P18", Message: "cannot determine type of empty array",
			Hint: "Explicitly cast to the desired type, for example ARRAY[]::integer[].", Pos: int(e.Pos),
		})
	}
	elements, positions := convert.ExprList(x, e.Exprs)
	typ := convert.CommonType(elements, "ARRAY", positions)
	if typ.Kind == algebra.Array {
		panic(SeveralDimensions(e.Pos))
	}
	return arrayOf(x, elements, positions, typ, sqltype.Implicit, e.Pos)
}

// arrayAs binds ARRAY[…]::T[], which casts each element to T.
func arrayAs(x *scope.Exprs, e *sql.Array, typ algebra.Type, how sqltype.Context) algebra.Expr {
	elements, positions := convert.ExprList(x, e.Exprs)
	for i, element := range elements {
		if element.Type().Kind == algebra.Array {
			panic(SeveralDimensions(positions[i]))
		}
	}
	return arrayOf(x, elements, positions, typ.Element(), how, e.Pos)
}

func SeveralDimensions(pos sql.Pos) error {
	return term.NotSupported(pos, "arrays of several dimensions are")
}

// arrayOf is the array of some elements, each converted to a type.
func arrayOf(x *scope.Exprs, elements []algebra.Expr, positions []sql.Pos, typ algebra.Type, how sqltype.Context, pos sql.Pos) algebra.Expr {
	converted := make([]algebra.Expr, len(elements))
	for i, element := range elements {
		converted[i] = convert.Coerce(x, element, typ, how, positions[i])
	}
	return ArrayOf(x, converted, typ, pos)
}

// ArrayOf is the array of some elements of a type.
func ArrayOf(x *scope.Exprs, elements []algebra.Expr, typ algebra.Type, pos sql.Pos) algebra.Expr {
	parts := lists.Map(elements, func(element algebra.Expr) algebra.Expr { return ArrayItem(x, element, pos) })
	text := listed(x.Binder, parts, pos)
	return x.Folded(term.Call(value.ArrayMade, algebra.TArray(typ), pos, text))
}

// orEmpty is an array, in the place of NULL an empty one.
func orEmpty(b *scope.Binder, array algebra.Expr) algebra.Expr {
	typ := array.Type()
	empty := &algebra.Const{Val: value.Value{Kind: value.Text, S: "{}"}, Typ: typ}
	return b.Folded(term.Coalesce([]algebra.Expr{array, empty}, typ))
}

// listed is the text of an array of items: neighbours that are constant are one text,
// and all are joined in a tree that is not deeper than it must be.
func listed(b *scope.Binder, items []algebra.Expr, pos sql.Pos) algebra.Expr {
	var parts []algebra.Expr
	var known strings.Builder
	known.WriteByte('{')
	flush := func() {
		if known.Len() > 0 {
			parts = append(parts, term.TextConst(known.String()))
			known.Reset()
		}
	}
	for i, item := range items {
		if i > 0 {
			known.WriteByte(',')
		}
		c, ok := item.(*algebra.Const)
		if !ok {
			flush()
			parts = append(parts, item)
			continue
		}
		if err := b.Opts.Meter.Grow(len(c.Val.S)); err != nil {
			panic(err)
		}
		known.WriteString(c.Val.S)
	}
	known.WriteByte('}')
	flush()
	for len(parts) > 1 {
		pairs := parts[:0:0]
		for i := 0; i+1 < len(parts); i += 2 {
			pairs = append(pairs, joined(b, parts[i], parts[i+1], pos))
		}
		if len(parts)%2 == 1 {
			pairs = append(pairs, parts[len(parts)-1])
		}
		parts = pairs
	}
	return parts[0]
}

// ArrayMade is the array of items that are already in one text, with commas.
func ArrayMade(b *scope.Binder, items algebra.Expr, elem algebra.Type, pos sql.Pos) algebra.Expr {
	text := joined(b, joined(b, term.TextConst("{"), items, pos), term.TextConst("}"), pos)
	return term.Call(value.ArrayMade, algebra.TArray(elem), pos, text)
}

// joined is l || r, computed at once where both are constant.
func joined(b *scope.Binder, l, r algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.Folded(term.Call(algebra.Concat, algebra.TText, pos, l, r))
}

// isPlainItem reports whether no text of a value of type t needs quotes in an array.
func isPlainItem(t algebra.Type) bool {
	switch t.Kind {
	case algebra.Bool, algebra.Int16, algebra.Int32, algebra.Int64, algebra.Float32, algebra.Float64, algebra.Decimal, algebra.Numeric, algebra.UUID:
		return true
	}
	return false
}

// ArrayItem is an expression as it is written in the text of an array; it is
// never NULL.
func ArrayItem(x *scope.Exprs, e algebra.Expr, pos sql.Pos) algebra.Expr {
	if e.Type().Kind == algebra.Record {
		panic(term.NotSupported(pos, "an array of rows is"))
	}
	item := convert.KeptText(x, e, pos)
	if !isPlainItem(e.Type()) {
		item = term.Call(value.ArrayItem, algebra.TText, pos, item)
	}
	return x.Folded(term.Coalesce([]algebra.Expr{item, term.TextConst("NULL")}, algebra.TText))
}
