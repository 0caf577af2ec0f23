// Package merge joins with a relation that lies in the order of its key.
package merge

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/compile"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/probe"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// merger is one worker's part of a Probe of a relation in order.
type merger struct {
	*probe.Prober
	keys   *orderedKeys
	batch  []int64 // memory of a batch's keys
	block  int     // that m.cols are of
	counts int64   // bytes of keys that are in the metrics
}

// Probe compiles a Probe of a relation in order. live are the values from before it
// that are read after it.
func Probe(c *compile.Compiler, in *kernel.Probe, live []kernel.ValueID) compile.Stage {
	p := probe.New(c, in)
	rel, ok := c.Worker.Run.Inputs[in.Input].(runtime.Relation)
	if !ok {
		panic(exec.Internalf("kernel %s merges with a %T", c.Kernel.Name, c.Worker.Run.Inputs[in.Input]))
	}
	for _, col := range in.Payload {
		c.Worker.Run.ProvideDictionary(rel, col)
	}
	keys := newOrderedKeys(rel, in.Sorted.Ordinal, c.Kernel.ColumnsRead(in.Input))
	p.ReadFrom(keys.cols)
	m := &merger{Prober: p, keys: keys}
	filters := in.Kind == kernel.ProbeSemi || in.Kind == kernel.ProbeAnti
	switch {
	case filters && in.Cond == kernel.NoValue:
		return compile.Stage{Step: m.filter}
	case filters:
		return compile.Stage{Step: p.FilterPairs(m.pairs)}
	}
	return compile.Stage{Expand: func(next exec.Consumer) exec.Consumer { return m.expand(live, next) }}
}

// readKeys returns the keys of the active rows, and which are NULL.
func (m *merger) readKeys(b *vector.Batch) (keys []int64, null []uint8) {
	m.Views[0] = m.Prober.Keys[0].Read(b)
	v := &m.Views[0]
	return v.Ints(vector.Room(&m.batch, v.N)), v.Null
}

// match finds a match of each active row that has one, sets m.at and returns those rows,
// as prober.match does. With oneBlock, ok reports whether all matches lie in one block,
// whose columns are then those of the payload.
func (m *merger) match(b *vector.Batch, oneBlock bool) (hits []int32, ok bool) {
	keys, null := m.readKeys(b)
	n := 0
	for i, r := range b.ActiveRows() {
		m.At[r] = -1
		if null != nil && null[i] != 0 {
			continue
		}
		block, row := m.keys.seek(keys[i])
		if block == m.keys.rel.Blocks() || m.keys.key(row) != keys[i] {
			continue
		}
		if oneBlock && n > 0 && block != m.block {
			return nil, false
		}
		m.turn(block)
		m.At[r] = int32(row)
		m.Sel[n] = r
		n++
	}
	m.count()
	return m.Sel[:n], true
}

// turn makes the columns those of the block whose keys are being read.
func (m *merger) turn(block int) {
	m.block = block
	m.ReadFrom(m.keys.cols)
}

// count adds what has been read of the keys to the metrics.
func (m *merger) count() {
	m.Worker.Run.BytesRead.Add(m.keys.opened - m.counts)
	m.counts = m.keys.opened
}

// filter is the probe of kind semi or anti without a residual.
func (m *merger) filter(b *vector.Batch) {
	hits, _ := m.match(b, false)
	m.Conclude(b, hits)
}

// pairs is the finder of a merge.
func (m *merger) pairs(q *probe.Pairs, b *vector.Batch, f exec.Consumer) {
	keys, null := m.readKeys(b)
	for i, r := range b.ActiveRows() {
		if null != nil && null[i] != 0 {
			continue
		}
		block, row := m.keys.seek(keys[i])
		for block < m.keys.rel.Blocks() && m.keys.key(row) == keys[i] {
			m.pair(q, r, block, row, b, f)
			if m.In.Sorted.Unique {
				break
			}
			block, row = m.keys.after(row)
		}
	}
	m.count()
	q.Flush(b, f)
}

// pair collects a pair, after those in another block have been passed on.
func (m *merger) pair(q *probe.Pairs, r int32, block, row int, b *vector.Batch, f exec.Consumer) {
	if block != m.block {
		q.Flush(b, f)
		m.turn(block)
	}
	q.Add(r, int32(row), int32(row)+1, b, f)
}

// expand is the probe of kind inner or left: it goes on with a row for each match.
func (m *merger) expand(live []kernel.ValueID, next exec.Consumer) exec.Consumer {
	several := m.ExpandPairs(m.pairs, live, next)
	if !m.In.Sorted.Unique {
		return several
	}
	return func(b *vector.Batch) {
		hits, ok := m.match(b, true)
		if !ok {
			several(b)
			return
		}
		if m.Conclude(b, hits); b.Active() > 0 {
			next(b)
		}
	}
}
