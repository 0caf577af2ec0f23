package dialect

import "strconv"

// primary reads an expression without operators.
func (r *rewriter) primary() (*piece, error) {
	t := r.Peek()
	switch t.Kind {
	case Integer:
		return r.literal(IntegerValue), nil
	case Decimal:
		return r.literal(DecimalValue), nil
	case String:
		return r.literal(StringValue), nil
	case Bits:
		return nil, Unsupported(t, "a bit string is")
	case Param:
		return r.param()
	case Quoted:
		return r.nameExpr()
	case Word:
		return r.word()
	case Symbol:
		if t.Is("(") {
			return r.parenExpr()
		}
	}
	return nil, r.Unexpected()
}

// literal takes the token as a constant.
func (r *rewriter) literal(kind LiteralKind) *piece {
	t := r.Next()
	return r.value(&Literal{Kind: kind, Text: t.Text, Pos: t.Pos})
}

// maxParam is the highest parameter that the protocol can bind.
const maxParam = 65535

func (r *rewriter) param() (*piece, error) {
	t := r.Next()
	n, err := strconv.Atoi(t.Text)
	if err != nil || n < 1 || n > maxParam {
		return nil, syntaxError(t, "there is no parameter $%s", clip(t.Text))
	}
	return r.indirection(r.value(&Parameter{Index: n, Pos: t.Pos}))
}

// indirection reads the subscript of an array, where there is one behind it.
func (r *rewriter) indirection(x *piece) (*piece, error) {
	if r.NextIs("[") {
		var err error
		if x, err = r.subscript(x); err != nil {
			return nil, err
		}
	}
	switch t := r.Peek(); {
	case t.Is("["):
		return nil, Unsupported(t, "a subscript of several dimensions is")
	case t.Is("."):
		return nil, Unsupported(t, "a field of a composite value is")
	}
	return x, nil
}

// subscript reads [i], [i:j], [i:], [:j] or [:].
func (r *rewriter) subscript(array *piece) (*piece, error) {
	m := &Subscript{Pos: r.Next().Pos}
	args := []*piece{array}
	bound := func(given *bool) error {
		e, err := r.expr(precLowest)
		*given = true
		args = append(args, e)
		return err
	}
	if !r.NextIs(":") {
		if err := bound(&m.Lower); err != nil {
			return nil, err
		}
	}
	if m.Slice = r.Accept(":"); m.Slice && !r.NextIs("]") {
		if err := bound(&m.Upper); err != nil {
			return nil, err
		}
	}
	return r.call("x", m, args...), r.Expect("]")
}

// word reads an expression that begins with a word.
func (r *rewriter) word() (*piece, error) {
	t, next := r.Peek(), r.PeekAt(1)
	switch t.Text {
	case "true", "false":
		return r.literal(Bool), nil
	case "null":
		return r.literal(Null), nil
	case "default":
		return r.literal(DefaultValue), nil
	case "case":
		return r.caseExpr()
	case "array":
		return r.array()
	case "row":
		if next.Is("(") {
			return r.row()
		}
	case "exists":
		if next.Is("(") {
			return r.exists()
		}
	case "unique":
		return nil, Unsupported(t, "the UNIQUE predicate is")
	}
	if read := r.special(t, next); read != nil {
		return read()
	}
	if constantTypes[t.Text] {
		return r.typedOrColumn()
	}
	if t.Class >= Reserved {
		return nil, r.Unexpected()
	}
	return r.nameExpr()
}

// nameExpr reads a column, a function call, or a constant with a type's name.
func (r *rewriter) nameExpr() (*piece, error) {
	first := r.Peek()
	start := r.at
	name := []Ident{r.ident()}
	if first.IsName() {
		for r.NextIs(".") && !r.PeekAt(1).Is("*") {
			r.Next()
			id, err := r.Label()
			if err != nil {
				return nil, err
			}
			name = append(name, id)
		}
	}
	t := r.Peek()
	callable := len(name) > 1 || first.isTypeOrFunction()
	switch {
	case t.Is("(") && callable:
		return r.functionCall(name, start)
	case t.Kind == String && callable:
		return r.typedLiteral(start)
	case !first.IsName():
		return nil, r.Unexpected()
	case t.Is("."):
		return nil, Unsupported(first, "a whole-row reference is")
	}
	return r.indirection(r.name("c", &Column{Name: name}))
}

func (r *rewriter) caseExpr() (*piece, error) {
	t := r.Next()
	text := []*piece{raw("case")}
	add := func(word string) error {
		e, err := r.expr(precLowest)
		text = append(text, raw(word), e)
		return err
	}
	if !r.NextIs("when") {
		if err := add(" "); err != nil {
			return nil, err
		}
	}
	for when := true; when; when = r.NextIs("when") {
		if err := r.Expect("when"); err != nil {
			return nil, err
		}
		if err := add(" when "); err != nil {
			return nil, err
		}
		if err := r.Expect("then"); err != nil {
			return nil, err
		}
		if err := add(" then "); err != nil {
			return nil, err
		}
	}
	if r.Accept("else") {
		if err := add(" else "); err != nil {
			return nil, err
		}
	}
	text = append(text, raw(" end"))
	return r.native(&At{Pos: t.Pos}, text...), r.Expect("end")
}

func (r *rewriter) exists() (*piece, error) {
	t := r.Next()
	q, err := r.subquery()
	if err != nil {
		return nil, err
	}
	return r.native(&At{Pos: t.Pos}, raw("exists ("), q.text(r), shut), nil
}

func (r *rewriter) row() (*piece, error) {
	t := r.Next()
	m := &Row{Explicit: true, Pos: t.Pos}
	if r.Accept("(", ")") {
		return r.call("x", m), nil
	}
	exprs, err := r.exprsInParens()
	if err != nil {
		return nil, err
	}
	return r.call("x", m, exprs...), nil
}

// array reads ARRAY[…] and ARRAY(query).
func (r *rewriter) array() (*piece, error) {
	t := r.Next()
	if first := r.Peek(); first.Is("(") {
		q, err := r.subquery()
		if err != nil {
			return nil, err
		}
		return r.call("x", &Array{Query: true, Pos: t.Pos}, r.scalar(q, first)), nil
	}
	if !r.NextIs("[") {
		return nil, r.Unexpected()
	}
	return r.arrayElements(t)
}

// arrayElements reads […], whose elements may be such lists too.
func (r *rewriter) arrayElements(first Token) (*piece, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	r.Next()
	m := &Array{Pos: first.Pos}
	if r.Accept("]") {
		return r.call("x", m), nil
	}
	nested := r.NextIs("[")
	var elements []*piece
	for {
		var e *piece
		var err error
		if nested {
			if !r.NextIs("[") {
				return nil, r.Unexpected()
			}
			e, err = r.arrayElements(r.Peek())
		} else {
			e, err = r.expr(precLowest)
		}
		if err != nil {
			return nil, err
		}
		elements = append(elements, e)
		if !r.Accept(",") {
			break
		}
	}
	if err := r.Expect("]"); err != nil {
		return nil, err
	}
	return r.call("x", m, elements...), nil
}
