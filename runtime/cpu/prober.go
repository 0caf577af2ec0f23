package cpu

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// prober is one worker's part of a Probe.
type prober struct {
	w       *worker
	in      *kernel.Probe
	t       *hashTable       // nil: of a merge
	cols    []*runtime.Chunk // what the payload is loaded from
	keys    []*operand
	views   []view
	refs    []*view
	batch   keyBatch
	found   []uint32         // by active row: see hashTable.search
	at      []int32          // by row of the batch: its match, or −1
	sel     []int32          // memory of the rows that have a match
	passed  []int32          // memory of those that pass the residual
	payload []*Vector        // by column of in.Payload
	check   step             // the residual, or nil
	outer   []kernel.ValueID // what the residual reads of values from before
}

// newProber compiles what all kinds of probes have.
func (c *compiler) newProber(in *kernel.Probe) (*prober, error) {
	p := &prober{w: c.w, in: in, batch: keyBatch{mem: &c.w.run.mem}, at: make([]int32, c.w.rows), sel: make([]int32, c.w.rows), passed: make([]int32, c.w.rows)}
	for _, k := range in.Keys {
		p.keys = append(p.keys, newOperand(c.f, k.Val))
	}
	p.views = make([]view, len(p.keys))
	p.refs = make([]*view, len(p.keys))
	for i := range p.views {
		p.refs[i] = &p.views[i]
	}
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

// provideDictionary notes the dictionary of a payload column in the run.
func (t *hashTable) provideDictionary(r *run, col kernel.SourceCol) {
	if def := &r.f.Values[col.Dst]; def.Type == kernel.Code {
		r.dicts.provide(def.Dict, func() (*runtime.Dictionary, error) { return t.cols[col.Ordinal].Dict, nil })
	}
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
			p.t.mark(p.at[r])
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

// find returns, for each active row, its first match plus one, or 0.
func (p *prober) find(b *Batch) ([]uint32, error) {
	found, err := p.search(b)
	if err != nil {
		return nil, err
	}
	t := p.t
	switch {
	case !t.keyed():
		fill(found, min(uint32(t.rows), 1))
	case t.starts != nil:
		for i, n := range found {
			if n != 0 {
				n = t.first(n - 1)
			}
			found[i] = n
		}
	case t.dense != nil:
		t.dense.rowsOf(found)
	}
	return found, nil
}

// first is the first row of key number n plus one, or 0 where it has none.
func (t *hashTable) first(n uint32) uint32 {
	if t.starts[n] == t.starts[n+1] {
		return 0
	}
	return t.starts[n] + 1
}

// rowsOf turns cells plus one into rows plus one.
func (d *denseLookup) rowsOf(found []uint32) {
	for i, n := range found {
		if n == 0 {
			continue
		}
		switch {
		case d.row8 != nil:
			found[i] = uint32(d.row8[n-1])
		case d.row16 != nil:
			found[i] = uint32(d.row16[n-1])
		default:
			found[i] = d.row32[n-1]
		}
	}
}

// search returns, for each active row, the number of its key plus one, or 0 where
// the table does not have the key.
func (p *prober) search(b *Batch) ([]uint32, error) {
	n := b.Active()
	found := room(&p.found, n)
	for i, o := range p.keys {
		p.views[i] = o.read(b)
	}
	switch {
	case p.t.dense != nil:
		p.t.dense.cellsOf(found, p.refs)
		for i := range found {
			found[i]++ // noKey becomes 0
		}
	case p.t.table != nil:
		if err := p.t.layout.encode(&p.batch, n, p.refs, true); err != nil {
			return nil, err
		}
		p.t.table.find(&p.batch, found)
	}
	return found, nil
}
