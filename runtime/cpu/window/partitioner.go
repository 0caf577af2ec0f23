package window

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// partitioning is how rows are numbered by their partitions while they are read.
type partitioning struct {
	ids    []kernel.ValueID // the partition's keys; none: there is one partition
	dense  *group.DenseKeys // where they have few combinations: all workers number alike
	layout *keytable.Layout // else: each worker numbers by a table of its own
}

// newPartitioning numbers by the keys' values where they have at most so many combinations.
func newPartitioning(r *exec.Run, keys []kernel.SortKey, cells int) (p partitioning) {
	if len(keys) == 0 {
		return p
	}
	values, nullSafe := make([]kernel.Value, len(keys)), make([]bool, len(keys))
	for i, k := range keys {
		p.ids = append(p.ids, k.Val)
		values[i], nullSafe[i] = r.Kernel.Values[k.Val], true
	}
	if p.dense = group.NewDenseKeys(r, p.ids); p.dense == nil || p.dense.Cells > cells {
		p.dense, p.layout = nil, keytable.NewLayout(values, nullSafe)
	}
	return p
}

// alike is how many numbers there are where all workers number alike.
func (p *partitioning) alike() int {
	if p.dense == nil {
		return 1
	}
	return p.dense.Cells
}

// partitioner numbers the rows of one worker.
type partitioner struct {
	partitioning
	operands []*vector.Operand
	views    []vector.View
	keys     []*vector.View
	batch    keytable.Batch
	table    keytable.Table // where there is a layout
	cells    accumulator.Cells
	numbers  []uint32 // by row: its partition
	numbered []uint32
}

// partitioner makes a worker's part.
func (p partitioning) partitioner(r *exec.Run) *partitioner {
	pw := &partitioner{partitioning: p, views: make([]vector.View, len(p.ids))}
	pw.batch.Mem = &r.Mem
	for i, id := range p.ids {
		pw.operands = append(pw.operands, vector.NewOperand(r.Kernel, id))
		pw.keys = append(pw.keys, &pw.views[i])
	}
	if p.layout != nil {
		pw.table = keytable.New(p.layout.Kind, &r.Mem)
	}
	return pw
}

// number finds the partitions of n rows.
func (p *partitioner) number(b *vector.Batch, n int) {
	for i, o := range p.operands {
		p.views[i] = o.Read(b)
	}
	switch {
	case len(p.ids) == 0:
		p.numbers = vector.Room(&p.numbered, n)
		clear(p.numbers)
	case p.dense != nil:
		p.dense.Number(&p.cells, n, p.keys, &p.numbered)
		p.numbers = p.cells.List()
	default:
		p.layout.Encode(&p.batch, n, p.keys, false)
		p.numbers = vector.Room(&p.numbered, n)
		p.table.Assign(&p.batch, p.numbers)
	}
}

// partitions is how many numbers there are so far.
func (p *partitioner) partitions() int {
	if p.table != nil {
		return p.table.Len()
	}
	return p.alike()
}
