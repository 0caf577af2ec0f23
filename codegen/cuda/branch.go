package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// branch writes an If: each arm runs with its own rows active.
func (e *computing) branch(in *kernel.If) {
	outer, taken := e.Temp("outer"), e.Temp("taken")
	e.Line("const u32 %s = active, %s = active & (%s);  // if", outer, taken, e.truth(in.Cond))
	dst := &e.f.Values[in.Dst]
	if dst.Type == kernel.Bool {
		e.Line("u32 %s;", e.name(in.Dst))
	} else {
		e.Line("%s %s[R];", e.ctype(dst.Type), e.name(in.Dst))
	}
	if n := e.nulls(in.Dst); n != "" {
		e.Line("u32 %s;", n)
	}
	e.Line("active = %s;", taken)
	e.Begin("")
	e.expressions(in.Then)
	e.assign(in.Dst, in.ThenVal)
	e.End()
	e.Line("active = %s & ~%s;", outer, taken)
	e.Begin("")
	e.expressions(in.Else)
	e.assignRest(in.Dst, in.ElseVal, taken)
	e.End()
	e.Line("active = %s;", outer)
}

// expressions writes a block that only computes values.
func (e *computing) expressions(b kernel.Block) {
	for _, in := range b {
		e.instr(in)
	}
}

// assign sets dst to the value of src in all rows.
func (e *computing) assign(dst, src kernel.ValueID) {
	if e.f.Values[dst].Type == kernel.Bool {
		e.Line("%s = %s;", e.name(dst), e.name(src))
	} else {
		e.Line("ROWS %s[r] = %s;", e.name(dst), e.At(src))
	}
	if n := e.nulls(dst); n != "" {
		e.Line("%s = %s;", n, e.orNone(src))
	}
}

// assignRest sets dst to the value of src in all rows that are not in taken.
func (e *computing) assignRest(dst, src kernel.ValueID, taken string) {
	if e.f.Values[dst].Type == kernel.Bool {
		e.Line("%s = %s & %s | %s & ~%s;", e.name(dst), e.name(dst), taken, e.name(src), taken)
	} else {
		e.Line("ROWS if (!bit(%s, r)) %s[r] = %s;", taken, e.name(dst), e.At(src))
	}
	if n := e.nulls(dst); n != "" {
		e.Line("%s = %s & %s | %s & ~%s;", n, n, taken, e.orNone(src), taken)
	}
}

// instr writes an instruction that neither adds rows nor needs others.
func (e *computing) instr(in kernel.Instr) {
	switch in := in.(type) {
	case *kernel.Compute:
		e.compute(in)
	case *kernel.Filter:
		e.Line("active &= %s;  // filter", e.truth(in.Cond))
	case *kernel.If:
		e.branch(in)
	case *kernel.Map:
		e.mapping(in)
	}
}
