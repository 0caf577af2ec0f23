package kerneltext

import (
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// sink reads a sink.
func (p *parser) sink() kernel.Sink {
	switch w := p.word(); w {
	case "materialize":
		s := &kernel.Materialize{}
		s.Limit, s.Offset = p.limits()
		s.Ordered = p.accept("ordered")
		p.expect("columns")
		s.Cols = p.refs()
		p.endLine()
		return s
	case "build":
		s := &kernel.Build{Dense: p.accept("dense"), Members: p.accept("members"), Repeats: p.accept("repeats")}
		p.expect("rows")
		s.Rows = p.estimate()
		p.expect("keys")
		s.Keys = p.keys()
		p.expect("payload")
		s.Payload = p.refs()
		p.endLine()
		return s
	case "aggregate":
		return p.aggregate()
	case "cubing":
		return p.cubing()
	case "sort":
		return p.sort()
	case "window":
		return p.window()
	case "several":
		return p.several()
	default:
		p.failf("no sink %q", w)
	}
	return nil
}

func (p *parser) limits() (limit, offset int64) {
	p.expect("limit")
	limit = p.int(p.word())
	p.expect("offset")
	offset = p.int(p.word())
	return limit, offset
}

func (p *parser) aggregate() *kernel.Aggregate {
	s := &kernel.Aggregate{Strategy: kernel.Strategy(p.word())}
	if s.Strategy == kernel.Ordered {
		p.expect("by")
		s.By = int(p.int(p.word()))
	}
	if p.accept("determinant") {
		s.Determinant = int(p.int(p.word()))
	}
	s.Partitioned = p.accept("partitioned")
	s.Cells = p.accept("cells")
	if p.accept("device") {
		s.Device = p.word()
	}
	if p.accept("preaggregate") {
		s.Preaggregate = p.word()
	}
	if p.accept("replicas") {
		s.Replicas = int(p.int(p.word()))
	}
	if p.accept("threads") {
		s.Threads = int(p.int(p.word()))
	}
	if p.accept("thread_rows") {
		s.ThreadRows = int(p.int(p.word()))
	}
	if p.accept("kernels") {
		s.RunForm.Kernels = int(p.int(p.word()))
		p.expect("update")
		s.RunForm.Update = p.word()
		p.expect("chunk")
		s.RunForm.Rows = int(p.int(p.word()))
	}
	if p.accept("rows") {
		s.Rows = p.estimate()
	}
	p.expect("groups")
	s.Groups = p.estimate()
	if p.accept("largest") {
		s.Largest = p.estimate()
	}
	if p.accept("combinations") {
		s.Combinations = p.estimate()
	}
	p.expect("keys")
	s.Keys = p.refs()
	p.endLine()
	for p.err == nil && p.peek() != "end" {
		s.Accs = append(s.Accs, p.acc())
	}
	p.end()
	return s
}

func (p *parser) cubing() *kernel.Cubing {
	s := &kernel.Cubing{}
	p.expect("rows")
	s.Rows = p.estimate()
	p.expect("keys")
	s.Keys = p.refs()
	p.expect("sets")
	for p.err == nil && p.peek() != "" {
		set, err := strconv.ParseUint(p.word(), 10, 64)
		if err != nil {
			p.failf("bad set of keys: %v", err)
		}
		s.Sets = append(s.Sets, set)
	}
	p.endLine()
	for p.err == nil && p.peek() != "end" && p.peek() != "at" {
		s.Accs = append(s.Accs, p.acc())
	}
	for p.err == nil && p.accept("at") {
		var b kernel.Bar
		if b.AtMost = p.accept("most"); !b.AtMost {
			p.expect("least")
		}
		b.Limit = p.int(p.word())
		p.expect("accumulator")
		b.Acc = int(p.int(p.word()))
		p.endLine()
		s.Bars = append(s.Bars, b)
	}
	p.end()
	return s
}

func (p *parser) sort() *kernel.Sort {
	s := &kernel.Sort{Top: p.accept("top")}
	s.Limit, s.Offset = p.limits()
	p.expect("columns")
	s.Cols = p.refs()
	p.endLine()
	s.Keys = p.sortKeys("by")
	p.end()
	return s
}

func (p *parser) several() *kernel.Several {
	s := &kernel.Several{}
	p.endLine()
	for p.err == nil && p.accept("branch") {
		p.endLine()
		s.Branches = append(s.Branches, kernel.Branch{Body: p.block(), Sink: p.sink()})
	}
	p.end()
	return s
}
