package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// merger is one worker's part of a Probe of a relation in order.
type merger struct {
	*prober
	keys   *orderedKeys
	batch  []int64 // memory of a batch's keys
	block  int     // that m.cols are of
	counts int64   // bytes of keys that are in the metrics
}

// mergeWith compiles a Probe of a relation in order. live are the values from before it
// that are read after it.
func mergeWith(c *compiler, in *kernel.Probe, live []kernel.ValueID) (stage, error) {
	p, err := newProber(c, in)
	if err != nil {
		return stage{}, err
	}
	rel, ok := c.w.run.inputs[in.Input].(runtime.Relation)
	if !ok {
		return stage{}, internalf("kernel %s merges with a %T", c.f.Name, c.w.run.inputs[in.Input])
	}
	for _, col := range in.Payload {
		c.w.run.provideDictionary(rel, col)
	}
	keys, err := newOrderedKeys(rel, in.Sorted.Ordinal, c.f.ColumnsRead(in.Input))
	if err != nil {
		return stage{}, err
	}
	p.cols = keys.cols
	m := &merger{prober: p, keys: keys}
	filters := in.Kind == kernel.ProbeSemi || in.Kind == kernel.ProbeAnti
	switch {
	case filters && in.Cond == kernel.NoValue:
		return stage{step: m.filter}, nil
	case filters:
		return stage{step: p.filterPairs(m.pairs)}, nil
	}
	return stage{expand: func(next consumer) consumer { return m.expand(live, next) }}, nil
}

// readKeys returns the keys of the active rows, and which are NULL.
func (m *merger) readKeys(b *Batch) (keys []int64, null []uint8) {
	m.views[0] = m.prober.keys[0].read(b)
	v := &m.views[0]
	return v.ints(room(&m.batch, v.n)), v.null
}

// match finds a match of each active row that has one, sets m.at and returns those rows,
// as prober.match does. With oneBlock, ok reports whether all matches lie in one block,
// whose columns are then those of the payload.
func (m *merger) match(b *Batch, oneBlock bool) (hits []int32, ok bool, err error) {
	keys, null := m.readKeys(b)
	n := 0
	for i, r := range b.rows() {
		m.at[r] = -1
		if null != nil && null[i] != 0 {
			continue
		}
		block, row, err := m.keys.seek(keys[i])
		if err != nil {
			return nil, false, err
		}
		if block == m.keys.rel.Blocks() || m.keys.key(row) != keys[i] {
			continue
		}
		if oneBlock && n > 0 && block != m.block {
			return nil, false, nil
		}
		m.block, m.cols = block, m.keys.cols
		m.at[r] = int32(row)
		m.sel[n] = r
		n++
	}
	m.count()
	return m.sel[:n], true, nil
}

// count adds what has been read of the keys to the metrics.
func (m *merger) count() {
	m.w.run.bytesRead.Add(m.keys.opened - m.counts)
	m.counts = m.keys.opened
}

// filter is the probe of kind semi or anti without a residual.
func (m *merger) filter(b *Batch) error {
	hits, _, err := m.match(b, false)
	if err != nil {
		return err
	}
	return m.conclude(b, hits)
}

// pairs is the finder of a merge.
func (m *merger) pairs(q *pairs, b *Batch, f consumer) error {
	keys, null := m.readKeys(b)
	for i, r := range b.rows() {
		if null != nil && null[i] != 0 {
			continue
		}
		block, row, err := m.keys.seek(keys[i])
		for err == nil && block < m.keys.rel.Blocks() && m.keys.key(row) == keys[i] {
			if err = m.pair(q, r, block, row, b, f); err != nil {
				return err
			}
			if m.in.Sorted.Unique {
				break
			}
			block, row, err = m.keys.after(row)
		}
		if err != nil {
			return err
		}
	}
	m.count()
	return q.flush(b, f)
}

// pair collects a pair, after those in another block have been passed on.
func (m *merger) pair(q *pairs, r int32, block, row int, b *Batch, f consumer) error {
	if block != m.block {
		if err := q.flush(b, f); err != nil {
			return err
		}
		m.block, m.cols = block, m.keys.cols
	}
	return q.add(r, int32(row), int32(row)+1, b, f)
}

// expand is the probe of kind inner or left: it goes on with a row for each match.
func (m *merger) expand(live []kernel.ValueID, next consumer) consumer {
	several := m.expandPairs(m.pairs, live, next)
	if !m.in.Sorted.Unique {
		return several
	}
	return func(b *Batch) error {
		hits, ok, err := m.match(b, true)
		if err != nil {
			return err
		}
		if !ok {
			return several(b)
		}
		if err := m.conclude(b, hits); err != nil || b.Active() == 0 {
			return err
		}
		return next(b)
	}
}
