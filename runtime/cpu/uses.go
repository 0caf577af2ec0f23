package cpu

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// uses knows where the values of a kernel are read.
type uses struct {
	count []int                             // by value: how many operands it is
	live  map[kernel.Instr][]kernel.ValueID // after a top-level instruction of the body that multiplies rows
}

// after lists the values that are defined before instruction in, a top-level
// Probe or Repeat of the body, and read after it, in increasing order. Those that in
// itself defines are not among them.
func (u *uses) after(in kernel.Instr) []kernel.ValueID { return u.live[in] }

// countUses walks a kernel backwards from its sink.
func countUses(f *kernel.Func) uses {
	u := uses{count: make([]int, len(f.Values)), live: make(map[kernel.Instr][]kernel.ValueID)}
	live := make(map[kernel.ValueID]bool)
	read := func(id kernel.ValueID) {
		if id != kernel.NoValue {
			u.count[id]++
			live[id] = true
		}
	}
	for _, id := range sinkOperands(f.Sink) {
		read(id)
	}
	for i := len(f.Body) - 1; i >= 0; i-- {
		in := f.Body[i]
		defined := make(map[kernel.ValueID]bool)
		eachDef(in, func(id kernel.ValueID) { defined[id] = true })
		switch in.(type) {
		case *kernel.Probe, *kernel.Repeat:
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
		eachUse(in, func(id kernel.ValueID) {
			read(id)
			if defined[id] { // by a nested block
				delete(live, id)
			}
		})
	}
	return u
}

// sinkOperands lists the values that a sink reads.
func sinkOperands(s kernel.Sink) []kernel.ValueID {
	var ids []kernel.ValueID
	switch s := s.(type) {
	case *kernel.Materialize:
		ids = s.Cols
	case *kernel.Sort:
		ids = append(ids, s.Cols...)
		for _, k := range s.Keys {
			ids = append(ids, k.Val)
		}
	case *kernel.Window:
		ids = windowOperands(s)
		for _, k := range slices.Concat(s.Partition, s.Order) {
			ids = append(ids, k.Val)
		}
	case *kernel.Build:
		ids = append(ids, s.Payload...)
		for _, k := range s.Keys {
			ids = append(ids, k.Val)
		}
	case *kernel.Aggregate:
		ids = append(ids, s.Keys...)
		for _, a := range s.Accs {
			ids = append(ids, a.Args...)
			ids = append(ids, a.Filter)
		}
	}
	return ids
}

// eachUse calls f for every operand of an instruction, nested blocks included.
func eachUse(in kernel.Instr, f func(kernel.ValueID)) {
	switch in := in.(type) {
	case *kernel.Compute:
		for _, id := range in.Args {
			f(id)
		}
	case *kernel.Filter:
		f(in.Cond)
	case *kernel.If:
		f(in.Cond)
		f(in.ThenVal)
		f(in.ElseVal)
		eachUseIn(in.Then, f)
		eachUseIn(in.Else, f)
	case *kernel.Map:
		f(in.Src)
		f(in.Result)
		eachUseIn(in.Body, f)
	case *kernel.Probe:
		for _, k := range in.Keys {
			f(k.Val)
		}
		f(in.Cond)
		eachUseIn(in.Residual, f)
	case *kernel.Repeat:
		f(in.Count)
	}
}

func eachUseIn(block kernel.Block, f func(kernel.ValueID)) {
	for _, in := range block {
		eachUse(in, f)
	}
}

// eachDef calls f for every value that an instruction defines, nested blocks
// included.
func eachDef(in kernel.Instr, f func(kernel.ValueID)) {
	switch in := in.(type) {
	case *kernel.Compute:
		f(in.Dst)
	case *kernel.If:
		f(in.Dst)
		eachDefIn(in.Then, f)
		eachDefIn(in.Else, f)
	case *kernel.Map:
		f(in.Arg)
		f(in.Dst)
		eachDefIn(in.Body, f)
	case *kernel.Probe:
		for _, col := range in.Payload {
			f(col.Dst)
		}
		eachDefIn(in.Residual, f)
	case *kernel.Repeat:
		if in.Index != kernel.NoValue {
			f(in.Index)
		}
	}
}

func eachDefIn(block kernel.Block, f func(kernel.ValueID)) {
	for _, in := range block {
		eachDef(in, f)
	}
}
