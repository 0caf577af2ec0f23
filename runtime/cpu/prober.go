package cpu

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// prober is one worker's part of a Probe, however it finds its rows.
type prober struct {
	w       *worker
	in      *kernel.Probe
	cols    []*runtime.Chunk // what the payload is loaded from
	keys    []*operand
	views   []view
	at      []int32          // by row of the batch: its match, or −1
	sel     []int32          // memory of the rows that have a match
	passed  []int32          // memory of those that pass the residual
	payload []*Vector        // by column of in.Payload
	check   step             // the residual, or nil
	outer   []kernel.ValueID // what the residual reads of values from before
	mark    func(row int32)  // remembers that a row of the other side has a match, where in.Mark
}

// newProber compiles what all kinds of probes have.
func newProber(c *compiler, in *kernel.Probe) (*prober, error) {
	p := &prober{w: c.w, in: in, at: make([]int32, c.w.rows), sel: make([]int32, c.w.rows), passed: make([]int32, c.w.rows)}
	for _, k := range in.Keys {
		p.keys = append(p.keys, newOperand(c.f, k.Val))
	}
	p.views = make([]view, len(p.keys))
	for _, col := range in.Payload {
		p.payload = append(p.payload, &Vector{Type: c.f.Values[col.Dst].Type})
	}
	return p, p.compileResidual(c)
}

// compileResidual compiles the residual.
func (p *prober) compileResidual(c *compiler) error {
	if p.in.Cond == kernel.NoValue {
		return nil
	}
	var err error
	if p.check, err = c.inPlace(p.in.Residual); err != nil {
		return err
	}
	for _, id := range c.freeIn(p.in.Residual, p.in.Cond) {
		loaded := slices.ContainsFunc(p.in.Payload, func(col kernel.SourceCol) bool { return col.Dst == id })
		if !loaded {
			p.outer = append(p.outer, id)
		}
	}
	return nil
}

// load makes the payload of b that of the build rows at. Columns stay as they
// are until someone reads them.
func (p *prober) load(b *Batch, at []int32) { p.loadFrom(b, 0, at) }

// loadFrom is load; where at is nil, of the build rows from first on.
func (p *prober) loadFrom(b *Batch, first int, at []int32) {
	for i, col := range p.in.Payload {
		v, chunk := p.payload[i], p.cols[col.Ordinal]
		v.Raw, v.At, v.Start, v.Dict = chunk, at, first, chunk.Dict
		v.Null, v.Const = nil, false
		b.Vals[col.Dst] = v
	}
}

// conclude ends a probe without moving rows: hits are the active rows that have a
// match, at p.at.
func (p *prober) conclude(b *Batch, hits []int32) error {
	if p.check != nil {
		var err error
		if hits, err = p.checkHits(b, hits); err != nil {
			return err
		}
	}
	if p.in.Mark {
		for _, r := range hits {
			p.mark(p.at[r])
		}
	}
	switch p.in.Kind {
	case kernel.ProbeInner, kernel.ProbeSemi:
		if len(hits) < b.Active() {
			b.Sel = hits
		}
	case kernel.ProbeAnti:
		b.Sel = p.misses(b)
	}
	if p.in.Kind == kernel.ProbeInner || p.in.Kind == kernel.ProbeLeft {
		p.load(b, p.at)
	}
	return nil
}

// checkHits keeps the hits for which the residual is true; the others have no
// match.
func (p *prober) checkHits(b *Batch, hits []int32) ([]int32, error) {
	for _, id := range p.outer {
		b.value(id)
	}
	all := b.Sel
	defer func() { b.Sel = all }()
	if len(hits) == 0 {
		return hits, nil
	}
	b.Sel = hits
	p.load(b, p.at)
	if err := p.check(b); err != nil {
		return nil, err
	}
	keep(b, b.value(p.in.Cond), p.passed)
	passed := b.Sel
	for _, r := range hits {
		if len(passed) > 0 && passed[0] == r {
			passed = passed[1:]
			continue
		}
		p.at[r] = -1
	}
	return b.Sel, nil
}

// misses lists the active rows that have no match.
func (p *prober) misses(b *Batch) []int32 {
	n := 0
	for _, r := range b.rows() {
		p.passed[n] = r
		n += int(uint32(p.at[r]) >> 31)
	}
	return p.passed[:n]
}
