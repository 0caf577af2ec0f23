package dialect

// The precedences of PostgreSQL's operators, loosest first.
const (
	precLowest = iota
	precOr
	precAnd
	precNot
	precIs
	precCompare // does not associate
	precMatch   // BETWEEN, IN, LIKE: does not associate
	precOperator
	precAdd
	precMultiply
	precPower
	precAt
	precCollate
	precUnary
	precCast
)

// expr reads an expression whose operators bind at least as tight as min.
func (r *rewriter) expr(min int) (*piece, error) { return r.exprIn(min, false) }

// exprIn reads an expression. A restricted one is PostgreSQL's b_expr, where
// AND, NOT, IN, LIKE, BETWEEN and IS NULL are not operators.
func (r *rewriter) exprIn(min int, restricted bool) (*piece, error) {
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
func (r *rewriter) exprFrom(left *piece, min int, restricted bool) (*piece, error) {
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

// infix is an operator behind its left operand.
type infix struct {
	prec int
	read func(left *piece, prec int, restricted bool) (*piece, error)
}

// infix tells which operator comes next; precLowest for none.
func (r *rewriter) infix(restricted bool) infix {
	t := r.Peek()
	switch t.Kind {
	case Symbol:
		return r.symbolInfix(t)
	case Word:
		if t.Class == NotKeyword {
			return infix{}
		}
		if restricted {
			if t.Is("is") {
				return infix{precIs, r.is}
			}
			if t.Is("operator") {
				return infix{precOperator, r.binary}
			}
			return infix{}
		}
		return r.wordInfix(t)
	}
	return infix{}
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

func (r *rewriter) symbolInfix(t Token) infix {
	switch t.Text {
	case "::":
		return infix{precCast, r.castInfix}
	case "^":
		return infix{precPower, r.binary}
	case "*", "/", "%":
		return infix{precMultiply, r.binary}
	case "+", "-":
		return infix{precAdd, r.binary}
	case "<", ">", "=", "<=", ">=", "<>":
		return infix{precCompare, r.binary}
	}
	if t.isGenericOperator() {
		return infix{precOperator, r.binary}
	}
	return infix{}
}

func (r *rewriter) wordInfix(t Token) infix {
	next := r.PeekAt(1)
	switch t.Text {
	case "or":
		return infix{precOr, r.logical}
	case "and":
		return infix{precAnd, r.logical}
	case "is":
		return infix{precIs, r.is}
	case "isnull", "notnull":
		return infix{precIs, r.isNull}
	case "not":
		if next.IsOneOf("between", "in", "like", "ilike", "similar") {
			return infix{precMatch, r.match}
		}
	case "between", "in", "like", "ilike", "similar":
		return infix{precMatch, r.match}
	case "operator":
		return infix{precOperator, r.binary}
	case "at":
		return infix{precAt, r.atZone}
	case "collate":
		return infix{precCollate, r.collate}
	case "overlaps":
		return infix{precOperator, r.overlaps}
	}
	return infix{}
}

// isPrefix reports whether an expression that begins here has a prefix operator.
func isPrefix(t Token) bool {
	return t.IsOneOf("not", "+", "-") || t.isGenericOperator()
}

// operand reads what stands before the first infix operator: prefix operators
// and what they apply to.
func (r *rewriter) operand(restricted bool) (*piece, error) {
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

// nonassociative fails when an operator of the same precedence follows.
func (r *rewriter) nonassociative(prec int, restricted bool) error {
	if r.infix(restricted).prec == prec {
		return r.Unexpected()
	}
	return nil
}

// native operators have the same meaning in MySQL when in parentheses.
var nativeOperators = wordSet("+ - * / % = <> < > <= >=")

// binary reads an operator and its right operand, or ANY (…).
func (r *rewriter) binary(left *piece, prec int, restricted bool) (*piece, error) {
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

// quantified reads ANY (…) or ALL (…) behind an operator.
func (r *rewriter) quantified(left *piece, symbol string, op Token) (*piece, error) {
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

// logical reads AND or OR.
func (r *rewriter) logical(left *piece, prec int, _ bool) (*piece, error) {
	t := r.Next()
	right, err := r.expr(prec + 1)
	if err != nil {
		return nil, err
	}
	return r.native(&At{Pos: t.Pos}, left, raw(" "+t.Text+" "), right), nil
}

func (r *rewriter) castInfix(left *piece, _ int, _ bool) (*piece, error) {
	t := r.Next()
	typ, err := r.TypeName()
	if err != nil {
		return nil, err
	}
	return r.call("x", &Cast{Type: typ, Pos: t.Pos}, left), nil
}

func (r *rewriter) collate(left *piece, _ int, _ bool) (*piece, error) {
	t := r.Next()
	name, err := r.QualifiedName()
	if err != nil {
		return nil, err
	}
	return r.call("x", &Collate{Name: name, Pos: t.Pos}, left), nil
}

// atZone reads AT TIME ZONE z and AT LOCAL, which are calls of timezone.
func (r *rewriter) atZone(left *piece, prec int, _ bool) (*piece, error) {
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

func (r *rewriter) overlaps(*piece, int, bool) (*piece, error) {
	return nil, Unsupported(r.Peek(), "OVERLAPS is")
}
