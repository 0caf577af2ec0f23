package cubing

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// collector is one worker's part: columns of its rows.
type collector struct {
	*plan
	operands []*vector.Operand
	columns  []column
	tables   []keytable.Table // by key, where its values are numbered as they come
	batch    keytable.Batch
	cells    accumulator.Cells
	numbers  []uint32
	rows     int
}

// Consume implements exec.SinkWorker.
func (w *collector) Consume(b *vector.Batch) {
	n := b.Active()
	if n == 0 {
		return
	}
	w.makeCoders()
	w.rows += n
	mem := &w.run.Mem
	for i, o := range w.operands {
		if i >= w.keys {
			v := o.Read(b)
			w.encode(i, n, &v)
		} else if w.keeps[i] != nothing {
			v := o.Read(b)
			w.columns[i].append(mem, &w.run.Kernel.Values[w.ids[i]], &v, w.keeps[i] == nulls)
		}
	}
}

// encode appends the codes of the key that is operand i.
func (w *collector) encode(i, n int, v *vector.View) {
	c, col := &w.coders[i-w.keys], &w.columns[i]
	at := col.rows
	col.rows += n
	col.dict = vector.Longer(col.dict, v.Dict)
	col.codes = exec.Grown(&w.run.Mem, col.codes, col.rows)
	if c.dense != nil {
		c.dense.Number(&w.cells, n, []*vector.View{v}, &w.numbers)
		copy(col.codes[at:], w.cells.List())
		return
	}
	if w.tables == nil {
		w.tables, w.batch.Mem = make([]keytable.Table, len(w.coders)), &w.run.Mem
	}
	t := &w.tables[i-w.keys]
	if *t == nil {
		*t = keytable.New(c.layout.Kind, &w.run.Mem)
	}
	c.layout.Encode(&w.batch, n, []*vector.View{v}, false)
	(*t).Assign(&w.batch, col.codes[at:])
}
