package kerneltext

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// columns reads column lines; it stops at the first line that is none.
func (p *parser) columns() []kernel.SourceCol {
	var cols []kernel.SourceCol
	for strings.HasPrefix(p.peek(), "%") {
		dst := p.def()
		p.expect("=", "column")
		cols = append(cols, kernel.SourceCol{Ordinal: p.number(), Dst: dst})
		p.endLine()
	}
	return cols
}

func (p *parser) source() {
	switch w := p.word(); w {
	case "scan":
		s := &kernel.Scan{Input: p.number()}
		p.endLine()
		s.Cols = p.columns()
		for p.accept("prune") {
			c := kernel.Prune{}
			p.expect("column")
			c.Ordinal = p.number()
			p.expect("from")
			c.Lo = p.ref()
			p.expect("to")
			c.Hi = p.ref()
			s.Prune = append(s.Prune, c)
			p.endLine()
		}
		p.f.Source = s
	case "unmatched", "matched":
		s := &kernel.Unmatched{Input: p.number(), Matched: w == "matched"}
		p.endLine()
		s.Cols = p.columns()
		p.f.Source = s
	default:
		p.failf("no source %q", w)
	}
}

// block reads instructions up to a line that is none.
func (p *parser) block() kernel.Block {
	var b kernel.Block
	for p.err == nil {
		switch {
		case strings.HasPrefix(p.peek(), "%"):
			b = append(b, p.assignment())
		case p.accept("filter"):
			b = append(b, &kernel.Filter{Cond: p.ref(), Pack: p.accept("pack")})
			p.endLine()
		case p.accept("probe"):
			b = append(b, p.probe())
		case p.accept("repeat"):
			b = append(b, p.repeat())
			p.endLine()
		default:
			return b
		}
	}
	return b
}

func (p *parser) yield() kernel.ValueID {
	p.expect("yield")
	id := p.ref()
	p.endLine()
	return id
}

func (p *parser) assignment() kernel.Instr {
	dst := p.def()
	p.expect("=")
	switch {
	case p.accept("if"):
		in := &kernel.If{Dst: dst, Cond: p.ref()}
		p.endLine()
		in.Then = p.block()
		in.ThenVal = p.yield()
		p.expect("else")
		p.endLine()
		in.Else = p.block()
		in.ElseVal = p.yield()
		p.end()
		return in
	case p.accept("map"):
		in := &kernel.Map{Dst: dst, Src: p.ref()}
		p.expect("as")
		in.Arg = p.def()
		p.endLine()
		in.Body = p.block()
		in.Result = p.yield()
		p.end()
		return in
	}
	in := &kernel.Compute{Dst: dst, Op: kernel.Op(p.word()), Args: p.refs(), Pos: value.NoPos}
	for p.peek() != "" {
		p.modifier(in)
	}
	p.endLine()
	return in
}

// modifier reads one thing that an instruction has beside its arguments.
func (p *parser) modifier(in *kernel.Compute) {
	w := p.word()
	name, val, _ := strings.Cut(w, "=")
	switch {
	case w == "checked":
		in.Checked = true
	case w[0] == '@':
		in.Pos = int(p.int(w[1:]))
	case name == "scale":
		in.Aux.Scale = int(p.int(val))
	case name == "bits":
		in.Aux.Bits = uint8(p.int(val))
	case name == "digits":
		in.Aux.Digits = uint8(p.int(val))
	case name == "field":
		in.Aux.Field = val
	case name == "length":
		in.Aux.Length = int32(p.int(val))
	default:
		p.failf("unexpected %q", w)
	}
}

// keys reads values, each with = where NULL equals NULL.
func (p *parser) keys() []kernel.Key {
	var keys []kernel.Key
	for strings.HasPrefix(p.peek(), "%") {
		w, nullSafe := strings.CutSuffix(p.word(), "=")
		keys = append(keys, kernel.Key{Val: p.valueID(w), NullSafe: nullSafe})
	}
	return keys
}

func (p *parser) repeat() *kernel.Repeat {
	in := &kernel.Repeat{Count: p.ref(), Index: kernel.NoValue}
	if p.accept("index") {
		in.Index = p.def()
	}
	return in
}

func (p *parser) probe() *kernel.Probe {
	in := &kernel.Probe{Kind: kernel.ProbeKind(p.word()), Input: p.number(), Cond: kernel.NoValue}
	if p.accept("sorted") {
		in.Sorted = &kernel.Sorted{Ordinal: p.number(), Unique: p.accept("unique")}
	}
	p.expect("keys")
	in.Keys = p.keys()
	in.Mark = p.accept("mark")
	if p.accept("matches") {
		in.Matches = p.estimate()
	}
	if in.InOrder = p.accept("in"); in.InOrder {
		p.expect("order")
	}
	if p.accept("rows") {
		in.Rows.In = p.estimate()
		p.expect("to")
		in.Rows.Out = p.estimate()
		p.expect("of")
		in.Rows.Table = p.estimate()
	}
	if p.accept("expand") {
		in.Expand = p.word()
		in.Open = p.accept("open")
		if p.accept("pages") {
			in.Pages.Rows = p.number()
			p.expect("blocks")
			in.Pages.Blocks = int64(p.number())
			p.expect("segment")
			in.Pages.Segment = int64(p.number())
		}
	}
	if p.accept("filter") {
		in.Filter.Form = kernel.FilterForm(p.word())
		p.expect("words")
		in.Filter.Words = int64(p.number())
	}
	in.Pack = p.accept("pack")
	p.endLine()
	in.Payload = p.columns()
	if p.accept("residual") {
		p.endLine()
		in.Residual = p.block()
		in.Cond = p.yield()
	}
	p.end()
	return in
}

// estimate reads an estimated number.
func (p *parser) estimate() float64 {
	word := p.word()
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		p.failf("%q is no number", word)
	}
	return n
}
