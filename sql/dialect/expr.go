package dialect

// expr reads an expression whose operators bind at least as tight as min.
func (r *rewriter) expr(min int) (*fragment, error) { return r.exprIn(min, false) }

// exprIn reads an expression. A restricted one is PostgreSQL's b_expr, where
// AND, NOT, IN, LIKE, BETWEEN and IS NULL are not operators.
func (r *rewriter) exprIn(min int, restricted bool) (*fragment, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	left, err := r.operand(restricted)
	if err != nil {
		return nil, err
	}
	return r.exprFrom(left, min, restricted)
}

// exprFrom reads the operators that follow an operand.
func (r *rewriter) exprFrom(left *fragment, min int, restricted bool) (*fragment, error) {
	if err := r.mayGoOn(); err != nil {
		return nil, err
	}
	for {
		op := r.infix(restricted)
		if op.prec == precLowest || op.prec < min || min == precLowest && r.atEnd() {
			return left, nil
		}
		var err error
		if left, err = op.read(left, op.prec, restricted); err != nil {
			return nil, err
		}
	}
}

// atEnd reports whether a keyword that could be an operator ends the expression:
// as the alias of a select item, whose end follows, or in SUBSTRING … SIMILAR.
func (r *rewriter) atEnd() bool {
	t, next := r.Peek(), r.PeekAt(1)
	if t.Is("similar") && r.depth == r.substringArg {
		return !next.Is("to")
	}
	return r.depth == r.item && t.Kind == Word && t.isBareLabel() && endsItem(next)
}

// isPrefix reports whether an expression that begins here has a prefix operator.
func isPrefix(t Token) bool {
	return t.IsOneOf("not", "+", "-") || t.isGenericOperator()
}

// operand reads what stands before the first infix operator: prefix operators
// and what they apply to.
func (r *rewriter) operand(restricted bool) (*fragment, error) {
	t := r.Peek()
	switch {
	case t.Is("not") && !restricted:
		r.Next()
		x, err := r.expr(precNot)
		if err != nil {
			return nil, err
		}
		return r.native(&At{Pos: t.Pos}, raw("not "), x), nil
	case t.IsOneOf("+", "-"):
		r.Next()
		x, err := r.exprIn(precUnary, restricted)
		if err != nil {
			return nil, err
		}
		if t.Is("+") { // Vitess drops it
			return r.call("o", &Operator{Symbol: "+", Pos: t.Pos}, x), nil
		}
		return r.native(&At{Pos: t.Pos}, raw("- "), paren(x)), nil
	case t.isGenericOperator(), t.Is("operator") && r.PeekAt(1).Is("("):
		symbol, err := r.operatorName()
		if err != nil {
			return nil, err
		}
		x, err := r.exprIn(precOperator+1, restricted)
		if err != nil {
			return nil, err
		}
		return r.call("o", &Operator{Symbol: symbol, Pos: t.Pos}, x), nil
	}
	return r.primary()
}

// operatorName reads an operator, or OPERATOR(pg_catalog.op).
func (r *rewriter) operatorName() (string, error) {
	t := r.Next()
	if t.Kind == Symbol {
		return t.Text, nil
	}
	if err := r.Expect("("); err != nil {
		return "", err
	}
	for r.Peek().IsName() {
		s := r.Next()
		if err := r.Expect("."); err != nil {
			return "", err
		}
		if s.Text != "pg_catalog" {
			return "", Unsupported(s, "an operator of schema \""+s.Text+"\" is")
		}
	}
	op := r.Peek()
	if op.Kind != Symbol || !isOperatorByte(op.Text[0]) || op.Text == "=>" {
		return "", r.Unexpected()
	}
	r.Next()
	return op.Text, r.Expect(")")
}

// native operators have the same meaning in MySQL when in parentheses.
var nativeOperators = wordSet("+ - * / % = <> < > <= >=")

// exprs reads expressions between commas.
func (r *rewriter) exprs() ([]*fragment, error) {
	return CommaList(r.Cursor, func() (*fragment, error) { return r.expr(precLowest) })
}

func (r *rewriter) exprsInParens() ([]*fragment, error) {
	if err := r.Expect("("); err != nil {
		return nil, err
	}
	exprs, err := r.exprs()
	if err != nil {
		return nil, err
	}
	return exprs, r.Expect(")")
}

// nonassociative fails when an operator of the same precedence follows.
func (r *rewriter) nonassociative(prec int, restricted bool) error {
	if r.infix(restricted).prec == prec {
		return r.Unexpected()
	}
	return nil
}
