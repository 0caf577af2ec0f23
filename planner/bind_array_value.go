package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// array binds ARRAY[…]: its elements get the type that they have in common.
func (x *exprBinder) array(e *sql.Array) (algebra.Expr, error) {
	if len(e.Exprs) == 0 {
		return nil, &value.Error{
			Code: "42P18", Message: "cannot determine type of empty array",
			Hint: "Explicitly cast to the desired type, for example ARRAY[]::integer[].", Pos: int(e.Pos),
		}
	}
	elements, positions, err := x.exprList(e.Exprs)
	if err != nil {
		return nil, err
	}
	typ, err := commonType(elements, "ARRAY", positions)
	if err != nil {
		return nil, err
	}
	if typ.Kind == algebra.Array {
		return nil, severalDimensions(e.Pos)
	}
	return x.arrayOf(elements, positions, typ, sqltype.Implicit, e.Pos)
}

// arrayAs binds ARRAY[…]::T[], which casts each element to T.
func (x *exprBinder) arrayAs(e *sql.Array, typ algebra.Type, how sqltype.Context) (algebra.Expr, error) {
	elements, positions, err := x.exprList(e.Exprs)
	if err != nil {
		return nil, err
	}
	for i, element := range elements {
		if element.Type().Kind == algebra.Array {
			return nil, severalDimensions(positions[i])
		}
	}
	return x.arrayOf(elements, positions, typ.Element(), how, e.Pos)
}

func severalDimensions(pos sql.Pos) error {
	return notSupported(pos, "arrays of several dimensions are")
}

// exprList binds a list of expressions.
func (x *exprBinder) exprList(list []sql.Expr) ([]algebra.Expr, []sql.Pos, error) {
	exprs, positions := make([]algebra.Expr, len(list)), make([]sql.Pos, len(list))
	for i, e := range list {
		var err error
		if exprs[i], err = x.expr(e); err != nil {
			return nil, nil, err
		}
		positions[i] = e.Position()
	}
	return exprs, positions, nil
}

// arrayOf is the array of some elements, each converted to a type.
func (x *exprBinder) arrayOf(elements []algebra.Expr, positions []sql.Pos, typ algebra.Type, how sqltype.Context, pos sql.Pos) (algebra.Expr, error) {
	parts := make([]algebra.Expr, 0, len(elements))
	for i, element := range elements {
		converted, err := x.coerce(element, typ, how, positions[i])
		if err != nil {
			return nil, err
		}
		if converted, err = x.arrayItem(converted, pos); err != nil {
			return nil, err
		}
		parts = append(parts, converted)
	}
	text, err := x.listed(parts, pos)
	if err != nil {
		return nil, err
	}
	return x.folded(call(value.ArrayMade, algebra.TArray(typ), pos, text)), nil
}

// listed is the text of an array of items: neighbours that are constant are one text,
// and all are joined in a tree that is not deeper than it must be.
func (b *binder) listed(items []algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	var parts []algebra.Expr
	var known strings.Builder
	known.WriteByte('{')
	flush := func() {
		if known.Len() > 0 {
			parts = append(parts, textConst(known.String()))
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
		if err := b.opts.Meter.Grow(len(c.Val.S)); err != nil {
			return nil, err
		}
		known.WriteString(c.Val.S)
	}
	known.WriteByte('}')
	flush()
	for len(parts) > 1 {
		pairs := parts[:0:0]
		for i := 0; i+1 < len(parts); i += 2 {
			pairs = append(pairs, b.joined(parts[i], parts[i+1], pos))
		}
		if len(parts)%2 == 1 {
			pairs = append(pairs, parts[len(parts)-1])
		}
		parts = pairs
	}
	return parts[0], nil
}

// arrayMade is the array of items that are already in one text, with commas.
func (b *binder) arrayMade(items algebra.Expr, elem algebra.Type, pos sql.Pos) algebra.Expr {
	text := b.joined(b.joined(textConst("{"), items, pos), textConst("}"), pos)
	return call(value.ArrayMade, algebra.TArray(elem), pos, text)
}

// joined is l || r, computed at once where both are constant.
func (b *binder) joined(l, r algebra.Expr, pos sql.Pos) algebra.Expr {
	return b.folded(call(algebra.Concat, algebra.TText, pos, l, r))
}

// arrayItem is an expression as it is written in the text of an array; it is
// never NULL.
func (x *exprBinder) arrayItem(e algebra.Expr, pos sql.Pos) (algebra.Expr, error) {
	if err := sqltype.NoMoments(e.Type().Kind, pos); err != nil {
		return nil, err
	}
	text := e
	if e.Type().Kind == algebra.Bool {
		text = boolOutput(e)
	} else if e.Type() != algebra.TText {
		var err error
		if text, err = x.coerce(e, algebra.TText, sqltype.Explicit, pos); err != nil {
			return nil, err
		}
	}
	item := call(value.ArrayItem, algebra.TText, pos, text)
	return x.folded(coalesce([]algebra.Expr{item, textConst("NULL")}, algebra.TText)), nil
}

// elementText is the constant by which routines know the elements of an array.
func elementText(array algebra.Type) *algebra.Const {
	return textConst(algebra.ElementOf(array).String())
}

// asArray is the array that a vector is; any other expression is left as it is.
func asArray(e algebra.Expr, pos sql.Pos) algebra.Expr {
	if !e.Type().IsVector() {
		return e
	}
	return call(value.VectorArray, algebra.TArray(algebra.Type{Kind: e.Type().Elem}), pos, e)
}

// arrayConversion converts a text or an array to an array.
func arrayConversion(e algebra.Expr, to algebra.Type, how sqltype.Context, pos sql.Pos) *algebra.Call {
	e = asArray(e, pos)
	from := e.Type()
	switch {
	case from.Kind != algebra.Array:
		return call(value.ArrayIn, to, pos, elementText(to), e)
	case how == sqltype.Explicit:
		return call(value.ArrayCast, to, pos, elementText(from), elementText(to), e)
	}
	return call(value.ArrayAssign, to, pos, elementText(from), elementText(to), e)
}
