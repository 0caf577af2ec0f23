package dialect

// binary reads an operator and its right operand, or ANY (…).
func (r *rewriter) binary(left *fragment, prec int, restricted bool) (*fragment, error) {
	t := r.Peek()
	symbol, err := r.operatorName()
	if err != nil {
		return nil, err
	}
	if !restricted && r.Peek().IsOneOf("any", "some", "all") {
		return r.quantified(left, symbol, t)
	}
	right, err := r.exprIn(prec+1, restricted)
	if err != nil {
		return nil, err
	}
	if prec == precCompare {
		if err := r.nonassociative(prec, restricted); err != nil {
			return nil, err
		}
	}
	if nativeOperators[symbol] {
		return r.native(&At{Pos: t.Pos}, left, raw(" "+symbol+" "), right), nil
	}
	return r.call("o", &Operator{Symbol: symbol, Pos: t.Pos}, left, right), nil
}

// logical reads AND or OR.
func (r *rewriter) logical(left *fragment, prec int, _ bool) (*fragment, error) {
	t := r.Next()
	right, err := r.expr(prec + 1)
	if err != nil {
		return nil, err
	}
	return r.native(&At{Pos: t.Pos}, left, raw(" "+t.Text+" "), right), nil
}

func (r *rewriter) collate(left *fragment, _ int, _ bool) (*fragment, error) {
	t := r.Next()
	name, err := r.QualifiedName()
	if err != nil {
		return nil, err
	}
	return r.call("x", &Collate{Name: name, Pos: t.Pos}, left), nil
}

// atZone reads AT TIME ZONE z and AT LOCAL, which are calls of timezone.
func (r *rewriter) atZone(left *fragment, prec int, _ bool) (*fragment, error) {
	t := r.Next()
	m := &Call{Name: []Ident{{Name: "timezone", Pos: t.Pos}}, Pos: t.Pos}
	if r.Accept("local") {
		return r.call("f", m, left), nil
	}
	if err := r.Expect("time", "zone"); err != nil {
		return nil, err
	}
	zone, err := r.expr(prec + 1)
	if err != nil {
		return nil, err
	}
	return r.call("f", m, zone, left), nil
}

func (r *rewriter) overlaps(*fragment, int, bool) (*fragment, error) {
	return nil, Unsupported(r.Peek(), "OVERLAPS is")
}

func (r *rewriter) castInfix(left *fragment, _ int, _ bool) (*fragment, error) {
	t := r.Next()
	typ, err := r.TypeName()
	if err != nil {
		return nil, err
	}
	return r.call("x", &Cast{Type: typ, Pos: t.Pos}, left), nil
}
