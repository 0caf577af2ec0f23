package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The most combinations of values for which a value is tabulated: of one root, and of two.
const (
	maxEntries = 1 << 16
	maxPairs   = 1 << 12
)

// maxRoots is of how many values others are tabulated, and maxSteps how many instructions may lie
// between both.
const (
	maxRoots = 2
	maxSteps = 64
)

// tabulator finds values of a block that follow from one or two others of few values, the roots,
// and take longer to compute than to look up.
type tabulator struct {
	c      *Compiler
	block  kernel.Block
	defs   map[kernel.ValueID]derivation
	fresh  int                     // the first instruction whose values are there in the batches at hand
	needed map[kernel.ValueID]bool // values to be computed
	skip   []bool                  // instructions whose values nothing needs
	tables map[int]*tabulation     // by instruction
}

// derivation is how a value follows from its roots.
type derivation struct {
	at    int // the instruction
	reads []reading
	roots []kernel.ValueID
}

// tabulate finds the values of a block to be tabulated; absorbed are instructions that read what
// they read in another way.
func (c *Compiler) tabulate(block kernel.Block, absorbed []bool) *tabulator {
	t := &tabulator{
		c: c, block: block, defs: make(map[kernel.ValueID]derivation), needed: make(map[kernel.ValueID]bool),
		skip: make([]bool, len(block)), tables: make(map[int]*tabulation),
	}
	if c.tabulating {
		return t
	}
	for i, in := range block {
		switch in.(type) {
		case *kernel.Compute, *kernel.If:
			t.derive(i, in)
		case *kernel.Probe, *kernel.Repeat:
			t.fresh = i + 1
		}
	}
	t.needOutside()
	for i := len(block) - 1; i >= 0; i-- {
		t.choose(i, absorbed[i])
	}
	return t
}

// derive notes the roots of what instruction i computes, if there are few and they have few values.
func (t *tabulator) derive(i int, in kernel.Instr) {
	id := kernel.Result(in)
	reads, ok := t.c.reads(in)
	if !ok || len(reads) == 0 || t.c.Kernel.Values[id].Type == kernel.Code {
		return
	}
	var direct, roots []kernel.ValueID
	for _, r := range reads {
		direct = append(direct, r.id)
		of := []kernel.ValueID{r.id}
		if def, ok := t.defs[r.id]; ok && def.at >= t.fresh {
			of = def.roots
		}
		for _, root := range of {
			if !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
	}
	for _, roots := range [][]kernel.ValueID{roots, direct} {
		if t.c.few(roots) {
			t.defs[id] = derivation{i, reads, roots}
			return
		}
	}
}

// needOutside marks what else than values of few roots needs.
func (t *tabulator) needOutside() {
	within := make(map[kernel.ValueID]int)
	for _, def := range t.defs {
		for _, r := range def.reads {
			within[r.id] += r.n
		}
	}
	for id := range t.defs {
		n := t.c.shared.uses.count[id]
		t.needed[id] = n == 0 || n > within[id]
	}
}

// choose decides what becomes of instruction i, after those behind it.
func (t *tabulator) choose(i int, absorbed bool) {
	id := kernel.NoValue
	switch in := t.block[i].(type) {
	case *kernel.Compute:
		id = in.Dst
	case *kernel.If:
		id = in.Dst
	}
	def, ok := t.defs[id]
	switch {
	case !ok:
		return
	case absorbed:
	case !t.needed[id]:
		t.skip[i] = true
		return
	default:
		if part := t.part(id, def.roots); part != nil {
			t.tables[i] = t.c.newTabulation(id, def.roots, part)
			for _, root := range def.roots {
				t.needed[root] = true
			}
			return
		}
	}
	for _, r := range def.reads {
		t.needed[r.id] = true
	}
}

// few reports whether roots have few values together.
func (c *Compiler) few(roots []kernel.ValueID) bool {
	if len(roots) > maxRoots {
		return false
	}
	limit, n := maxEntries, 1
	if len(roots) > 1 {
		limit = maxPairs
	}
	for _, id := range roots {
		v := &c.Kernel.Values[id]
		integer := v.Type == kernel.I32 || v.Type == kernel.I64 || v.Type == kernel.Code
		if !integer || !v.Range.Known || uint64(v.Range.Hi)-uint64(v.Range.Lo) >= uint64(limit) {
			return false
		}
		n *= int(v.Range.Hi-v.Range.Lo) + 2 // and NULL
	}
	return n <= limit
}

// part returns the instructions that compute a value of its roots; nil where they are many, or as
// quick as looking the value up.
func (t *tabulator) part(id kernel.ValueID, roots []kernel.ValueID) kernel.Block {
	var steps []int
	if !t.collect(id, roots, &steps) {
		return nil
	}
	slices.Sort(steps)
	if !slices.ContainsFunc(steps, func(i int) bool { return t.c.slow(t.block[i]) }) {
		return nil
	}
	part := make(kernel.Block, len(steps))
	for k, i := range steps {
		part[k] = t.block[i]
	}
	return part
}

// collect lists the instructions that compute a value of its roots. It reports whether they are few.
func (t *tabulator) collect(id kernel.ValueID, roots []kernel.ValueID, steps *[]int) bool {
	def, ok := t.defs[id]
	switch {
	case !ok || len(*steps) >= maxSteps:
		return false
	case slices.Contains(*steps, def.at):
		return true
	}
	*steps = append(*steps, def.at)
	for _, r := range def.reads {
		if !slices.Contains(roots, r.id) && !t.collect(r.id, roots, steps) {
			return false
		}
	}
	return true
}

// slow reports whether an instruction takes longer than to look its result up.
func (c *Compiler) slow(in kernel.Instr) bool {
	compute, ok := in.(*kernel.Compute)
	if !ok {
		return true
	}
	from, to := c.Kernel.Values[compute.Args[0]].Type, c.Kernel.Values[compute.Dst].Type
	switch compute.Op {
	case kernel.OpDecode, kernel.OpRank, kernel.OpNarrow:
		return false
	case kernel.OpAdd, kernel.OpSub, kernel.OpMul:
		return to == kernel.Num || to == kernel.Interval
	case kernel.OpConvert:
		return slices.ContainsFunc([]kernel.Type{from, to}, func(t kernel.Type) bool { return t == kernel.Num || t == kernel.Str })
	}
	return !operations()[opKey{compute.Op, from}].total
}
