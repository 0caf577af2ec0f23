package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// clean removes what does not contribute to the sink: columns that nothing
// reads, computations that another form of the same made needless, parameters
// that were folded into others. Then it puts what is left in order and numbers
// the values anew.
func clean(f *kernel.Func) {
	c := &cleaner{used: make([]bool, len(f.Values))}
	kernel.SinkOperands(f.Sink, c.use)
	f.Body = c.block(f.Body)
	switch s := f.Source.(type) {
	case *kernel.Scan:
		s.Cols = c.columns(s.Cols)
	case *kernel.Unmatched:
		s.Cols = c.columns(s.Cols)
	}
	kernel.SourceOperands(f.Source, c.use)
	f.Params = slices.DeleteFunc(f.Params, func(p kernel.Param) bool { return !c.used[p.Dst] })
	if len(f.Params) == 0 {
		f.Params = nil
	}
	f.Body = computeLate(f.Body)
	renumber(f)
}

// cleaner walks a kernel from its end to its beginning and notes what is used.
type cleaner struct{ used []bool }

func (c *cleaner) use(id kernel.ValueID) {
	if id != kernel.NoValue {
		c.used[id] = true
	}
}

func (c *cleaner) columns(cols []kernel.SourceCol) []kernel.SourceCol {
	cols = slices.DeleteFunc(cols, func(s kernel.SourceCol) bool { return !c.used[s.Dst] })
	if len(cols) == 0 {
		return nil
	}
	return cols
}

// block returns the instructions that are needed.
func (c *cleaner) block(b kernel.Block) kernel.Block {
	var kept kernel.Block
	for _, in := range slices.Backward(b) {
		if c.needs(in) {
			kept = append(kept, in)
		}
	}
	slices.Reverse(kept)
	return kept
}

// needs reports whether an instruction is needed, and if so uses what it reads.
func (c *cleaner) needs(in kernel.Instr) bool {
	if dst := kernel.Result(in); dst != kernel.NoValue && !c.used[dst] {
		return false
	}
	kernel.Blocks(in, func(b *kernel.Block, yields kernel.ValueID) {
		c.use(yields)
		*b = c.block(*b)
	})
	switch in := in.(type) {
	case *kernel.Repeat:
		if in.Index != kernel.NoValue && !c.used[in.Index] {
			in.Index = kernel.NoValue
		}
	case *kernel.Probe:
		in.Payload = c.columns(in.Payload)
	}
	kernel.Operands(in, c.use, nil)
	return true
}

// renumber numbers values and dictionaries in the order of their definition,
// without gaps.
func renumber(f *kernel.Func) {
	n := &numberer{
		f: f, values: make([]kernel.ValueID, len(f.Values)), dicts: make([]kernel.DictID, f.Dicts),
	}
	for i := range n.values {
		n.values[i] = kernel.NoValue
	}
	for i := range n.dicts {
		n.dicts[i] = -1
	}
	old := f.Values
	f.Values = nil
	n.old = old
	kernel.VisitValues(f, n.visit)
	f.Dicts = n.used
}

type numberer struct {
	f      *kernel.Func
	old    []kernel.Value
	values []kernel.ValueID // by old number
	dicts  []kernel.DictID  // by old number
	used   int              // dictionaries so far
}

func (n *numberer) visit(id *kernel.ValueID) {
	if *id == kernel.NoValue {
		return
	}
	if n.values[*id] == kernel.NoValue {
		v := n.old[*id]
		if v.Type == kernel.Code {
			if n.dicts[v.Dict] < 0 {
				n.dicts[v.Dict] = kernel.DictID(n.used)
				n.used++
			}
			v.Dict = n.dicts[v.Dict]
		}
		if n.f.Values == nil {
			n.f.Values = make([]kernel.Value, 0, len(n.old))
		}
		n.values[*id] = kernel.ValueID(len(n.f.Values))
		n.f.Values = append(n.f.Values, v)
	}
	*id = n.values[*id]
}
