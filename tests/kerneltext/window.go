package kerneltext

import "github.com/cubeloom/cubeloom/codegen/kernel"

func (p *parser) window() *kernel.Window {
	s := &kernel.Window{InOrder: p.accept("ordered")}
	p.expect("columns")
	s.Cols = p.refs()
	p.endLine()
	s.Partition = p.sortKeys("partition")
	s.Order = p.sortKeys("order")
	if p.accept("first") {
		s.First = int64(p.number())
		s.Ties = p.accept("ties")
		p.endLine()
	}
	for p.accept("frame") {
		f := kernel.Frame{Unit: kernel.FrameUnit(p.word())}
		p.expect("from")
		f.Start = p.frameBound()
		p.expect("to")
		f.End = p.frameBound()
		p.expect("exclude")
		f.Exclude = kernel.FrameExclusion(p.word())
		p.expect("key")
		f.Key = p.ref()
		p.endLine()
		s.Frames = append(s.Frames, f)
	}
	for p.accept("call") {
		s.Calls = append(s.Calls, p.windowCall())
	}
	p.end()
	return s
}

func (p *parser) frameBound() kernel.FrameBound {
	return kernel.FrameBound{Kind: kernel.BoundKind(p.word()), Offset: p.int(p.word()), Limit: p.ref()}
}

func (p *parser) windowCall() kernel.WindowCall {
	c := kernel.WindowCall{Func: kernel.WindowFunc(p.word())}
	c.Filter = kernel.NoValue
	p.expect("frame")
	c.Frame = p.number()
	if c.Func == kernel.WindowAggregate {
		c.Acc = p.acc()
		return c
	}
	c.Args = p.refs()
	p.endLine()
	c.Dst = p.gives()
	return c
}
