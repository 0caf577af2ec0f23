package hash

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/join/probe"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// find returns, for each active row, its first match plus one, or 0.
func (p *hashProber) find(b *vector.Batch) []uint32 {
	found := p.search(b)
	t := p.t
	switch {
	case !t.keyed():
		vector.Fill(found, min(uint32(t.rows), 1))
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
	return found
}

// first is the first row of key number n plus one, or 0 where it has none.
func (t *Table) first(n uint32) uint32 {
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
func (p *hashProber) search(b *vector.Batch) []uint32 {
	found := vector.Room(&p.found, b.Active())
	if p.codes != nil {
		p.codes.search(b, &p.Worker.Run.Mem, found, func(texts *vector.View, found []uint32) {
			p.lookUp([]*vector.View{texts}, found)
		})
		return found
	}
	for i, o := range p.Keys {
		p.Views[i] = o.Read(b)
	}
	switch {
	case p.t.dense != nil:
		p.t.dense.cellsOf(found, p.refs)
		for i := range found {
			found[i]++ // noKey becomes 0
		}
	case p.t.table != nil:
		p.lookUp(p.refs, found)
	}
	return found
}

// lookUp sets found to the number of each key of a hash table plus one, or to 0.
func (p *hashProber) lookUp(keys []*vector.View, found []uint32) {
	p.t.layout.Encode(&p.batch, len(found), keys, true)
	p.look(found)
}

// look finds the keys of the batch in the hash table, by its filter unless too many rows
// have passed it.
func (p *hashProber) look(found []uint32) {
	if p.t.filter == nil || p.passed > p.tested/filterPasses+filterPatience {
		p.t.table.Find(&p.batch, found)
		return
	}
	p.passed += keytable.FindFiltered(p.t.table, p.t.filter, &p.batch, found)
	p.tested += p.batch.N
}

// A filter is left where more than one in filterPasses rows have passed it, beyond the
// filterPatience rows that it takes to see that.
const (
	filterPasses   = 2
	filterPatience = 1 << 13
)

// runs is the finder of hash tables.
func (p *hashProber) runs(q *probe.Pairs, b *vector.Batch, f exec.Consumer) {
	t := p.t
	found := p.search(b)
	for i, r := range b.ActiveRows() {
		lo, hi := int32(0), int32(t.rows)
		if t.keyed() {
			n := found[i]
			if n == 0 {
				continue
			}
			lo, hi = int32(t.starts[n-1]), int32(t.starts[n])
		}
		q.Add(r, lo, hi, b, f)
	}
	q.Flush(b, f)
}

// markKeys is the probe of kind semi or anti with marks and without a residual
// over keys with several rows: these are marked together, once.
func (p *hashProber) markKeys(b *vector.Batch) {
	found := p.search(b)
	n, want := 0, p.In.Kind == kernel.ProbeSemi
	for i, r := range b.ActiveRows() {
		key := found[i]
		hit := key != 0 && p.t.first(key-1) != 0
		if hit {
			p.t.markKey(key - 1)
		}
		p.Sel[n] = r
		n += int(vector.B2u(hit == want))
	}
	b.Sel = p.Sel[:n]
}

// provideDictionary notes the dictionary of a payload column in the run.
func (t *Table) provideDictionary(r *exec.Run, col kernel.SourceCol) {
	if def := &r.Kernel.Values[col.Dst]; def.Type == kernel.Code {
		r.Dicts.Provide(def.Dict, func() *runtime.Dictionary { return t.cols[col.Ordinal].Dict })
	}
}

// hashProber is one worker's part of a Probe of a hash table.
type hashProber struct {
	*probe.Prober
	t     *Table
	refs  []*vector.View
	batch keytable.Batch
	found []uint32  // by active row: see search
	codes *codeKeys // where the key is the text of a code
	// How many rows the table's filter has tested, and how many have passed.
	tested, passed int
}

func newHashProber(base *probe.Prober, t *Table) *hashProber {
	p := &hashProber{Prober: base, t: t, batch: keytable.NewBatch(&base.Worker.Run.Mem)}
	for i := range p.Views {
		p.refs = append(p.refs, &p.Views[i])
	}
	p.Cols, p.Mark = t.cols, t.mark
	if t.packed != nil {
		p.Packed = t.packed.NewReader()
	}
	return p
}
