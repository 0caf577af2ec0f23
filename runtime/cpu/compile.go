package cpu

import "github.com/cubeloom/cubeloom/codegen/kernel"

// body compiles a body and what follows it.
func (c *compiler) body(block kernel.Block, sink consumer) (consumer, error) {
	stages, err := c.stages(block)
	if err != nil {
		return nil, err
	}
	next := sink
	for i := len(stages); i > 0; {
		if stages[i-1].expand != nil {
			i--
			next = stages[i].expand(next)
			continue
		}
		first := i - 1
		for first > 0 && stages[first-1].expand == nil {
			first--
		}
		next = sequence(stages[first:i], next)
		i = first
	}
	return next, nil
}

// stages compiles the instructions of a block in order. Neighboring filters
// become one.
func (c *compiler) stages(block kernel.Block) ([]stage, error) {
	var stages []stage
	var pending []*condition
	flush := func() {
		if len(pending) > 0 {
			stages = append(stages, c.filterStage(pending))
			pending = nil
		}
	}
	conds := c.conditionsOf(block)
	for i, in := range block {
		// Each instruction of a nested block may take as long as the block has others.
		if err := c.w.run.mem.ended(); err != nil {
			return nil, err
		}
		if _, filter := in.(*kernel.Filter); !filter && !conds.absorbed[i] {
			flush()
			s, err := c.instr(in)
			if err != nil {
				return nil, err
			}
			stages = append(stages, s)
		}
		pending = append(pending, conds.after[i]...)
	}
	flush()
	return stages, nil
}

// inPlace compiles a block of instructions that give no new batches: the arms
// of an If, the body of a Map, the residual of a Probe. The step may leave no
// row active.
func (c *compiler) inPlace(block kernel.Block) (step, error) {
	stages, err := c.stages(block)
	if err != nil {
		return nil, err
	}
	for _, s := range stages {
		if s.expand != nil {
			return nil, internalf("kernel %s expands rows inside a nested block", c.f.Name)
		}
	}
	return step(sequence(stages, func(*Batch) error { return nil })), nil
}

// sequence runs steps one after the other as long as rows are active, and then
// next.
func sequence(stages []stage, next consumer) consumer {
	steps := make([]step, len(stages))
	for i := range stages {
		steps[i] = stages[i].step
	}
	return func(b *Batch) error {
		for _, s := range steps {
			if err := s(b); err != nil {
				return err
			}
			if b.Sel != nil && len(b.Sel) == 0 {
				return nil
			}
		}
		return next(b)
	}
}
