package cubing

import (
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// dimension is a key of all rows.
type dimension struct {
	*coder
	codes
	count int            // of codes
	table keytable.Table // that gave them, or nil
	dict  *runtime.Dictionary
}

// input is all rows.
type input struct {
	*plan
	rows int
	dims []dimension
	args []vector.View // by operand; those that nothing is accumulated of are empty
}

// join puts the rows of workers together, a column at a time.
func (c *input) join(workers []*collector) {
	c.args, c.dims = make([]vector.View, c.keys), make([]dimension, len(c.coders))
	c.run.Each(len(c.ids), func(i int) {
		parts := make([]*column, len(workers))
		for k, w := range workers {
			parts[k] = &w.columns[i]
		}
		if i < c.keys {
			c.args[i] = joined(&c.run.Mem, parts).view()
			return
		}
		d := &c.dims[i-c.keys]
		d.coder = &c.coders[i-c.keys]
		if d.dense == nil {
			d.table = renumber(workers, i, parts)
			d.count = d.table.Len()
		} else {
			d.count = d.dense.Cells
		}
		all := joined(&c.run.Mem, parts)
		d.dict = all.dict
		d.codes = narrow(&c.run.Mem, all.codes, d.count)
	})
}

// renumber has the codes of all workers be those that the table of the first one gives.
func renumber(workers []*collector, i int, parts []*column) keytable.Table {
	key := i - workers[0].keys
	all := workers[0].tables[key]
	batch := keytable.NewBatch(&workers[0].run.Mem)
	for k, w := range workers[1:] {
		own := w.tables[key]
		to := make([]uint32, own.Len())
		for lo := 0; lo < len(to); lo += vector.DefaultRows {
			hi := min(lo+vector.DefaultRows, len(to))
			list := make([]uint32, hi-lo)
			for j := range list {
				list[j] = uint32(lo + j)
			}
			own.Get(list, &batch)
			all.Assign(&batch, to[lo:hi])
		}
		codes := parts[k+1].codes
		for j, code := range codes {
			codes[j] = to[code]
		}
	}
	return all
}

// decode is the column of a key's values of some codes.
func (d *dimension) decode(codes []uint32) *runtime.Chunk {
	dicts := []*runtime.Dictionary{d.dict}
	if d.dense != nil {
		return d.dense.Decode(codes, dicts, nil)[0]
	}
	var batch keytable.Batch
	d.table.Get(codes, &batch)
	return d.layout.Decode(&batch, dicts, nil)[0]
}
