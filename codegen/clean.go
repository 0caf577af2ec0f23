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
	c.sink(f.Sink)
	f.Body = c.block(f.Body)
	switch s := f.Source.(type) {
	case *kernel.Scan:
		s.Cols = c.columns(s.Cols)
		for _, p := range s.Prune {
			c.use(p.Lo, p.Hi)
		}
	case *kernel.Unmatched:
		s.Cols = c.columns(s.Cols)
	}
	f.Params = slices.DeleteFunc(f.Params, func(p kernel.Param) bool { return !c.used[p.Dst] })
	if len(f.Params) == 0 {
		f.Params = nil
	}
	f.Body = computeLate(f.Body)
	renumber(f)
}

// cleaner walks a kernel from its end to its beginning and notes what is used.
type cleaner struct{ used []bool }

func (c *cleaner) use(ids ...kernel.ValueID) {
	for _, id := range ids {
		if id != kernel.NoValue {
			c.used[id] = true
		}
	}
}

func (c *cleaner) keys(keys []kernel.Key) {
	for _, k := range keys {
		c.use(k.Val)
	}
}

func (c *cleaner) columns(cols []kernel.SourceCol) []kernel.SourceCol {
	cols = slices.DeleteFunc(cols, func(s kernel.SourceCol) bool { return !c.used[s.Dst] })
	if len(cols) == 0 {
		return nil
	}
	return cols
}

func (c *cleaner) sink(s kernel.Sink) {
	switch s := s.(type) {
	case *kernel.Materialize:
		c.use(s.Cols...)
	case *kernel.Build:
		c.keys(s.Keys)
		c.use(s.Payload...)
	case *kernel.Aggregate:
		c.use(s.Keys...)
		c.accs(s.Accs)
	case *kernel.Cubing:
		c.use(s.Keys...)
		c.accs(s.Accs)
	case *kernel.Sort:
		c.use(s.Cols...)
		c.sortKeys(s.Keys)
	case *kernel.Window:
		c.window(s)
	}
}

func (c *cleaner) accs(accs []kernel.Acc) {
	for _, a := range accs {
		c.use(a.Args...)
		c.use(a.Filter)
	}
}

func (c *cleaner) sortKeys(keys []kernel.SortKey) {
	for _, k := range keys {
		c.use(k.Val)
	}
}

func (c *cleaner) window(s *kernel.Window) {
	c.use(s.Cols...)
	c.sortKeys(s.Partition)
	c.sortKeys(s.Order)
	for _, f := range s.Frames {
		c.use(f.Key, f.Start.Limit, f.End.Limit)
	}
	for _, call := range s.Calls {
		c.use(call.Args...)
		c.use(call.Filter)
	}
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
	switch in := in.(type) {
	case *kernel.Compute:
		if !c.used[in.Dst] {
			return false
		}
		c.use(in.Args...)
	case *kernel.If:
		if !c.used[in.Dst] {
			return false
		}
		c.use(in.Cond, in.ThenVal, in.ElseVal)
		in.Then, in.Else = c.block(in.Then), c.block(in.Else)
	case *kernel.Map:
		if !c.used[in.Dst] {
			return false
		}
		c.use(in.Src, in.Result)
		in.Body = c.block(in.Body)
	case *kernel.Filter:
		c.use(in.Cond)
	case *kernel.Repeat:
		c.use(in.Count)
		if in.Index != kernel.NoValue && !c.used[in.Index] {
			in.Index = kernel.NoValue
		}
	case *kernel.Probe:
		c.use(in.Cond)
		in.Residual = c.block(in.Residual)
		in.Payload = c.columns(in.Payload)
		c.keys(in.Keys)
	}
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
