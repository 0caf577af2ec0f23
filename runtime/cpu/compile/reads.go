package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// maxReads is how many values an instruction may read for what it computes to be tabulated.
const maxReads = 8

// readings are the values that an instruction reads, constants aside, of those that it does not
// define itself.
type readings struct {
	c       *Compiler
	list    []reading
	defined map[kernel.ValueID]bool // by the arms of an If
}

// reads returns what an instruction reads; ok is false where it is not a computation of a few
// values. The Ifs in an If are gone through once.
func (c *Compiler) reads(in kernel.Instr) (list []reading, ok bool) {
	branch, ok := in.(*kernel.If)
	if !ok {
		r := readings{c: c}
		ok = r.instr(in)
		return r.list, ok
	}
	list, known := c.branchReads[branch]
	if !known {
		r := readings{c: c, defined: make(map[kernel.ValueID]bool)}
		if r.arm(branch.Then) && r.arm(branch.Else) && r.add(branch.Cond, 1) && r.add(branch.ThenVal, 1) && r.add(branch.ElseVal, 1) {
			list = r.list
		}
		c.branchReads[branch] = list
	}
	return list, list != nil
}

// arm adds what the instructions of an arm read. It reports whether these are computations of a few
// values.
func (r *readings) arm(arm kernel.Block) bool {
	for _, in := range arm {
		if !r.instr(in) {
			return false
		}
		r.defined[kernel.Result(in)] = true
	}
	return true
}

// instr adds what an instruction reads.
func (r *readings) instr(in kernel.Instr) bool {
	switch in := in.(type) {
	case *kernel.Compute:
		for _, id := range in.Args {
			if !r.add(id, 1) {
				return false
			}
		}
		return true
	case *kernel.If:
		list, ok := r.c.reads(in)
		for _, of := range list {
			ok = ok && r.add(of.id, of.n)
		}
		return ok
	}
	return false
}

// add adds a value that is read so often. It reports whether the values are few.
func (r *readings) add(id kernel.ValueID, n int) bool {
	if id == kernel.NoValue || r.c.Worker.Vals[id] != nil || r.defined[id] {
		return true
	}
	if i := slices.IndexFunc(r.list, func(of reading) bool { return of.id == id }); i >= 0 {
		r.list[i].n += n
		return true
	}
	r.list = append(r.list, reading{id, n})
	return len(r.list) <= maxReads
}
