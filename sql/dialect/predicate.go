package dialect

// isNull reads ISNULL and NOTNULL.
func (r *rewriter) isNull(left *fragment, _ int, _ bool) (*fragment, error) {
	t := r.Next()
	word := " is null"
	if t.Is("notnull") {
		word = " is not null"
	}
	return r.native(&At{Pos: t.Pos}, left, raw(word)), nil
}

// is reads IS [NOT] NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM.
func (r *rewriter) is(left *fragment, prec int, restricted bool) (*fragment, error) {
	t := r.Next()
	not := r.Accept("not")
	next := r.Peek()
	switch {
	case next.IsOneOf("null", "true", "false") && !restricted:
		r.Next()
		word := " is "
		if not {
			word = " is not "
		}
		return r.native(&At{Pos: t.Pos}, left, raw(word+next.Text)), nil
	case next.Is("unknown") && !restricted:
		r.Next()
		return r.call("x", &Is{Not: not, Pos: t.Pos}, left), nil
	case next.Is("distinct"):
		r.Next()
		if err := r.Expect("from"); err != nil {
			return nil, err
		}
		right, err := r.exprIn(prec+1, restricted)
		if err != nil {
			return nil, err
		}
		m := &Is{Distinct: true, Not: not, Pos: t.Pos}
		return r.call("x", m, left, right), r.nonassociative(prec, restricted)
	case next.IsOneOf("document", "json", "normalized", "nfc", "nfd", "nfkc", "nfkd"):
		return nil, Unsupported(next, "IS "+upper(next.Text)+" is")
	}
	return nil, r.Unexpected()
}

// match reads [NOT] BETWEEN, IN, LIKE, ILIKE and SIMILAR TO.
func (r *rewriter) match(left *fragment, prec int, _ bool) (*fragment, error) {
	first := r.Peek()
	not := r.Accept("not")
	switch t := r.Next(); t.Text {
	case "in":
		return r.in(left, not, first)
	case "between":
		return r.between(left, prec, not, first)
	case "similar":
		if err := r.Expect("to"); err != nil {
			return nil, err
		}
		return r.like(left, prec, t.Text, not, first)
	default:
		if r.Peek().IsOneOf("any", "some", "all") {
			return r.quantified(left, likeOperator(t.Text, not), first)
		}
		return r.like(left, prec, t.Text, not, first)
	}
}

// likeOperator is PostgreSQL's operator behind LIKE and ILIKE.
func likeOperator(word string, not bool) string {
	op := "~~"
	if word == "ilike" {
		op = "~~*"
	}
	if not {
		op = "!" + op
	}
	return op
}

func (r *rewriter) in(left *fragment, not bool, first Token) (*fragment, error) {
	p, err := r.parenthesis(true)
	if err != nil {
		return nil, err
	}
	word := raw(" in (")
	if not {
		word = raw(" not in (")
	}
	items := list(p.exprs)
	if p.query != nil {
		items = p.query.text(r)
	}
	return r.native(&At{Pos: first.Pos}, left, word, items, closing), nil
}

func (r *rewriter) between(left *fragment, prec int, not bool, first Token) (*fragment, error) {
	symmetric := r.Accept("symmetric")
	if !symmetric {
		r.Accept("asymmetric")
	}
	lo, err := r.exprIn(precLowest, true)
	if err != nil {
		return nil, err
	}
	if err := r.Expect("and"); err != nil {
		return nil, err
	}
	hi, err := r.expr(prec + 1)
	if err != nil {
		return nil, err
	}
	if err := r.nonassociative(prec, false); err != nil {
		return nil, err
	}
	if symmetric {
		return r.call("x", &Between{Not: not, Pos: first.Pos}, left, lo, hi), nil
	}
	word := raw(" between ")
	if not {
		word = raw(" not between ")
	}
	return r.native(&At{Pos: first.Pos}, left, word, lo, raw(" and "), hi), nil
}

// like reads the pattern and its escape.
func (r *rewriter) like(left *fragment, prec int, word string, not bool, first Token) (*fragment, error) {
	pattern, err := r.expr(prec + 1)
	if err != nil {
		return nil, err
	}
	args := []*fragment{left, pattern}
	if r.Accept("escape") {
		escape, err := r.expr(prec + 1)
		if err != nil {
			return nil, err
		}
		args = append(args, escape)
	}
	if err := r.nonassociative(prec, false); err != nil {
		return nil, err
	}
	if word != "like" {
		return r.call("x", &Like{Similar: word == "similar", Not: not, Pos: first.Pos}, args...), nil
	}
	op := raw(" like ")
	if not {
		op = raw(" not like ")
	}
	text := join(left, op, pattern)
	if len(args) == 3 {
		text = join(text, raw(" escape "), args[2])
	}
	return r.native(&At{Pos: first.Pos}, text), nil
}

// quantified reads ANY (…) or ALL (…) behind an operator.
func (r *rewriter) quantified(left *fragment, symbol string, op Token) (*fragment, error) {
	all := r.Next().Is("all")
	p, err := r.parenthesis(false)
	if err != nil {
		return nil, err
	}
	m := &Quantified{Op: symbol, All: all, Pos: op.Pos}
	if p.query == nil {
		return r.call("x", m, left, p.exprs[0]), nil
	}
	return r.call("x", m, left, r.scalar(p.query, op)), nil
}
