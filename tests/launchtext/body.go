package launchtext

import (
	"math"
	"slices"
	"strconv"
	"text/scanner"

	"github.com/cubeloom/cubeloom/codegen/launch"
)

// stmts reads statements up to what ends them.
func (p *parser) stmts() []launch.Stmt {
	var list []launch.Stmt
	for p.err == nil && p.token != "end" && p.token != "else" {
		list = append(list, p.stmt())
	}
	return list
}

func (p *parser) stmt() launch.Stmt {
	switch word := p.ident(); word {
	case "let":
		s := &launch.Let{Var: p.varName()}
		p.expect("=")
		s.X = p.expr()
		return s
	case "list":
		s := &launch.List{Array: p.varName()}
		p.expect("=")
		s.X = p.exprs()
		return s
	case "keep":
		s := &launch.Keep{Buffer: p.bufferName()}
		p.expect("count")
		s.Rows = p.expr()
		p.expect("number")
		s.Number = p.expr()
		return s
	case "alloc":
		return p.alloc()
	case "columns":
		return &launch.Columns{Buffer: p.bufferName(), Rows: p.expr()}
	case "clear":
		s := &launch.Clear{At: p.ref()}
		p.expect("bytes")
		s.Bytes = p.expr()
		return s
	case "release":
		return &launch.Release{Buffer: p.bufferName()}
	case "swap":
		return &launch.Swap{A: p.bufferName(), B: p.bufferName()}
	case "launch":
		return p.launch()
	case "read":
		return p.read()
	case "if":
		return p.branch()
	case "loop":
		return &launch.Loop{Body: p.enclosed()}
	case "until":
		return &launch.Until{Cond: p.expr()}
	case "chunks":
		return &launch.Chunks{Body: p.enclosed()}
	case "fail":
		s := &launch.Fail{Kind: launch.FailKind(p.one("kind of error", launch.FailKinds[:])), Text: p.quoted()}
		p.expect("if")
		s.Cond = p.expr()
		return s
	case "note":
		s := &launch.Note{Text: p.quoted()}
		if p.accept("=") {
			s.X = p.exprs()
		}
		return s
	case "result":
		return p.result()
	case "complete":
		s := &launch.Complete{Array: launch.None}
		if p.accept("array") {
			s.Array = p.varName()
		}
		return s
	case "fallback":
		return &launch.Fallback{Room: p.expr()}
	default:
		p.failf("there is no statement %q", word)
		return nil
	}
}

// enclosed reads statements and the end of what encloses them.
func (p *parser) enclosed() []launch.Stmt {
	list := p.stmts()
	p.expect("end")
	return list
}

func (p *parser) branch() launch.Stmt {
	s := &launch.If{Cond: p.expr(), Then: p.stmts()}
	if p.accept("else") {
		s.Else = p.stmts()
	}
	p.expect("end")
	return s
}

func (p *parser) alloc() launch.Stmt {
	s := &launch.Alloc{Buffer: p.bufferName(), Sizes: p.exprs()}
	if p.accept("zeros") {
		s.Fill = launch.Zeros
	} else if p.accept("ones") {
		s.Fill = launch.Ones
	}
	return s
}

func (p *parser) launch() launch.Stmt {
	s := &launch.Launch{Entry: p.entryName(), Blocks: launch.None}
	p.expect("over")
	s.Over = p.expr()
	s.Full = p.accept("full")
	if p.accept("shared") {
		s.Shared = p.expr()
	}
	if p.accept("giving") {
		s.Blocks = p.varName()
	}
	for p.err == nil && !p.accept("end") {
		a := launch.Arg{Word: p.word(p.plan.Entries[s.Entry].Block)}
		if p.accept("=") {
			a.X = p.expr()
		} else {
			a.Access = launch.Access(p.one("kind of access", launch.Accesses[:]))
			a.Ref = p.ref()
		}
		s.Args = append(s.Args, a)
	}
	return s
}

func (p *parser) read() launch.Stmt {
	s := &launch.Read{From: p.ref(), Raise: launch.None, Array: launch.None}
	p.expect("words")
	s.Words = p.expr()
	if p.accept("raise") {
		s.Raise = p.int()
	}
	for p.accept("into") {
		v := p.varName()
		s.Into = append(s.Into, launch.Into{Var: v, Word: p.int()})
	}
	if p.accept("array") {
		s.Array = p.varName()
	}
	if p.accept("with") {
		s.With = &launch.Rows{Buffer: p.bufferName()}
		p.expect("count")
		s.With.Rows = p.expr()
	}
	return s
}

func (p *parser) result() launch.Stmt {
	if p.accept("rows") {
		s := &launch.Rows{Buffer: p.bufferName()}
		p.expect("count")
		s.Rows = p.expr()
		for p.accept("texts") {
			t := launch.Texts{Buffer: p.bufferName()}
			p.expect("column")
			t.Column = p.int()
			p.expect("longest")
			t.Longest = p.expr()
			s.Texts = append(s.Texts, t)
		}
		return s
	}
	if p.accept("relations") {
		return &launch.Relations{Count: p.int()}
	}
	if p.accept("groups") {
		return p.groups()
	}
	p.expect("table")
	s := &launch.Table{Buffer: p.bufferName(), Slots: launch.None, Ends: launch.None, Words: launch.None}
	for _, part := range []struct {
		word string
		x    *launch.Expr
	}{{"count", &s.Rows}, {"places", &s.Places}, {"unique", &s.Unique}, {"mask", &s.Mask}} {
		p.expect(part.word)
		*part.x = p.expr()
	}
	for i, b := range []*int{&s.Slots, &s.Ends, &s.Words} {
		if p.accept(launch.TableParts[i]) {
			*b = p.bufferName()
		}
	}
	if p.accept("of") {
		s.Keys = p.expr()
		p.expect("longest")
		s.Longest = p.expr()
		p.expect("squares")
		s.Squares = p.expr()
	}
	for p.accept("key") {
		b := launch.KeyBounds{Key: p.int()}
		p.expect("min")
		b.Min = p.expr()
		p.expect("max")
		b.Max = p.expr()
		s.Bounds = append(s.Bounds, b)
	}
	return s
}

func (p *parser) groups() launch.Stmt {
	p.expect("in")
	s := &launch.Groups{Cells: p.expr()}
	if p.accept("count") {
		s.Groups = p.expr()
	}
	for p.accept("word") {
		a := launch.Arg{Word: launch.None}
		if p.accept("at") {
			a.Ref = p.ref()
		} else {
			a.X = p.expr()
		}
		s.Words = append(s.Words, a)
	}
	return s
}

// ref reads a place in a buffer.
func (p *parser) ref() launch.Ref {
	r := launch.Ref{Buffer: p.bufferName()}
	p.expect(".")
	switch {
	case p.accept("data"):
		p.expect(".")
		r.Part = 2 * p.int()
	case p.accept("valid"):
		p.expect(".")
		r.Part = 2*p.int() + 1
	default:
		r.Part = p.int()
	}
	if p.accept("[") {
		r.Offset = p.expr()
		p.expect("]")
	}
	return r
}

func (p *parser) expr() launch.Expr { return p.operators(1) }

func (p *parser) exprs() []launch.Expr {
	list := []launch.Expr{p.expr()}
	for p.accept(",") {
		list = append(list, p.expr())
	}
	return list
}

// operators reads operands with operators that bind at least so tightly.
func (p *parser) operators(minPrecedence int) launch.Expr {
	x := p.operand()
	for {
		op, ok := p.operator()
		if !ok || launch.Operations[op].Infix < minPrecedence {
			return x
		}
		p.next()
		if op == launch.Eq || op == launch.Ne || op == launch.Le {
			p.next() // its second character
		}
		x = &launch.Apply{Op: op, X: []launch.Expr{x, p.operators(launch.Operations[op].Infix + 1)}}
	}
}

// operator is the operator that comes next. Tokens are single characters.
func (p *parser) operator() (launch.Op, bool) {
	name := p.token
	if (name == "=" || name == "!" || name == "<") && p.scan.Peek() == '=' {
		name += "="
	}
	i := slices.IndexFunc(launch.Operations[:], func(o launch.Operation) bool { return o.Infix > 0 && o.Name == name })
	return launch.Op(i), i >= 0
}

// maxDepth is how deep parentheses may be nested.
const maxDepth = 1000

func (p *parser) operand() launch.Expr {
	if p.depth++; p.depth > maxDepth {
		p.failf("the expression is nested too deep")
	}
	defer func() { p.depth-- }()
	switch {
	case p.accept("("):
		x := p.expr()
		p.expect(")")
		return x
	case p.kind == scanner.Int || p.token == "-":
		return p.constant()
	case p.kind == scanner.Ident:
		return p.named()
	}
	p.failf("want a number, have %q", p.token)
	return launch.Int(0)
}

func (p *parser) constant() launch.Expr {
	text := ""
	if p.accept("-") {
		text = "-"
	}
	n, err := strconv.ParseInt(text+p.token, 10, 64)
	if err != nil {
		p.failf("bad number %q", p.token)
	}
	p.next()
	return launch.Int(n)
}

// named reads a function, a symbol or a variable.
func (p *parser) named() launch.Expr {
	if kind := slices.Index(launch.SymbolNames[:], p.token); kind >= 0 {
		p.next()
		s := launch.Sym{Kind: launch.Symbol(kind)}
		if s.Kind.HasIndex() {
			p.expect(".")
			s.Index = min(p.int(), math.MaxInt32)
		}
		return s
	}
	op := slices.IndexFunc(launch.Operations[:], func(o launch.Operation) bool { return o.Infix == 0 && o.Name == p.token })
	switch {
	case op >= 0:
		return p.function(launch.Op(op))
	case p.accept("tiles"):
		p.expect("(")
		t := launch.Tiles{Rows: p.int()}
		p.expect(")")
		return t
	case p.accept("blocks"):
		p.expect("(")
		b := launch.Blocks{Entry: p.entryName()}
		if p.accept(",") {
			b.Over = p.expr()
		}
		p.expect(")")
		return b
	}
	v := p.varName()
	if !p.accept("[") {
		return launch.VarRef(v)
	}
	at := launch.At{Array: v, Index: p.expr()}
	p.expect("]")
	return at
}

func (p *parser) function(op launch.Op) launch.Expr {
	p.next()
	p.expect("(")
	f := &launch.Apply{Op: op, X: p.exprs()}
	p.expect(")")
	return f
}
