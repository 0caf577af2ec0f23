package launch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// Parse reads what Print wrote, and comments as in Go: Parse(Print(p)) equals p. It
// checks the form of the text; Verify checks what it means.
func Parse(text string) (*Plan, error) {
	p := &parser{plan: &Plan{}}
	p.scan.Init(strings.NewReader(text))
	p.scan.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings | scanner.ScanComments | scanner.SkipComments
	p.scan.Error = func(_ *scanner.Scanner, msg string) { p.failf("%s", msg) }
	p.next()
	p.program()
	if p.token != "" {
		p.failf("unexpected %q", p.token)
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.plan, nil
}

// parser reads token by token. After the first error the tokens are empty, which no
// list goes on with.
type parser struct {
	scan  scanner.Scanner
	kind  rune
	token string
	plan  *Plan
	err   error
	depth int // of parentheses
}

func (p *parser) failf(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("launch plan, line %d: %s", p.scan.Position.Line, fmt.Sprintf(format, args...))
	}
	p.token, p.kind = "", scanner.EOF
}

func (p *parser) next() {
	if p.err != nil {
		return
	}
	p.kind = p.scan.Scan()
	if p.token = p.scan.TokenText(); p.kind == scanner.EOF {
		p.token = ""
	}
	if p.err != nil {
		p.token, p.kind = "", scanner.EOF
	}
}

// accept consumes a token if it comes next.
func (p *parser) accept(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.failf("want %q, have %q", token, p.token)
	}
}

// ident reads a name.
func (p *parser) ident() string {
	name := p.token
	if p.kind != scanner.Ident {
		p.failf("want a name, have %q", name)
	}
	p.next()
	return name
}

// int reads a number without a sign.
func (p *parser) int() int {
	n, err := strconv.Atoi(p.token)
	if p.kind != scanner.Int || err != nil {
		p.failf("want a number, have %q", p.token)
	}
	p.next()
	return n
}

func (p *parser) quoted() string {
	text, err := strconv.Unquote(p.token)
	if p.kind != scanner.String || err != nil {
		p.failf("want a quoted text, have %q", p.token)
	}
	p.next()
	return text
}

// index finds what a name stands for.
func index[T any](p *parser, what string, list []T, nameOf func(*T) string) int {
	name := p.ident()
	i := slices.IndexFunc(list, func(x T) bool { return nameOf(&x) == name })
	if i < 0 {
		p.failf("there is no %s %q", what, name)
		return 0
	}
	return i
}

func (p *parser) blockName() int {
	return index(p, "block", p.plan.Blocks, func(b *Block) string { return b.Name })
}
func (p *parser) entryName() int {
	return index(p, "entry", p.plan.Entries, func(e *Entry) string { return e.Name })
}
func (p *parser) bufferName() int {
	return index(p, "buffer", p.plan.Buffers, func(b *Buffer) string { return b.Name })
}
func (p *parser) varName() int {
	return index(p, "variable", p.plan.Vars, func(v *Var) string { return v.Name })
}

// word reads the name of a word of a block.
func (p *parser) word(block int) int {
	if p.err != nil || block >= len(p.plan.Blocks) {
		p.failf("there is no block")
		return 0
	}
	return index(p, "word of "+p.plan.Blocks[block].Name, p.plan.Blocks[block].Words, func(w *Word) string { return w.Name })
}

func (p *parser) program() {
	p.expect("plan")
	p.plan.Name = p.quoted()
	for p.token == "block" {
		p.block()
	}
	for p.token == "entry" {
		p.entry()
	}
	for p.token == "buffer" {
		p.buffer()
	}
	for p.accept("var") {
		v := Var{Name: p.ident()}
		v.Kind = VarKind(p.one("kind of variable", varKinds[:]))
		p.plan.Vars = append(p.plan.Vars, v)
	}
	p.plan.Body = p.stmts()
	p.expect("end")
}

// one reads one of several words and returns its number.
func (p *parser) one(what string, words []string) int {
	i := slices.Index(words, p.token)
	if i < 0 || p.token == "" {
		p.failf("want a %s, have %q", what, p.token)
		return 0
	}
	p.next()
	return i
}

func (p *parser) block() {
	p.expect("block")
	b := Block{Name: p.ident()}
	for p.err == nil && !p.accept("end") {
		w := Word{Name: p.ident()}
		if !p.accept("number") {
			p.expect("pointer")
			w.Pointer = true
		}
		w.Bound = p.accept("bound")
		b.Words = append(b.Words, w)
	}
	p.plan.Blocks = append(p.plan.Blocks, b)
}

func (p *parser) entry() {
	p.expect("entry")
	e := Entry{Name: p.ident()}
	p.expect("of")
	e.Block = p.blockName()
	p.expect("threads")
	e.Threads = p.int()
	if p.accept("tile") {
		e.TileRows = p.int()
	}
	if p.accept("multiprocessor") {
		e.PerSM = p.int()
	}
	e.Source = p.accept("source")
	p.expect("takes")
	for p.kind == scanner.Ident && !slices.Contains(statements, p.token) {
		e.Takes = append(e.Takes, p.word(e.Block))
	}
	p.plan.Entries = append(p.plan.Entries, e)
}

// statements are the words that statements and declarations begin or end with, which
// are no names.
var statements = []string{
	"entry", "buffer", "var", "end", "else", "let", "alloc", "columns", "clear", "release", "swap", "launch", "read",
	"if", "loop", "until", "pieces", "fail", "result", "instead",
}

func (p *parser) buffer() {
	p.expect("buffer")
	b := Buffer{Name: p.ident()}
	if !p.accept("columns") {
		b.Parts = p.int()
		p.plan.Buffers = append(p.plan.Buffers, b)
		return
	}
	b.Columns = []Column{}
	for p.kind == scanner.Int {
		b.Columns = append(b.Columns, Column{Width: p.int(), Valid: p.accept("?")})
	}
	b.Parts = 2 * len(b.Columns)
	p.plan.Buffers = append(p.plan.Buffers, b)
}
