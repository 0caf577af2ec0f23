package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// uses knows where the values of a kernel are read.
type uses struct {
	count   []int                             // by value: how many operands it is
	live    map[kernel.Instr][]kernel.ValueID // after a top-level instruction of the body that multiplies rows
	lasting []bool                            // by value: see lastingTexts
}

// after lists the values that are defined before instruction in, a top-level
// Probe or Repeat of the body, and read after it, in increasing order. Those that in
// itself defines are not among them.
func (u *uses) after(in kernel.Instr) []kernel.ValueID { return u.live[in] }

// Multiplies reports whether an instruction of a body may give more rows than it takes.
func Multiplies(in kernel.Instr) bool {
	switch in.(type) {
	case *kernel.Probe, *kernel.Repeat:
		return true
	}
	return false
}

// countUses walks a kernel backwards from its sink.
func countUses(f *kernel.Func) uses {
	u := uses{count: make([]int, len(f.Values)), live: make(map[kernel.Instr][]kernel.ValueID), lasting: lastingTexts(f)}
	live := make([]bool, len(f.Values))
	read := func(id kernel.ValueID) {
		if id != kernel.NoValue {
			u.count[id]++
			live[id] = true
		}
	}
	kernel.SinkOperands(f.Sink, read)
	var reads, defined []kernel.ValueID
	noteRead := func(id kernel.ValueID) { reads = append(reads, id) }
	define := func(id kernel.ValueID) {
		if id != kernel.NoValue {
			defined, live[id] = append(defined, id), false
		}
	}
	if s, ok := f.Sink.(*kernel.Several); ok { // what a branch defines is read in it alone
		for i := range s.Branches {
			for _, in := range s.Branches[i].Body {
				kernel.Operands(in, nil, define)
			}
		}
	}
	for i := len(f.Body) - 1; i >= 0; i-- {
		reads, defined = reads[:0], defined[:0]
		kernel.Operands(f.Body[i], noteRead, define)
		if Multiplies(f.Body[i]) {
			u.live[f.Body[i]] = listed(live)
		}
		for _, id := range reads {
			read(id)
		}
		for _, id := range defined { // and read by a nested block
			live[id] = false
		}
	}
	return u
}

// listed returns the values of a set in increasing order.
func listed(set []bool) (ids []kernel.ValueID) {
	for id, in := range set {
		if in {
			ids = append(ids, kernel.ValueID(id))
		}
	}
	return ids
}

// lastingTexts says by value which texts routines read, which may remember those of the call before, and
// which texts these may share memory with.
func lastingTexts(f *kernel.Func) []bool {
	lasting := make([]bool, len(f.Values))
	if !slices.ContainsFunc(f.Values, func(v kernel.Value) bool { return v.Type == kernel.Str }) {
		return lasting
	}
	all := kernel.Instructions(f.Body)
	if s, ok := f.Sink.(*kernel.Several); ok {
		for i := range s.Branches {
			all = append(all, kernel.Instructions(s.Branches[i].Body)...)
		}
	}
	var read []kernel.ValueID
	for _, in := range all {
		if c, ok := in.(*kernel.Compute); ok && c.Op == kernel.OpRoutine {
			read = append(read, c.Args...)
		}
	}
	if len(read) == 0 {
		return lasting
	}
	parts := textParts(f, all)
	for len(read) > 0 {
		id := read[len(read)-1]
		if read = read[:len(read)-1]; !lasting[id] {
			lasting[id] = true
			read = append(read, parts[id]...)
		}
	}
	return lasting
}

// textParts returns by text, unless a routine gives it or it is a copy of others put together, the values that it may
// be a part of.
func textParts(f *kernel.Func, instrs []kernel.Instr) map[kernel.ValueID][]kernel.ValueID {
	parts := make(map[kernel.ValueID][]kernel.ValueID)
	for _, in := range instrs {
		switch in := in.(type) {
		case *kernel.Compute:
			if in.Op != kernel.OpRoutine && in.Op != kernel.OpConcat && f.Values[in.Dst].Type == kernel.Str {
				parts[in.Dst] = in.Args
			}
		case *kernel.If:
			parts[in.Dst] = []kernel.ValueID{in.ThenVal, in.ElseVal}
		}
	}
	return parts
}
