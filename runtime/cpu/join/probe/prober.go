// Package probe is what all joins have: the payload of matches, the residual, and the rows
// that go on.
package probe

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/packed"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Prober is one worker's part of a Probe, however it finds its rows.
type Prober struct {
	Worker  *exec.Worker
	In      *kernel.Probe
	Cols    []*runtime.Chunk // what the payload is loaded from
	Packed  *packed.Reader   // or this; nil: Cols have the values
	Keys    []*vector.Operand
	Views   []vector.View
	At      []int32          // by row of the batch: its match, or −1
	Sel     []int32          // memory of the rows that have a match
	passed  []int32          // memory of those that pass the residual
	payload []*vector.Vector // by column of in.Payload
	whole   []*vector.Vector // of their chunks, where runs of rows are read again and again; nil: nobody has
	Check   exec.Step        // the residual, or nil
	outer   []kernel.ValueID // what the residual reads of values from before
	Mark    func(row int32)  // remembers that a row of the other side has a match, where in.Mark
	ordered bool             // what follows asks for the order of the rows
}

// New compiles what all kinds of probes have.
func New(c *compile.Compiler, in *kernel.Probe) *Prober {
	p := &Prober{Worker: c.Worker, In: in, ordered: readsOrder(c.Kernel.Sink), At: make([]int32, c.Worker.Rows), Sel: make([]int32, c.Worker.Rows), passed: make([]int32, c.Worker.Rows)}
	for _, k := range in.Keys {
		p.Keys = append(p.Keys, vector.NewOperand(c.Kernel, k.Val))
	}
	p.Views = make([]vector.View, len(p.Keys))
	for _, col := range in.Payload {
		p.payload = append(p.payload, &vector.Vector{Type: c.Kernel.Values[col.Dst].Type})
	}
	p.compileResidual(c)
	return p
}

// readsOrder reports whether it makes a difference in which order rows come to a sink.
func readsOrder(s kernel.Sink) bool {
	agg, ok := s.(*kernel.Aggregate)
	return !ok || agg.Strategy == kernel.Ordered
}

// compileResidual compiles the residual.
func (p *Prober) compileResidual(c *compile.Compiler) {
	if p.In.Cond == kernel.NoValue {
		return
	}
	p.Check = c.InPlace(p.In.Residual)
	for _, id := range c.FreeIn(p.In.Residual, p.In.Cond) {
		loaded := slices.ContainsFunc(p.In.Payload, func(col kernel.SourceCol) bool { return col.Dst == id })
		if !loaded {
			p.outer = append(p.outer, id)
		}
	}
}

// ReadFrom has the payload read from columns, by ordinal.
func (p *Prober) ReadFrom(cols []*runtime.Chunk) { p.Cols, p.whole = cols, nil }

// load makes the payload of b that of the build rows at. Columns stay as they
// are until someone reads them; packed rows are read whole.
func (p *Prober) load(b *vector.Batch, at []int32) {
	rows := at
	if p.Packed != nil {
		p.Packed.Begin(b, rows)
		at = nil
	}
	for i, col := range p.In.Payload {
		v, chunk := p.payload[i], p.Cols[col.Ordinal]
		if p.Packed != nil {
			chunk = p.Packed.Column(col.Ordinal, b, rows)
		}
		v.Raw, v.At, v.Start, v.Dict, v.Whole = chunk, at, 0, chunk.Dict, nil
		v.Null, v.Const = nil, false
		b.Vals[col.Dst] = v
	}
}

// loadFrom is load of the build rows from first on.
func (p *Prober) loadFrom(b *vector.Batch, first int) {
	p.load(b, nil)
	if p.whole == nil {
		p.whole = make([]*vector.Vector, len(p.payload))
		for i, v := range p.payload {
			p.whole[i] = wholeOf(v)
		}
	}
	for i, v := range p.payload {
		v.Start, v.Whole = first, p.whole[i]
	}
}

// wholeRows is how many rows at most a chunk has that is decoded once for all runs of its rows,
// so that they lie in a core's cache.
const wholeRows = 1 << 15

// wholeOf is the chunk of a raw vector as a vector, or nil where decoding it once saves nothing or
// takes too much memory.
func wholeOf(v *vector.Vector) *vector.Vector {
	raw := v.Raw
	decodes := v.Type == kernel.I32 || v.Type == kernel.I64 || v.Type == kernel.Code
	if !decodes || raw.Enc == runtime.EncConst || raw.Nulls == raw.Rows || raw.Rows > wholeRows {
		return nil
	}
	return &vector.Vector{Type: v.Type, Raw: raw}
}

// Conclude ends a probe without moving rows: hits are the active rows that have a
// match, at p.at.
func (p *Prober) Conclude(b *vector.Batch, hits []int32) {
	if p.Check != nil {
		hits = p.checkHits(b, hits)
	}
	if p.In.Mark {
		for _, r := range hits {
			p.Mark(p.At[r])
		}
	}
	switch p.In.Kind {
	case kernel.ProbeInner, kernel.ProbeSemi:
		if len(hits) < b.Active() {
			b.Sel = hits
		}
	case kernel.ProbeAnti:
		b.Sel = p.misses(b)
	}
	if p.In.Kind == kernel.ProbeInner || p.In.Kind == kernel.ProbeLeft {
		p.load(b, p.At)
	}
}

// checkHits keeps the hits for which the residual is true; the others have no
// match.
func (p *Prober) checkHits(b *vector.Batch, hits []int32) []int32 {
	for _, id := range p.outer {
		b.Value(id)
	}
	all := b.Sel
	defer func() { b.Sel = all }()
	if len(hits) == 0 {
		return hits
	}
	b.Sel = hits
	p.load(b, p.At)
	p.Check(b)
	compile.Keep(b, b.Value(p.In.Cond), p.passed)
	passed := b.Sel
	for _, r := range hits {
		if len(passed) > 0 && passed[0] == r {
			passed = passed[1:]
			continue
		}
		p.At[r] = -1
	}
	return b.Sel
}

// misses lists the active rows that have no match.
func (p *Prober) misses(b *vector.Batch) []int32 {
	n := 0
	for _, r := range b.ActiveRows() {
		p.passed[n] = r
		n += int(uint32(p.At[r]) >> 31)
	}
	return p.passed[:n]
}
