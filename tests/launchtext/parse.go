// Package launchtext reads launch plans back from the text that launch.Print writes.
package launchtext

import (
	"slices"
	"strings"
	"text/scanner"

	"github.com/cubeloom/cubeloom/codegen/launch"
)

// Parse reads what Print wrote, and comments as in Go: Parse(Print(p)) equals p. It
// checks the form of the text; Verify checks what it means.
func Parse(text string) (*launch.Plan, error) {
	p := &parser{plan: &launch.Plan{}}
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
		v := launch.Var{Name: p.ident()}
		v.Kind = launch.VarKind(p.one("kind of variable", launch.VarKinds[:]))
		p.plan.Vars = append(p.plan.Vars, v)
	}
	p.plan.Body = p.stmts()
	p.expect("end")
}

func (p *parser) block() {
	p.expect("block")
	b := launch.Block{Name: p.ident()}
	for p.err == nil && !p.accept("end") {
		w := launch.Word{Name: p.ident()}
		if !p.accept("number") {
			p.expect("pointer")
			w.Pointer = p.int()
		}
		w.Bound = p.accept("bound")
		b.Words = append(b.Words, w)
	}
	p.plan.Blocks = append(p.plan.Blocks, b)
}

func (p *parser) entry() {
	p.expect("entry")
	e := launch.Entry{Name: p.ident()}
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
	for p.kind == scanner.Ident && !slices.Contains(launch.Statements, p.token) {
		e.Takes = append(e.Takes, p.word(e.Block))
	}
	p.plan.Entries = append(p.plan.Entries, e)
}

func (p *parser) buffer() {
	p.expect("buffer")
	b := launch.Buffer{Name: p.ident()}
	if p.accept("from") {
		b.First = p.int()
	}
	if !p.accept("columns") {
		b.Parts = p.int()
		p.plan.Buffers = append(p.plan.Buffers, b)
		return
	}
	b.Columns = []launch.Column{}
	for p.kind == scanner.Int {
		b.Columns = append(b.Columns, launch.Column{Width: p.int(), Valid: p.accept("?")})
	}
	b.Parts = 2 * len(b.Columns)
	p.plan.Buffers = append(p.plan.Buffers, b)
}
