package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Acc is the accumulator.
func (a *GroupedAcc) Acc() *kernel.Acc { return a.acc }

// IsSum reports whether it is a sum of 64 bits, and IsWideSum whether it has more.
func (a *GroupedAcc) IsSum() bool { return a.kind == keptSum }

func (a *GroupedAcc) IsWideSum() bool { return a.kind == keptWide }

// Array is an array of the accumulator.
func (a *GroupedAcc) Array(e *Entry, i int) string {
	ctype := "u64*"
	switch {
	case a.kind == keptFloat, a.kind == keptState:
		ctype = "f64*"
	case a.kind == keptMost && a.bits == 32, a.kind == keptNum && i == 0:
		ctype = "u32*"
	}
	return e.Arg(Arg{Kind: ArgState, Index: a.state + i}, ctype, string(a.acc.Op)+" "+e.name(a.acc.Dst[0]))
}

// Wide are the three arrays, from number first on, of a sum of 192 bits.
func (a *GroupedAcc) Wide(e *Entry, first int) string {
	return fmt.Sprintf("%s, %s, %s", a.Array(e, first), a.Array(e, first+1), a.Array(e, first+2))
}

// addFloat adds to number i of the accumulator.
func (a *GroupedAcc) addFloat(e *Entry, i int, v string) {
	e.Line("atomicAdd(%s, %s);", e.word("f64", 2*i, a.Array(e, i)), v)
}

// raiseMost raises number i of the accumulator to v where that is more.
func (a *GroupedAcc) raiseMost(e *Entry, i int, v string) {
	width := min(a.bits, 64)
	e.Line("const u%d v = %s;", width, v)
	e.either(fmt.Sprintf("atomicMax((u%d*)(words + %d * span) + at[r], v)", width, 2*i),
		fmt.Sprintf("atomicMax(%s + %s, v)", a.Array(e, i), e.place()))
}

// flushFloat adds number i of a slot to its cell.
func (a *GroupedAcc) flushFloat(e *Entry, i int) {
	e.Begin("")
	e.Line("const f64* const plane = (const f64*)(slots.words + %d * span) + slot * slots.replicas;", a.plane+2*i)
	e.Line("f64 v = 0;")
	e.Line("for (u32 c = 0; c < slots.replicas; c++) v += plane[c];")
	e.Line("if (v != 0) atomicAdd(%s + cell, v);", a.Array(e, i))
	e.End()
}

// flushMost raises number i of a cell to that of its slot.
func (a *GroupedAcc) flushMost(e *Entry, i int) {
	width := min(a.bits, 64)
	e.Begin("")
	e.Line("const u%d* const plane = (const u%d*)(slots.words + %d * span) + slot * slots.replicas;", width, width, a.plane+2*i)
	e.Line("u%d v = 0;", width)
	e.Line("for (u32 c = 0; c < slots.replicas; c++) v = max(v, plane[c]);")
	e.Line("if (v) atomicMax(%s + cell, v);", a.Array(e, i))
	e.End()
}

// flushWide adds the sum of 192 bits from a plane on to the arrays from number
// first on.
func (a *GroupedAcc) flushWide(e *Entry, plane, first int) {
	e.Line("const u32* const mine = words + %d * span;", plane)
	e.Begin("for (u32 c = 0; c < slots.replicas; c++)")
	e.Line("const Wide v = {{local_word(mine + c, span), local_word(mine + c + 2 * span, span), local_word(mine + c + 4 * span, span)}};")
	e.Line("global_add(%s, cell, v);", a.Wide(e, first))
	e.End()
}

// wideSum declares the sum of 192 bits in the arrays from number first on.
func (a *GroupedAcc) wideSum(e *Entry, first int, code ErrorCode) string {
	sum, v := e.Temp("sum"), e.Temp("sum")
	e.Line("const Wide %s = {{%s[cell], %s[cell], %s[cell]}};", sum, a.Array(e, first), a.Array(e, first+1), a.Array(e, first+2))
	e.raise("!fits_i128("+sum+")", code, nil)
	e.Line("const i128 %s = narrow(%s);", v, sum)
	return v
}
