package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Body compiles a body and what follows it.
func (c *Compiler) Body(block kernel.Block, sink exec.Consumer) exec.Consumer {
	stages := c.stages(block)
	next := sink
	for i := len(stages); i > 0; {
		if stages[i-1].Expand != nil {
			i--
			next = stages[i].Expand(next)
			continue
		}
		first := i - 1
		for first > 0 && stages[first-1].Expand == nil {
			first--
		}
		next = sequence(stages[first:i], next)
		i = first
	}
	return next
}

// stages compiles the instructions of a block in order. Neighboring filters
// become one.
func (c *Compiler) stages(block kernel.Block) []Stage {
	var stages []Stage
	var pending []*condition
	flush := func() {
		if len(pending) > 0 {
			stages = append(stages, c.filterStage(pending))
			pending = nil
		}
	}
	conds := c.conditionsOf(block)
	tables := c.tabulate(block, conds.absorbed)
	for i, in := range block {
		// Each instruction of a nested block may take as long as the block has others.
		sqlstate.Check(c.Worker.Run.Mem.Ended())
		switch _, filter := in.(*kernel.Filter); {
		case filter || conds.absorbed[i] || tables.skip[i]:
		case tables.tables[i] != nil:
			flush()
			stages = append(stages, Stage{Step: tables.tables[i].run})
		default:
			flush()
			stages = append(stages, c.instr(in))
		}
		pending = append(pending, conds.after[i]...)
	}
	flush()
	return stages
}

// OnlyNumbers reports whether a kernel materializes rows of numbers that it computes and filters, and reads nothing but
// its source.
func OnlyNumbers(f *kernel.Func) bool {
	_, ok := f.Sink.(*kernel.Materialize)
	ok = ok && !slices.ContainsFunc(f.Values, func(v kernel.Value) bool { return v.Type == kernel.Str || v.Type == kernel.Code })
	return ok && !slices.ContainsFunc(kernel.Instructions(f.Body), func(in kernel.Instr) bool {
		switch in := in.(type) {
		case *kernel.Compute:
			return in.Op == kernel.OpRoutine
		case *kernel.If, *kernel.Filter:
			return false
		}
		return true
	})
}

// InPlace compiles a block of instructions that give no new batches: the arms
// of an If, the body of a Map, the residual of a Probe. The step may leave no
// row active.
func (c *Compiler) InPlace(block kernel.Block) exec.Step {
	stages := c.stages(block)
	for _, s := range stages {
		if s.Expand != nil {
			panic(exec.Internalf("kernel %s expands rows inside a nested block", c.Kernel.Name))
		}
	}
	return exec.Step(sequence(stages, func(*vector.Batch) {}))
}

// sequence runs steps one after the other as long as rows are active, and then
// next.
func sequence(stages []Stage, next exec.Consumer) exec.Consumer {
	steps := make([]exec.Step, len(stages))
	for i := range stages {
		steps[i] = stages[i].Step
	}
	return func(b *vector.Batch) {
		for _, s := range steps {
			s(b)
			if b.Sel != nil && len(b.Sel) == 0 {
				return
			}
		}
		next(b)
	}
}
