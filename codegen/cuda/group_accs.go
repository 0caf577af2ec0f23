package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// planAcc chooses how an accumulator is kept, and where.
func (g *Grouping) planAcc(acc *kernel.Acc) GroupedAcc {
	a := GroupedAcc{acc: acc, seen: -1}
	a.row, _ = acc.Op.Row()
	if acc.Distinct && !acc.Op.IgnoresDuplicates() {
		g.refuse("there is no device code for %s(DISTINCT)", acc.Op)
		return a
	}
	dst := &g.f.Values[acc.Dst[0]]
	var arg *kernel.Value
	if len(acc.Args) > 0 {
		arg = &g.f.Values[acc.Args[0]]
		g.ctype(arg.Type)
	}
	switch acc.Op {
	case kernel.AccCountStar, kernel.AccCount:
	case kernel.AccSumCount:
	case kernel.AccSum:
		a.kind = g.sumKind(arg, dst)
		a.seen = g.seenOf(acc)
	case kernel.AccSumSquare:
		switch dst.Type {
		case kernel.I128:
			a.kind = keptWide
		case kernel.Num:
			a.kind = keptNum
		default:
			g.refuse("there is no device code for %s giving %s", acc.Op, dst.Type)
		}
		a.seen = g.seenOf(acc)
	case kernel.AccMin, kernel.AccMax, kernel.AccAnd, kernel.AccOr, kernel.AccAny:
		if arg.Type == kernel.Num || arg.Type == kernel.Interval {
			g.refuse("there is no device code for %s of type %s with GROUP BY", acc.Op, arg.Type)
		}
		if arg.Type == kernel.Str {
			a.kind = keptText
			g.include("texts.cuh")
			break
		}
		a.kind, a.bits = keptMost, max(32*words(arg.Type), 32)
		g.Layout.SecondPass = g.Layout.SecondPass || a.bits == 128
		a.least = acc.Op == kernel.AccMin || acc.Op == kernel.AccAnd
		a.seen = g.seenOf(acc)
	default:
		if a.row.State == nil {
			g.refuse("there is no device code for %s with GROUP BY", acc.Op)
		}
		a.kind = keptState
		g.Layout.SecondPass = g.Layout.SecondPass || len(a.row.Differences) > 0
	}
	if a.kind == keptNum {
		a.bits, g.Layout.SecondPass = 32, true
	}
	g.place(&a)
	return a
}

// sumKind chooses how a sum is kept.
func (g *Grouping) sumKind(arg, dst *kernel.Value) accKind {
	switch {
	case dst.Type == kernel.F64:
		return keptFloat
	case dst.Type == kernel.Num:
		return keptNum
	case !dst.Type.IsInteger() || !arg.Type.IsInteger():
		g.refuse("there is no device code for sums of type %s", dst.Type)
	case dst.Range.Known, arg.Type == kernel.I32:
		return keptSum
	}
	return keptWide
}

// place assigns an accumulator its words.
func (g *Grouping) place(a *GroupedAcc) {
	a.state, a.plane = len(g.Layout.State), g.Layout.Planes
	switch {
	case a.kind == keptState:
		for range a.row.Parts {
			g.Layout.State = append(g.Layout.State, 8)
		}
		g.Layout.Planes += 2 * len(a.row.Parts)
	case a.kind == keptWide:
		g.Layout.State = append(g.Layout.State, 8, 8, 8)
		g.Layout.Planes += 6
	case a.kind == keptNum:
		g.Layout.State = append(g.Layout.State, 4, 8, 8, 8)
		g.Layout.Planes += 7
	case a.kind == keptMost && a.bits == 32:
		g.Layout.State = append(g.Layout.State, 4)
		g.Layout.Planes++
	case a.kind == keptMost && a.bits == 128:
		g.Layout.State = append(g.Layout.State, 8, 8)
		g.Layout.Planes += 4
	default:
		g.Layout.State = append(g.Layout.State, 8)
		g.Layout.Planes += 2
	}
}

// accumulate takes the rows of a tile.
func (a *GroupedAcc) accumulate(g *Grouping, e *Entry) {
	e.Line("// %s %s", a.acc.Op, e.name(a.acc.Dst[0]))
	e.Begin("")
	e.Line("const u32 rows = %s;", e.Counted(a.acc))
	e.openPlane(a.plane)
	e.Begin("ROWS if (bit(rows, r))")
	switch a.kind {
	case keptSum:
		v := "1"
		if a.acc.Op != kernel.AccCount && a.acc.Op != kernel.AccCountStar {
			v = "(u64)(i64)" + e.At(a.acc.Args[0])
		}
		e.Line("const u64 v = %s;", v)
		e.either("local_add(words + at[r], span, v)", fmt.Sprintf("atomicAdd(%s + %s, v)", a.Array(e, 0), e.place()))
	case keptWide:
		a.wideValue(e)
		e.either("local_add(words + at[r], span, v)", fmt.Sprintf("global_add(%s, %s, v)", a.Wide(e, 0), e.place()))
	case keptFloat:
		a.addFloat(e, 0, e.At(a.acc.Args[0]))
	case keptState:
		a.addParts(e)
	case keptMost:
		a.raiseMost(e, 0, a.rank(e))
	case keptNum:
		a.raiseMost(e, 0, a.numValue(e)+".scale + 1")
	case keptText:
		a.takeText(e)
	}
	e.End()
	e.End()
}

// wideValue declares what is added to a sum of 192 bits.
func (a *GroupedAcc) wideValue(e *Entry) {
	if a.acc.Op == kernel.AccSumSquare {
		e.Line("i128 square;")
		e.raise(fmt.Sprintf("mul_overflows((i128)%s, (i128)%s, square)", e.At(a.acc.Args[0]), e.At(a.acc.Args[0])), ErrSumRange, nil)
		e.Line("const Wide v = widen(square);")
		return
	}
	e.Line("const Wide v = widen((i128)%s);", e.At(a.acc.Args[0]))
}

// rank is the number whose greatest is kept of a value.
func (a *GroupedAcc) rank(e *Entry) string {
	v := e.At(a.acc.Args[0])
	if e.f.Values[a.acc.Args[0]].Type == kernel.Bool {
		v = "(u32)" + v
	}
	if a.bits == 128 {
		v = "(i64)(" + v + " >> 64)"
	}
	if a.least {
		return "~rank(" + v + ")"
	}
	return "rank(" + v + ")"
}

// flush adds what a slot has to its cell.
func (a *GroupedAcc) flush(g *Grouping, e *Entry) {
	e.Begin("")
	switch a.kind {
	case keptSum:
		e.Line("const u32* const mine = words + %d * span;", a.plane)
		e.Line("u64 v = 0;")
		e.Line("for (u32 c = 0; c < slots.replicas; c++) v += local_word(mine + c, span);")
		e.Line("if (v) atomicAdd(%s + cell, v);", a.Array(e, 0))
	case keptWide:
		a.flushWide(e, a.plane, 0)
	case keptFloat:
		a.flushFloat(e, 0)
	case keptState:
		a.flushParts(e, false)
	case keptMost, keptNum:
		a.flushMost(e, 0)
	case keptText:
		a.flushText(e)
	}
	e.End()
}

// result declares the result of a cell as a value of one row.
func (a *GroupedAcc) result(g *Grouping, e *Entry) {
	if a.kind == keptState {
		a.stateResults(e)
		return
	}
	id := a.acc.Dst[0]
	dst := &e.f.Values[id]
	v := a.Array(e, 0) + "[cell]"
	switch a.kind {
	case keptSum:
		v = "(i64)" + v
	case keptWide:
		v = a.wideSum(e, 0, ErrSumRange)
		e.fits(v, dst.Type)
	case keptNum:
		v = a.numSum(e)
	case keptMost:
		v = a.unranked(e, v)
	case keptText:
		v = "kept_text(" + v + ")"
	}
	if dst.Type == kernel.Bool {
		e.Line("const u32 %s = %s;", e.name(id), v)
	} else {
		e.Line("const %s %s[1] = {(%s)%s};", e.ctype(dst.Type), e.name(id), e.ctype(dst.Type), v)
	}
	if n := e.nulls(id); n != "" {
		e.Line("const u32 %s = %s;", n, g.unseen(e, a))
	}
}

// unseen is the condition that no row of it had a value.
func (g *Grouping) unseen(e *Entry, a *GroupedAcc) string {
	if a.kind == keptText {
		return a.Array(e, 0) + "[cell] == 0"
	}
	if a.seen < 0 {
		return "0"
	}
	return g.seen[a.seen].Array(e) + "[cell] == 0"
}

// unranked declares the value that has a rank.
func (a *GroupedAcc) unranked(e *Entry, rank string) string {
	if a.least {
		rank = "~" + rank
	}
	t := e.f.Values[a.acc.Args[0]].Type
	v := e.Temp("value")
	if a.bits == 128 {
		return a.unrankedWide(e, v, rank)
	}
	if t == kernel.Bool {
		e.Line("const u32 %s = (%s) & 1;", v, rank)
		return v
	}
	e.Line("%s %s;", e.ctype(t), v)
	e.Line("unrank(%s, %s);", rank, v)
	return v
}

// unrankedWide declares the value of 128 bits that has a rank and a low word.
func (a *GroupedAcc) unrankedWide(e *Entry, v, rank string) string {
	low := a.Array(e, 1) + "[cell]"
	if a.least {
		low = "~" + low
	}
	e.Line("i64 %s_high;", v)
	e.Line("unrank(%s, %s_high);", rank, v)
	e.Line("const i128 %s = wide(%s, (u64)%s_high);", v, low, v)
	return v
}
