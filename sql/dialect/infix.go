package dialect

import "github.com/cubeloom/cubeloom/sql/sqlstate"

// binary reads an operator and its right operand, or ANY (…).
func (r exprReader) binary(left *fragment, prec int, restricted bool) *fragment {
	t := r.Peek()
	symbol := r.operatorName()
	if !restricted && r.Peek().IsOneOf("any", "some", "all") {
		return r.quantified(left, symbol, t)
	}
	right := r.exprIn(prec+1, restricted)
	if prec == precCompare {
		r.nonassociative(prec, restricted)
	}
	if nativeOperators[symbol] {
		return r.native(&At{Pos: t.Pos}, left, raw(" "+symbol+" "), right)
	}
	return r.call("o", &Operator{Symbol: symbol, Pos: t.Pos}, left, right)
}

// logical reads AND or OR.
func (r exprReader) logical(left *fragment, prec int, _ bool) *fragment {
	t := r.Next()
	right := r.expr(prec + 1)
	return r.native(&At{Pos: t.Pos}, left, raw(" "+t.Text+" "), right)
}

func (r exprReader) collate(left *fragment, _ int, _ bool) *fragment {
	t := r.Next()
	name := r.QualifiedName()
	return r.call("x", &Collate{Name: name, Pos: t.Pos}, left)
}

// atZone reads AT TIME ZONE z and AT LOCAL, which are calls of timezone.
func (r exprReader) atZone(left *fragment, prec int, _ bool) *fragment {
	t := r.Next()
	m := &Call{Name: []Ident{{Name: "timezone", Pos: t.Pos}}, Pos: t.Pos}
	if r.Accept("local") {
		return r.call("f", m, left)
	}
	r.Expect("time", "zone")
	return r.call("f", m, r.expr(prec+1), left)
}

// overlaps reads OVERLAPS between two rows of two, which is a call of overlaps.
func (r exprReader) overlaps(left *fragment, _ int, _ bool) *fragment {
	if left.row == nil {
		panic(r.Unexpected())
	}
	t := r.Next()
	right := r.rowOperand()
	for i, row := range []*fragment{left, right} {
		if row.fields != 2 {
			panic(sqlstate.ErrorAt(row.row.Pos, sqlstate.Syntax, "wrong number of parameters on %s side of OVERLAPS expression", [...]string{"left", "right"}[i]))
		}
	}
	return r.call("x", &Overlaps{Pos: t.Pos}, left, right)
}

// rowOperand reads a row constructor where nothing else can stand.
func (r exprReader) rowOperand() *fragment {
	first := r.Peek()
	if first.Is("row") {
		return r.row()
	}
	r.Expect("(")
	exprs := r.exprs()
	if len(exprs) == 1 {
		panic(r.Unexpected())
	}
	r.Expect(")")
	return r.rowOf(&Row{Pos: first.Pos}, exprs)
}

func (r exprReader) castInfix(left *fragment, _ int, _ bool) *fragment {
	t := r.Next()
	typ := r.TypeName()
	return r.call("x", &Cast{Type: typ, Pos: t.Pos}, left)
}
