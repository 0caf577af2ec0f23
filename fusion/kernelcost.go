package fusion

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/merge"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// takes is what a kernel of some operators takes of a device.
type takes struct {
	operators.Resources
	parts     machine.Parts
	structure string            // "" where nobody asks what it was compiled to
	compiled  *machine.Compiled // what the device's compiler gave it; nil: not known
	spilled   float64           // bytes of local memory of a thread
	resident  float64           // share of a multiprocessor's threads
}

// takes estimates what a kernel of the operators takes (section 4.3.3): the registers that hold
// what passes between stages and those of each operator, by the figures of the device, and the
// shared memory of all. What the kernel was given when it was compiled is known and no estimate.
func (p *Program) takes(ops []int) takes { return p.takesWith(ops, p.spans(ops)) }

func (p *Program) takesWith(ops []int, spans []span) takes {
	t := takes{parts: p.parts(ops, spans)}
	figures := &p.Machine.Device.Registers
	for _, id := range ops {
		t.Shared += p.Ops[id].traits.Needs.Shared
	}
	t.Registers = figures.Of(&t.parts)
	given := t.Registers
	t.spilled = 4 * max(float64(given)-float64(figures.Most), 0)
	if p.compiler != nil {
		t.structure = p.structure(ops, t.parts.Words)
		if known, ok := p.compiler.Find(t.structure); ok {
			t.compiled, given, t.spilled = &known, known.Registers, float64(known.Spilled)
		}
	}
	t.resident = figures.Occupancy(given, operators.BlockThreads)
	return t
}

// exceeds reports whether it is more than a budget allows.
func (t *takes) exceeds(budget operators.Resources) bool {
	return t.Shared > budget.Shared || budget.Registers > 0 && t.Registers > budget.Registers
}

// structure names the kernels of operators that differ in constants and data alone. How wide stored
// columns are is data: it changes registers by a few.
func (p *Program) structure(ops []int, words float64) string {
	h := fnv.New64a()
	for _, id := range ops {
		_, _ = h.Write(p.Ops[id].structure) // it takes everything
	}
	return fmt.Sprintf("%016x-%d-%g", h.Sum64(), len(ops), words)
}

// name sets the operator's part of the structure of kernels.
func (o *Op) name() {
	o.structure = fmt.Append(o.structure, o.traits.Name, o.traits.Needs, "(")
	for i := range o.Keep {
		o.structure = fmt.Append(o.structure, o.Keep[i].Type, o.Keep[i].Nullable, " ")
	}
	o.structure = append(o.structure, ')')
}

// kernelCost is what a kernel takes on a device, in nanoseconds, as a part of a candidate.
type kernelCost struct {
	takes
	whole  float64 // where all rows stay in their threads
	packed float64 // where those that the best of the probes leaves are packed; +Inf: they cannot be
	behind int     // that probe
}

// cheapest is what it takes at best.
func (k kernelCost) cheapest() float64 { return min(k.whole, k.packed) }

// kernelCost estimates a kernel of the operators of a candidate from one on, up to another: it reads
// the columns of a table, or what the kernel before has written; it looks keys up; it waits for what
// is loaded behind a probe; and it writes what the next one reads. The fewer threads are resident of those
// that it needs, the longer all but the writing takes.
func (p *Program) kernelCost(chain []int, from, to int) kernelCost {
	ops, device := chain[from:to], &p.Machine.Device
	spans := p.spans(ops)
	k := kernelCost{takes: p.takesWith(ops, spans), packed: math.Inf(1)}
	rows, looked, idle, gain := p.rowsInto(ops[0]), 0.0, 0.0, 0.0
	read := rows * 4 * loadedWords(spans)
	if from > 0 {
		read = p.Ops[chain[from-1]].Bytes()
	}
	held := heldWords(spans, len(ops))
	for at, id := range ops {
		op := p.Ops[id]
		table := p.joined(op)
		if table == 0 {
			continue
		}
		looked += device.Bytes(p.rowsInto(id) * device.Filters.Lookup(table))
		waits := max(device.Waits(rows, loads(spans, at)+p.joins(ops[at+1:]))-looked, 0)
		idle = max(idle, waits)
		if saved := waits - device.Packing(rows, op.Rows); saved > gain {
			gain, k.behind = saved, id
		}
	}
	slow := max(device.Registers.Resident/k.resident, 1)
	work := device.Bytes(read) + looked + idle
	fixed := device.Step + device.Bytes(2*k.spilled*rows/float64(p.threadRows(ops, held)))
	if to < len(chain) {
		fixed += device.Bytes(p.Ops[ops[len(ops)-1]].Bytes())
	}
	k.whole = fixed + slow*work
	if gain > 0 && p.mayPack(ops) {
		k.packed = fixed + slow*(work-gain)
	}
	return k
}

// rowsInto is how many rows an operator reads of its first input, or gives where it has none.
func (p *Program) rowsInto(id int) float64 {
	op := p.Ops[id]
	if len(op.Inputs) == 0 {
		return op.Rows
	}
	return p.Ops[op.Inputs[0]].Rows
}

// joined is how many bytes the table has that an operator looks its rows up in; 0: it does not.
func (p *Program) joined(op *Op) float64 {
	switch o := op.Operator.(type) {
	case *probe.Operator:
		return max(p.Ops[op.Inputs[1]].Bytes(), 1)
	case *merge.Operator:
		return max(float64(o.Scan.Table.Rows)*float64(4*operators.RowRegisters(o.Columns())), 1)
	}
	return 0
}

// joins is how many of the operators look rows up.
func (p *Program) joins(ops []int) float64 {
	n := 0.0
	for _, id := range ops {
		if p.joined(p.Ops[id]) > 0 {
			n++
		}
	}
	return n
}

// loadedWords is how many words of a row are loaded.
func loadedWords(spans []span) float64 {
	n := 0
	for _, s := range spans {
		if s.loaded {
			n += s.words
		}
	}
	return float64(n)
}

// loads is how many columns are first loaded behind an operator.
func loads(spans []span, at int) float64 {
	n := 0.0
	for _, s := range spans {
		if s.loaded && s.first > at {
			n++
		}
	}
	return n
}

// mayPack reports whether rows may wait for others in a kernel of the operators: it aggregates.
func (p *Program) mayPack(ops []int) bool {
	_, ok := p.Ops[ops[len(ops)-1]].Operator.(*aggregate.Operator)
	return ok
}
