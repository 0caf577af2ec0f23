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
	live := make(map[kernel.ValueID]bool)
	read := func(id kernel.ValueID) {
		if id != kernel.NoValue {
			u.count[id]++
			live[id] = true
		}
	}
	kernel.SinkOperands(f.Sink, read)
	if s, ok := f.Sink.(*kernel.Several); ok { // what a branch defines is read in it alone
		for i := range s.Branches {
			for _, in := range s.Branches[i].Body {
				kernel.Operands(in, nil, func(id kernel.ValueID) { delete(live, id) })
			}
		}
	}
	for i := len(f.Body) - 1; i >= 0; i-- {
		in := f.Body[i]
		defined := make(map[kernel.ValueID]bool)
		kernel.Operands(in, nil, func(id kernel.ValueID) { defined[id] = true })
		if Multiplies(in) {
			for id := range live {
				if !defined[id] {
					u.live[in] = append(u.live[in], id)
				}
			}
			slices.Sort(u.live[in])
		}
		for id := range defined {
			delete(live, id)
		}
		kernel.Operands(in, func(id kernel.ValueID) {
			read(id)
			if defined[id] { // by a nested block
				delete(live, id)
			}
		}, nil)
	}
	return u
}

// lastingTexts says by value which texts routines read, which may remember those of the call before, and
// which texts these may share memory with.
func lastingTexts(f *kernel.Func) []bool {
	lasting := make([]bool, len(f.Values))
	parts := make(map[kernel.ValueID][]kernel.ValueID)
	var read []kernel.ValueID
	note := func(b kernel.Block) {
		for _, in := range kernel.Instructions(b) {
			switch in := in.(type) {
			case *kernel.Compute:
				if in.Op == kernel.OpRoutine {
					read = append(read, in.Args...)
				} else if f.Values[in.Dst].Type == kernel.Str {
					parts[in.Dst] = in.Args
				}
			case *kernel.If:
				parts[in.Dst] = []kernel.ValueID{in.ThenVal, in.ElseVal}
			}
		}
	}
	note(f.Body)
	if s, ok := f.Sink.(*kernel.Several); ok {
		for i := range s.Branches {
			note(s.Branches[i].Body)
		}
	}
	for len(read) > 0 {
		id := read[len(read)-1]
		if read = read[:len(read)-1]; !lasting[id] {
			lasting[id] = true
			read = append(read, parts[id]...)
		}
	}
	return lasting
}
