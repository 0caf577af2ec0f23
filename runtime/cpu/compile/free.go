package compile

import "github.com/cubeloom/cubeloom/codegen/kernel"

// FreeIn lists the values that a nested block and the operand also read but
// that the block does not define, without repetition. The Ifs in the block are
// compiled already: of a chain of thousands, each is gone through once.
func (c *Compiler) FreeIn(block kernel.Block, also ...kernel.ValueID) []kernel.ValueID {
	seen := map[kernel.ValueID]bool{kernel.NoValue: true}
	for _, in := range block {
		if branch, ok := in.(*kernel.If); ok {
			seen[branch.Dst] = true
		} else {
			kernel.Operands(in, nil, func(id kernel.ValueID) { seen[id] = true })
		}
	}
	var free []kernel.ValueID
	add := func(id kernel.ValueID) {
		if !seen[id] {
			seen[id] = true
			free = append(free, id)
		}
	}
	for _, in := range block {
		branch, ok := in.(*kernel.If)
		if !ok {
			kernel.Operands(in, add, nil)
			continue
		}
		add(branch.Cond)
		for _, id := range c.free[branch] {
			add(id)
		}
	}
	for _, id := range also {
		add(id)
	}
	return free
}
