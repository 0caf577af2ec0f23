package dialect

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

func (r exprReader) overlaps(*fragment, int, bool) *fragment {
	panic(Unsupported(r.Peek(), "OVERLAPS is"))
}

func (r exprReader) castInfix(left *fragment, _ int, _ bool) *fragment {
	t := r.Next()
	typ := r.TypeName()
	return r.call("x", &Cast{Type: typ, Pos: t.Pos}, left)
}
