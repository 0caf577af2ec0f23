package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// branch writes an If: each arm runs with its own rows active.
func (e *entry) branch(in *kernel.If) {
	outer, taken := e.temp("outer"), e.temp("taken")
	e.line("const u32 %s = active, %s = active & (%s);%s", outer, taken, e.truth(in.Cond), e.about(in.Cond, "if"))
	dst := &e.f.Values[in.Dst]
	if dst.Type == kernel.Bool {
		e.line("u32 %s;", e.name(in.Dst))
	} else {
		e.line("%s %s[R];", e.ctype(dst.Type), e.name(in.Dst))
	}
	if n := e.nulls(in.Dst); n != "" {
		e.line("u32 %s;", n)
	}
	e.line("active = %s;", taken)
	e.begin("")
	e.expressions(in.Then)
	e.assign(in.Dst, in.ThenVal)
	e.end()
	e.line("active = %s & ~%s;", outer, taken)
	e.begin("")
	e.expressions(in.Else)
	e.assignRest(in.Dst, in.ElseVal, taken)
	e.end()
	e.line("active = %s;", outer)
}

// expressions writes a block that only computes values.
func (e *entry) expressions(b kernel.Block) {
	for _, in := range b {
		e.instr(in)
	}
}

// assign gives dst the value of src in all rows.
func (e *entry) assign(dst, src kernel.ValueID) {
	if e.f.Values[dst].Type == kernel.Bool {
		e.line("%s = %s;", e.name(dst), e.name(src))
	} else {
		e.line("ROWS %s[r] = %s;", e.name(dst), e.at(src))
	}
	if n := e.nulls(dst); n != "" {
		e.line("%s = %s;", n, e.orNone(src))
	}
}

// assignRest gives dst the value of src in all rows that are not in taken.
func (e *entry) assignRest(dst, src kernel.ValueID, taken string) {
	if e.f.Values[dst].Type == kernel.Bool {
		e.line("%s = %s & %s | %s & ~%s;", e.name(dst), e.name(dst), taken, e.name(src), taken)
	} else {
		e.line("ROWS if (!bit(%s, r)) %s[r] = %s;", taken, e.name(dst), e.at(src))
	}
	if n := e.nulls(dst); n != "" {
		e.line("%s = %s & %s | %s & ~%s;", n, n, taken, e.orNone(src), taken)
	}
}
