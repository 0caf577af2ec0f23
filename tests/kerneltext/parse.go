package kerneltext

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Parse reads what Print wrote: Parse(Print(f)) equals f. It checks the form
// of the text; Verify checks what it means.
func Parse(text string) (*kernel.Func, error) {
	p := &parser{lines: strings.Split(text, "\n"), f: &kernel.Func{}}
	p.next()
	p.function()
	if p.err != nil {
		return nil, p.err
	}
	return p.f, nil
}

func (p *parser) function() {
	p.expect("kernel")
	p.f.Name = p.quoted()
	p.expect("dicts")
	p.f.Dicts = int(p.Int(""))
	p.Line()
	for p.accept("input") {
		p.input()
	}
	for p.accept("param") {
		p.param()
	}
	kernel.Read(p, p.f)
	p.expect("end")
}

func (p *parser) param() {
	dst := p.Def()
	p.expect("=")
	if p.err != nil {
		return
	}
	p.f.Params = append(p.f.Params, kernel.Param{Dst: dst, Val: p.value(p.f.Values[dst].Type)})
	p.Line()
}

func (p *parser) input() {
	if int(p.Int("")) != len(p.f.Inputs) {
		p.Failf("inputs out of order")
	}
	in := kernel.Input{Kind: kernel.RelationInput}
	switch w := p.Word(); w {
	case "relation":
	case "table":
		in.Kind = kernel.HashTableInput
	case "groups":
		in.Kind = kernel.GroupsInput
	default:
		p.Failf("no input kind %q", w)
	}
	in.Name = p.quoted()
	p.f.Inputs = append(p.f.Inputs, in)
	p.Line()
}
