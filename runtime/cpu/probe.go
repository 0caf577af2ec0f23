package cpu

import "github.com/cubeloom/cubeloom/codegen/kernel"

// probeTable compiles a Probe of a hash table. live are the values from before it that are read
// after it.
func probeTable(c *compiler, in *kernel.Probe, live []kernel.ValueID) (stage, error) {
	base, err := newProber(c, in)
	if err != nil {
		return stage{}, err
	}
	t, ok := c.w.run.inputs[in.Input].(*hashTable)
	if !ok {
		return stage{}, internalf("kernel %s probes a %T", c.f.Name, c.w.run.inputs[in.Input])
	}
	p := newHashProber(base, t)
	for _, col := range in.Payload {
		t.provideDictionary(c.w.run, col)
	}
	filters := in.Kind == kernel.ProbeSemi || in.Kind == kernel.ProbeAnti
	switch {
	case t.unique() || filters && in.Cond == kernel.NoValue && !in.Mark:
		return stage{step: p.once}, nil
	case filters && in.Cond == kernel.NoValue && t.starts != nil:
		return stage{step: p.markKeys}, nil
	case filters:
		return stage{step: p.filterPairs(p.runs)}, nil
	}
	return stage{expand: func(next consumer) consumer { return p.expandPairs(p.runs, live, next) }}, nil
}

// once is the probe where each row has one match at most, or where it only
// matters whether it has one. No row moves: what has no match is deselected.
func (p *hashProber) once(b *Batch) error {
	matched, err := p.match(b)
	if err != nil {
		return err
	}
	return p.conclude(b, matched)
}

// match finds the match of each active row, sets p.at for them and returns those
// that have one, in p.sel's memory.
func (p *hashProber) match(b *Batch) ([]int32, error) {
	if n, ok := p.matchStored(b); ok {
		return p.sel[:n], nil
	}
	found, err := p.find(b)
	if err != nil {
		return nil, err
	}
	n := 0
	if b.Sel == nil {
		for r, f := range found {
			p.at[r] = int32(f) - 1
			p.sel[n] = int32(r)
			n += int(-f >> 31)
		}
		return p.sel[:n], nil
	}
	for i, r := range b.Sel {
		p.at[r] = int32(found[i]) - 1
		p.sel[n] = r
		n += int(-found[i] >> 31)
	}
	return p.sel[:n], nil
}

// hashProber is one worker's part of a Probe of a hash table.
type hashProber struct {
	*prober
	t     *hashTable
	refs  []*view
	batch keyBatch
	found []uint32 // by active row: see search
}

func newHashProber(base *prober, t *hashTable) *hashProber {
	p := &hashProber{prober: base, t: t, batch: keyBatch{mem: &base.w.run.mem}}
	for i := range p.views {
		p.refs = append(p.refs, &p.views[i])
	}
	p.cols, p.mark = t.cols, t.mark
	return p
}
