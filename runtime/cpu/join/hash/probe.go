package hash

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/probe"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Probe compiles a Probe of a hash table. live are the values from before it that are read
// after it.
func Probe(c *compile.Compiler, in *kernel.Probe, live []kernel.ValueID) compile.Stage {
	t, ok := c.Worker.Run.Inputs[in.Input].(*Table)
	if !ok {
		panic(exec.Internalf("kernel %s probes a %T", c.Kernel.Name, c.Worker.Run.Inputs[in.Input]))
	}
	p := newHashProber(probe.New(c, in), t)
	if code, ok := c.CodeKey(in); ok {
		p.codes = newCodeKeys(c.Kernel, code)
	}
	for _, col := range in.Payload {
		t.provideDictionary(c.Worker.Run, col)
	}
	filters := in.Kind == kernel.ProbeSemi || in.Kind == kernel.ProbeAnti
	switch {
	case t.unique() || filters && in.Cond == kernel.NoValue && !in.Mark:
		return compile.Stage{Step: p.once}
	case filters && in.Cond == kernel.NoValue && t.starts != nil:
		return compile.Stage{Step: p.markKeys}
	case filters:
		return compile.Stage{Step: p.FilterPairs(p.runs)}
	}
	return compile.Stage{Expand: func(next exec.Consumer) exec.Consumer { return p.ExpandPairs(p.runs, live, next) }}
}

// once is the probe where each row has one match at most, or where it only
// matters whether it has one. No row moves: what has no match is deselected.
func (p *hashProber) once(b *vector.Batch) {
	matched := p.match(b)
	p.Conclude(b, matched)
}

// match finds the match of each active row, sets p.at for them and returns those
// that have one, in p.sel's memory.
func (p *hashProber) match(b *vector.Batch) []int32 {
	if n, ok := p.matchStored(b); ok {
		return p.Sel[:n]
	}
	found := p.find(b)
	n := 0
	if b.Sel == nil {
		for r, f := range found {
			p.At[r] = int32(f) - 1
			p.Sel[n] = int32(r)
			n += int(-f >> 31)
		}
		return p.Sel[:n]
	}
	for i, r := range b.Sel {
		p.At[r] = int32(found[i]) - 1
		p.Sel[n] = r
		n += int(-found[i] >> 31)
	}
	return p.Sel[:n]
}
