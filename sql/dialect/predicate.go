package dialect

// isNull reads ISNULL and NOTNULL.
func (r exprReader) isNull(left *fragment, _ int, _ bool) *fragment {
	t := r.Next()
	word := " is null"
	if t.Is("notnull") {
		word = " is not null"
	}
	return r.native(&At{Pos: t.Pos}, left, raw(word))
}

// is reads IS [NOT] NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM.
func (r exprReader) is(left *fragment, prec int, restricted bool) *fragment {
	t := r.Next()
	negation := r.Peek()
	not := r.Accept("not")
	next := r.Peek()
	switch {
	case next.IsOneOf("null", "true", "false") && !restricted:
		r.Next()
		word := " is "
		if not {
			word = " is not "
		}
		return r.native(&At{Pos: t.Pos}, left, raw(word+next.Text))
	case next.Is("unknown") && !restricted:
		r.Next()
		return r.call("x", &Is{Not: not, Pos: t.Pos}, left)
	case next.Is("distinct"):
		r.Next()
		r.Expect("from")
		right := r.exprIn(prec+1, restricted)
		m := &Is{Distinct: true, Not: not, Pos: t.Pos}
		r.nonassociative(prec, restricted)
		return r.call("x", m, left, right)
	case next.Is("normalized") || r.nextIsForm():
		is := r.isNormalized(left, t)
		if not {
			return r.native(&At{Pos: negation.Pos}, raw("not "), paren(is))
		}
		return is
	case next.IsOneOf("document", "json"):
		panic(Unsupported(next, "IS "+upper(next.Text)+" is"))
	}
	panic(r.Unexpected())
}

// isNormalized reads the rest of IS [NOT] [form] NORMALIZED, which is a call of is_normalized.
func (r exprReader) isNormalized(left *fragment, is Token) *fragment {
	args := []*fragment{left}
	if r.nextIsForm() {
		args = append(args, r.normalForm())
	}
	r.Expect("normalized")
	return callReader{r.rewriter}.plainCall("is_normalized", is, args...)
}

// match reads [NOT] BETWEEN, IN, LIKE, ILIKE and SIMILAR TO.
func (r exprReader) match(left *fragment, prec int, _ bool) *fragment {
	first := r.Peek()
	not := r.Accept("not")
	switch t := r.Next(); t.Text {
	case "in":
		return r.in(left, not, first)
	case "between":
		return r.between(left, prec, not, first)
	case "similar":
		r.Expect("to")
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

func (r exprReader) in(left *fragment, not bool, first Token) *fragment {
	p := r.parenthesis(true)
	word := raw(" in (")
	if not {
		word = raw(" not in (")
	}
	items := list(p.exprs)
	if p.query != nil {
		items = p.query.text(r.rewriter)
	}
	return r.native(&At{Pos: first.Pos}, left, word, items, closing)
}

func (r exprReader) between(left *fragment, prec int, not bool, first Token) *fragment {
	symmetric := r.Accept("symmetric")
	if !symmetric {
		r.Accept("asymmetric")
	}
	lo := r.exprIn(precLowest, true)
	r.Expect("and")
	hi := r.expr(prec + 1)
	r.nonassociative(prec, false)
	if symmetric {
		return r.call("x", &Between{Not: not, Pos: first.Pos}, left, lo, hi)
	}
	word := raw(" between ")
	if not {
		word = raw(" not between ")
	}
	return r.native(&At{Pos: first.Pos}, left, word, lo, raw(" and "), hi)
}

// like reads the pattern and its escape.
func (r exprReader) like(left *fragment, prec int, word string, not bool, first Token) *fragment {
	pattern := r.expr(prec + 1)
	args := []*fragment{left, pattern}
	if r.Accept("escape") {
		args = append(args, r.expr(prec+1))
	}
	r.nonassociative(prec, false)
	if word != "like" {
		return r.call("x", &Like{Similar: word == "similar", Not: not, Pos: first.Pos}, args...)
	}
	op := raw(" like ")
	if not {
		op = raw(" not like ")
	}
	text := join(left, op, pattern)
	if len(args) == 3 {
		text = join(text, raw(" escape "), args[2])
	}
	return r.native(&At{Pos: first.Pos}, text)
}

// quantified reads ANY (…) or ALL (…) behind an operator.
func (r exprReader) quantified(left *fragment, symbol string, op Token) *fragment {
	all := r.Next().Is("all")
	p := r.parenthesis(false)
	m := &Quantified{Op: symbol, All: all, Pos: op.Pos}
	if p.query == nil {
		return r.call("x", m, left, p.exprs[0])
	}
	return r.call("x", m, left, r.scalar(p.query, op))
}
