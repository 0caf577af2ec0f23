package kernel

import "fmt"

func (p *printer) window(s *Window) {
	p.line("window columns%s", refs(s.Cols))
	p.sortKeys("partition", s.Partition)
	p.sortKeys("order", s.Order)
	if s.First > 0 {
		p.line("first %d%s", s.First, map[bool]string{true: " ties"}[s.Ties])
	}
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
