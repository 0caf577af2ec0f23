package compile

import "github.com/cubeloom/cubeloom/codegen/kernel"

// condition is what a filter tests: a predicate or a computed boolean, or
// conditions of which all, or one, hold.
type condition struct {
	pred *predicate
	bool kernel.ValueID // where pred and of are nil
	of   []*condition
	any  bool // of the conditions in of one suffices
}

// conditions are the filters of a block, taken apart. Each conjunct is tested as
// soon as what it reads is there, which is where its instruction stood, so that
// what comes between there and the Filter sees fewer rows.
type conditions struct {
	c        *Compiler
	block    kernel.Block
	defs     map[kernel.ValueID]int // instruction that defines a value
	absorbed []bool                 // instructions that need not be executed
	after    [][]*condition         // by instruction: what to test after it
	expanded []int                  // by instruction: how many before it give new batches
}

// conditionsOf takes the filters of a block apart.
func (c *Compiler) conditionsOf(block kernel.Block) *conditions {
	cs := &conditions{
		c: c, block: block, defs: make(map[kernel.ValueID]int),
		absorbed: make([]bool, len(block)), after: make([][]*condition, len(block)), expanded: make([]int, len(block)+1),
	}
	for i, in := range block {
		cs.expanded[i+1] = cs.expanded[i]
		switch in := in.(type) {
		case *kernel.Probe, *kernel.Repeat:
			cs.expanded[i+1]++
		case *kernel.Compute:
			cs.defs[in.Dst] = i
		case *kernel.Map:
			cs.defs[in.Dst] = i
		}
	}
	barrier := -1
	for i, in := range block {
		switch in := in.(type) {
		case *kernel.Probe:
			cs.codeKey(in, i)
			if in.Mark { // which rows it marks must not depend on what comes later
				barrier = i
			}
		case *kernel.Filter:
			cs.conjuncts(in.Cond, i, barrier)
		}
	}
	return cs
}

// conjuncts places the conjuncts of a condition that is needed at instruction
// at and may be tested anywhere after the barrier.
func (cs *conditions) conjuncts(id kernel.ValueID, at, barrier int) {
	def, defined := cs.defs[id]
	if !defined || def <= barrier || cs.c.shared.uses.count[id] > 1 {
		cs.after[at] = append(cs.after[at], &condition{bool: id})
		return
	}
	if and, ok := cs.block[def].(*kernel.Compute); ok && and.Op == kernel.OpAnd {
		cs.absorbed[def] = true
		for _, arg := range and.Args {
			cs.conjuncts(arg, def, barrier)
		}
		return
	}
	cond := cs.condition(id, def)
	cs.after[def] = append(cs.after[def], cond)
}

// condition makes the condition that value id, tested at instruction at, is
// true.
func (cs *conditions) condition(id kernel.ValueID, at int) *condition {
	in, def := cs.usedHere(id, at)
	if in == nil {
		return &condition{bool: id}
	}
	if p, ok := cs.c.predicateOf(in); ok {
		cs.absorbed[def] = true
		return &condition{pred: p}
	}
	if compute, ok := connective(in); ok {
		cond := &condition{any: compute.Op == kernel.OpOr}
		cs.flatten(cond, compute, at)
		cs.absorbed[def] = true
		return cond
	}
	return &condition{bool: id}
}

// connective reports whether an instruction is a conjunction or a disjunction.
func connective(in kernel.Instr) (*kernel.Compute, bool) {
	compute, ok := in.(*kernel.Compute)
	return compute, ok && (compute.Op == kernel.OpAnd || compute.Op == kernel.OpOr)
}

// flatten adds the operands of a connective to a condition, and those of operands that
// are connectives of the same kind.
func (cs *conditions) flatten(cond *condition, in *kernel.Compute, at int) {
	for _, arg := range in.Args {
		operand, def := cs.usedHere(arg, at)
		if sub, ok := connective(operand); ok && sub.Op == in.Op {
			cs.absorbed[def] = true
			cs.flatten(cond, sub, at)
			continue
		}
		cond.of = append(cond.of, cs.condition(arg, at))
	}
}

// codeKey notes where the key of a probe, instruction at, is the text of a code, which
// nothing else reads: the texts need not be made then.
func (cs *conditions) codeKey(in *kernel.Probe, at int) {
	if in.Sorted != nil || len(in.Keys) != 1 || in.Keys[0].NullSafe {
		return
	}
	text, def := cs.usedHere(in.Keys[0].Val, at)
	if decode, ok := text.(*kernel.Compute); ok && decode.Op == kernel.OpDecode {
		cs.absorbed[def] = true
		cs.c.codeKeys[in] = decode.Args[0]
	}
}

// usedHere returns the instruction that makes a value, and its place, where only
// instruction at uses the value; nil for others, and where an instruction in between makes
// new batches, in which the operands may be gone.
func (cs *conditions) usedHere(id kernel.ValueID, at int) (in kernel.Instr, def int) {
	def, defined := cs.defs[id]
	if !defined || cs.c.shared.uses.count[id] > 1 || cs.expanded[def] < cs.expanded[at] {
		return nil, 0
	}
	return cs.block[def], def
}
