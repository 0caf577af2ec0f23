package launchtext

import (
	"fmt"
	"slices"
	"strconv"
	"text/scanner"

	"github.com/cubeloom/cubeloom/codegen/launch"
)

// parser reads token by token. After the first error the tokens are empty, which no
// list goes on with.
type parser struct {
	scan  scanner.Scanner
	kind  rune
	token string
	plan  *launch.Plan
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
	return index(p, "block", p.plan.Blocks, func(b *launch.Block) string { return b.Name })
}

func (p *parser) entryName() int {
	return index(p, "entry", p.plan.Entries, func(e *launch.Entry) string { return e.Name })
}

func (p *parser) bufferName() int {
	return index(p, "buffer", p.plan.Buffers, func(b *launch.Buffer) string { return b.Name })
}

func (p *parser) varName() int {
	return index(p, "variable", p.plan.Vars, func(v *launch.Var) string { return v.Name })
}

// word reads the name of a word of a block.
func (p *parser) word(block int) int {
	if p.err != nil || block >= len(p.plan.Blocks) {
		p.failf("there is no block")
		return 0
	}
	return index(p, "word of "+p.plan.Blocks[block].Name, p.plan.Blocks[block].Words, func(w *launch.Word) string { return w.Name })
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
