// Package cubing is the sink that groups rows by several sets of keys, by refinement: BUC
// (Beyer and Ramakrishnan 1999) over codes of the keys' values, with several partitions
// refined at the same time.
package cubing

import (
	"context"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxRows is how many rows there can be: positions are 32-bit integers.
const maxRows = math.MaxInt32

// cubing is the sink. Each worker collects codes of the keys and what accumulators take of
// its rows; groups are found when all rows are there.
type cubing struct {
	*pruning
	workers []*collector
}

// New plans the sink.
func New(r *exec.Run, in *kernel.Cubing) exec.Sink {
	p := newPlan(r, in)
	c := &cubing{pruning: &pruning{input: &input{plan: p}, minRows: int(min(in.Fewest(), maxRows+1))}}
	for _, b := range in.Bars {
		if acc := &in.Accs[b.Acc]; !acc.CountsRows() {
			c.bars = append(c.bars, newBar(p, b, acc))
		}
	}
	return c
}

// Worker implements exec.Sink.
func (c *cubing) Worker(w *exec.Worker) exec.SinkWorker {
	cw := &collector{plan: c.plan, columns: make([]column, len(c.ids))}
	for _, id := range c.ids {
		cw.operands = append(cw.operands, vector.NewOperand(c.run.Kernel, id))
	}
	c.workers = append(c.workers, cw)
	return cw
}

// Finish implements exec.Sink.
func (c *cubing) Finish(context.Context) exec.Result {
	var workers []*collector
	for _, w := range c.workers {
		if c.rows += w.rows; w.rows > 0 {
			workers = append(workers, w)
		}
	}
	if c.rows > maxRows {
		panic(value.Errorf(value.CodeProgramLimit, "more than %d rows to group by refinement; SET cube_strategy = rollup", maxRows))
	}
	if c.rows == 0 {
		return c.withoutRows()
	}
	c.join(workers)
	return c.results(refineAll(c.pruning))
}
