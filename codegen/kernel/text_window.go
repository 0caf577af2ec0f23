package kernel

import "fmt"

func (p *printer) window(s *Window) {
	p.line("window columns%s", refs(s.Cols))
	p.sortKeys("partition", s.Partition)
	p.sortKeys("order", s.Order)
	p.depth++
	for i := range s.Frames {
		f := &s.Frames[i]
		p.line("frame %s from %s to %s exclude %s key %s", f.Unit, boundText(&f.Start), boundText(&f.End), f.Exclude, ref(f.Key))
	}
	for i := range s.Calls {
		c := &s.Calls[i]
		if c.Func == WindowAggregate {
			p.line("call aggregate frame %d %s", c.Frame, accText(&c.Acc))
		} else {
			p.line("call %s frame %d%s", c.Func, c.Frame, refs(c.Args))
		}
		p.gives(c.Dst)
	}
	p.depth--
	p.line("end")
}

func boundText(b *FrameBound) string { return fmt.Sprintf("%s %d %s", b.Kind, b.Offset, ref(b.Limit)) }

func (p *parser) window() {
	s := &Window{}
	p.expect("columns")
	s.Cols = p.refs()
	p.endLine()
	s.Partition = p.sortKeys("partition")
	s.Order = p.sortKeys("order")
	for p.accept("frame") {
		f := Frame{Unit: FrameUnit(p.word())}
		p.expect("from")
		f.Start = p.frameBound()
		p.expect("to")
		f.End = p.frameBound()
		p.expect("exclude")
		f.Exclude = FrameExclusion(p.word())
		p.expect("key")
		f.Key = p.ref()
		p.endLine()
		s.Frames = append(s.Frames, f)
	}
	for p.accept("call") {
		s.Calls = append(s.Calls, p.windowCall())
	}
	p.end()
	p.f.Sink = s
}

func (p *parser) frameBound() FrameBound {
	return FrameBound{Kind: BoundKind(p.word()), Offset: p.int(p.word()), Limit: p.ref()}
}

func (p *parser) windowCall() WindowCall {
	c := WindowCall{Func: WindowFunc(p.word())}
	c.Filter = NoValue
	p.expect("frame")
	c.Frame = p.number()
	if c.Func == WindowAggregate {
		c.Acc = p.acc()
		return c
	}
	c.Args = p.refs()
	p.endLine()
	c.Dst = p.gives()
	return c
}
