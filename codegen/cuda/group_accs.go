package cuda

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// planAcc chooses how an accumulator is kept, and where.
func (g *Grouping) planAcc(acc *kernel.Acc) GroupedAcc {
	a := GroupedAcc{acc: acc, cellAcc: cellAcc{op: acc.Op}, seen: -1}
	a.row, _ = acc.Op.Row()
	if acc.TakesOnce() && g.markings == nil {
		g.refuse("there is no device code for %s(DISTINCT)", acc.Op)
		return a
	}
	dst := &g.f.Values[acc.Dst[0]]
	var arg *kernel.Value
	if len(acc.Args) > 0 {
		arg = &g.f.Values[acc.Args[0]]
		a.arg = arg.Type
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
		if arg.Type == kernel.Str {
			a.kind = keptText
			g.include("texts.cuh")
			break
		}
		a.kind, a.bits = keptMax, max(32*words(arg.Type), 32)
		g.Layout.SecondPass = g.Layout.SecondPass || a.bits == 128
		a.isMin = acc.Op == kernel.AccMin || acc.Op == kernel.AccAnd
		a.seen = g.seenOf(acc)
	case kernel.AccBitAnd, kernel.AccBitOr, kernel.AccBitXor:
		a.kind = keptBits
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

// place gives an accumulator its terms.
func (g *Grouping) place(a *GroupedAcc) {
	note := string(a.acc.Op) + " " + g.name(a.acc.Dst[0])
	add := func(kind *termKind, second bool) {
		t := g.newTerm(kind, note)
		t.second = second
		a.terms = append(a.terms, t)
	}
	switch {
	case a.kind == keptSum:
		add(sumTerm, false)
		a.terms[0].ones = a.acc.Op == kernel.AccCount || a.acc.Op == kernel.AccCountStar
		a.terms[0].max = 1
		if !a.terms[0].ones {
			a.terms[0].max = g.maxOf(a.acc.Args[0])
		}
	case a.kind == keptWide:
		add(wideTerm, false)
	case a.kind == keptFloat:
		add(floatTerm, false)
	case a.kind == keptState:
		for _, p := range a.row.Parts {
			add(floatTerm, p.Whole != "")
		}
	case a.kind == keptNum:
		add(maxTerm32, false)
		add(wideTerm, true)
	case a.kind == keptText:
		add(textTerm(a.acc.Op), false)
	case a.kind == keptBits && a.op == kernel.AccBitXor:
		add(xorTerm, false)
	case a.kind == keptBits:
		add(orTerm, false)
	case a.bits == 32:
		add(maxTerm32, false)
	default:
		add(maxTerm, false)
		if a.bits == 128 {
			add(maxTerm, true)
		}
	}
}

// maxOf is the greatest number that a value may have; MaxUint64 where it may have a sign.
func (g *Grouping) maxOf(id kernel.ValueID) uint64 {
	if r := g.f.Values[id].Range; r.Known && r.Lo >= 0 {
		return uint64(r.Hi)
	}
	return math.MaxUint64
}

// accumulate takes the rows of a tile, in the first pass over the rows or in the second.
func (a *GroupedAcc) accumulate(e *Entry, second bool) {
	terms := a.termsOf(second)
	if len(terms) == 0 {
		return
	}
	e.Line("// %s %s", a.acc.Op, e.name(a.acc.Dst[0]))
	e.Begin("")
	e.Line("u32 rows = %s;", e.Counted(a.acc))
	if second {
		a.keepWhole(e)
	}
	e.contribute("rows", terms, func() []string { return a.given(e, second) })
	e.End()
}

// given declares what a row gives to the terms of a pass, and returns the numbers.
func (a *GroupedAcc) given(e *Entry, second bool) []string {
	switch a.kind {
	case keptSum:
		if a.terms[0].ones {
			return []string{"1"}
		}
		return []string{"(u64)(i64)" + e.At(a.acc.Args[0])}
	case keptWide:
		return []string{a.wideValue(e)}
	case keptState:
		if second {
			return a.wholes(e)
		}
		return a.parts(e)
	case keptMax:
		if second {
			return []string{a.lowWord(e)}
		}
		return []string{a.rank(e)}
	case keptNum:
		if second {
			return []string{a.numAtScale(e)}
		}
		return []string{a.numValue(e) + ".scale + 1"}
	case keptBits:
		return []string{a.keptBits("(u64)(i64)" + e.At(a.acc.Args[0]))}
	case keptText:
		return []string{"kept_word(" + e.At(a.acc.Args[0]) + ")"}
	}
	return []string{e.At(a.acc.Args[0])}
}

// wideValue returns what is added to a sum of 192 bits.
func (a *GroupedAcc) wideValue(e *Entry) string {
	x := e.At(a.acc.Args[0])
	if a.acc.Op != kernel.AccSumSquare {
		return "widen((i128)" + x + ")"
	}
	e.Line("i128 square;")
	e.raise(fmt.Sprintf("mul_overflows((i128)%s, (i128)%s, square)", x, x), ErrSumRange, nil)
	return "widen(square)"
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
	if a.isMin {
		return "~rank(" + v + ")"
	}
	return "rank(" + v + ")"
}

// keepWhole leaves rows out that give nothing to what is of the group as a whole.
func (a *GroupedAcc) keepWhole(e *Entry) {
	without := ""
	switch {
	case a.kind == keptMax:
		without = a.rank(e) + " != " + a.Array(e, 0) + "[cell[r]]"
	case a.kind == keptState && a.row.Merges:
		without = "!(" + a.counted(e) + ")"
	default:
		return
	}
	e.Line("ROWS if (bit(rows, r) && (%s)) rows &= ~(1u << r);", without)
}

// lowWord is the low word of a value whose high word is the group's, or its complement.
func (a *GroupedAcc) lowWord(e *Entry) string {
	low := "(u64)" + e.At(a.acc.Args[0])
	if a.isMin {
		return "~" + low
	}
	return low
}

// storeResults writes the results of a group to a place.
func (g *Grouping) storeResults(e *Entry, c *GroupCells, place string) {
	out := len(g.s.Keys)
	for i := range g.accs {
		if g.inColumn(g.accs[i].terms[0].array) >= 0 {
			out += len(g.accs[i].acc.Dst)
			continue
		}
		for _, id := range g.accs[i].acc.Dst {
			v, null := c.column(e, out)
			e.declareCell(id, v, null)
			e.store(out, id, place)
			out++
		}
	}
}
