package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// accKind is how an accumulator of many groups is kept in words that atomics
// combine, all zeros for no rows.
type accKind uint8

// The kinds.
const (
	keptSum     accKind = iota // 64 bits, which the result is proven to fit in, or a count
	keptWide                   // 192 bits
	keptFloat                  // double precision
	keptMost                   // the greatest of the ranks of the values, or of their complements
	keptMoments                // three of double precision: see moments
	keptNum                    // the greatest scale plus one, and 192 bits at that scale
	keptText                   // the word of the first, the last or any text: see keptTexts
)

// GroupedAcc is an accumulator of many groups.
type GroupedAcc struct {
	acc   *kernel.Acc
	kind  accKind
	bits  int  // of keptMost: 32, 64, or 128, of which the low word is found by going over the rows again
	least bool // of keptMost: complements
	state int  // first array
	plane int  // first plane of shared memory
	seen  int  // what tells whether the group has had a value, or -1
}

// planAcc chooses how an accumulator is kept, and where.
func (g *Grouping) planAcc(acc *kernel.Acc) GroupedAcc {
	a := GroupedAcc{acc: acc, seen: -1}
	if acc.Distinct {
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
		g.Layout.Again = g.Layout.Again || a.bits == 128
		a.least = acc.Op == kernel.AccMin || acc.Op == kernel.AccAnd
		a.seen = g.seenOf(acc)
	case kernel.AccMoments, kernel.AccMergeMom:
		a.kind = keptMoments
		g.Layout.Again = true
	default:
		g.refuse("there is no device code for %s with GROUP BY", acc.Op)
	}
	if a.kind == keptNum {
		a.bits, g.Layout.Again = 32, true
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

// place gives an accumulator its words.
func (g *Grouping) place(a *GroupedAcc) {
	a.state, a.plane = len(g.Layout.State), g.Layout.Planes
	switch {
	case a.kind == keptWide, a.kind == keptMoments:
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

// Acc is the accumulator.
func (a *GroupedAcc) Acc() *kernel.Acc { return a.acc }

// IsSum reports whether it is a sum of 64 bits, and IsWideSum whether it has more.
func (a *GroupedAcc) IsSum() bool     { return a.kind == keptSum }
func (a *GroupedAcc) IsWideSum() bool { return a.kind == keptWide }

// Array is an array of the accumulator.
func (a *GroupedAcc) Array(e *Entry, i int) string {
	ctype := "u64*"
	switch {
	case a.kind == keptFloat, a.kind == keptMoments:
		ctype = "f64*"
	case a.kind == keptMost && a.bits == 32, a.kind == keptNum && i == 0:
		ctype = "u32*"
	}
	return e.Arg(Arg{Kind: ArgState, Index: a.state + i}, ctype, string(a.acc.Op)+" "+e.f.Values[a.acc.Dst[0]].Name)
}

// Wide are the three arrays, from number first on, of a sum of 192 bits.
func (a *GroupedAcc) Wide(e *Entry, first int) string {
	return fmt.Sprintf("%s, %s, %s", a.Array(e, first), a.Array(e, first+1), a.Array(e, first+2))
}

// accumulate takes the rows of a tile.
func (a *GroupedAcc) accumulate(g *Grouping, e *Entry) {
	e.Line("// %s %s", a.acc.Op, oneLine(e.f.Values[a.acc.Dst[0]].Name))
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
	case keptMoments:
		a.addMoments(e)
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

// flush adds what a home has to its cell.
func (a *GroupedAcc) flush(g *Grouping, e *Entry) {
	e.Begin("")
	switch a.kind {
	case keptSum:
		e.Line("const u32* const mine = words + %d * span;", a.plane)
		e.Line("u64 v = 0;")
		e.Line("for (u32 c = 0; c < homes.copies; c++) v += local_word(mine + c, span);")
		e.Line("if (v) atomicAdd(%s + cell, v);", a.Array(e, 0))
	case keptWide:
		a.flushWide(e, a.plane, 0)
	case keptFloat:
		a.flushFloat(e, 0)
	case keptMoments:
		a.flushFloat(e, 0)
		a.flushFloat(e, 1)
	case keptMost, keptNum:
		a.flushMost(e, 0)
	case keptText:
		a.flushText(e)
	}
	e.End()
}

// flushWide adds the sum of 192 bits from a plane on to the arrays from number
// first on.
func (a *GroupedAcc) flushWide(e *Entry, plane, first int) {
	e.Line("const u32* const mine = words + %d * span;", plane)
	e.Begin("for (u32 c = 0; c < homes.copies; c++)")
	e.Line("const Wide v = {{local_word(mine + c, span), local_word(mine + c + 2 * span, span), local_word(mine + c + 4 * span, span)}};")
	e.Line("global_add(%s, cell, v);", a.Wide(e, first))
	e.End()
}

// raiseMost raises number i of the accumulator to v where that is more.
func (a *GroupedAcc) raiseMost(e *Entry, i int, v string) {
	width := min(a.bits, 64)
	e.Line("const u%d v = %s;", width, v)
	e.either(fmt.Sprintf("atomicMax((u%d*)(words + %d * span) + at[r], v)", width, 2*i),
		fmt.Sprintf("atomicMax(%s + %s, v)", a.Array(e, i), e.place()))
}

// flushMost raises number i of a cell to that of its home.
func (a *GroupedAcc) flushMost(e *Entry, i int) {
	width := min(a.bits, 64)
	e.Begin("")
	e.Line("const u%d* const plane = (const u%d*)(homes.words + %d * span) + home * homes.copies;", width, width, a.plane+2*i)
	e.Line("u%d v = 0;", width)
	e.Line("for (u32 c = 0; c < homes.copies; c++) v = max(v, plane[c]);")
	e.Line("if (v) atomicMax(%s + cell, v);", a.Array(e, i))
	e.End()
}

// addFloat adds to number i of the accumulator.
func (a *GroupedAcc) addFloat(e *Entry, i int, v string) {
	e.Line("atomicAdd(%s, %s);", e.word("f64", 2*i, a.Array(e, i)), v)
}

// flushFloat adds number i of a home to its cell.
func (a *GroupedAcc) flushFloat(e *Entry, i int) {
	e.Begin("")
	e.Line("const f64* const plane = (const f64*)(homes.words + %d * span) + home * homes.copies;", a.plane+2*i)
	e.Line("f64 v = 0;")
	e.Line("for (u32 c = 0; c < homes.copies; c++) v += plane[c];")
	e.Line("if (v != 0) atomicAdd(%s + cell, v);", a.Array(e, i))
	e.End()
}

// result declares the result of a cell as a value of one row.
func (a *GroupedAcc) result(g *Grouping, e *Entry) {
	if a.kind == keptMoments {
		a.momentResults(e)
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
		e.Line("const u32 %s = %s;%s", e.name(id), v, e.about(id, ""))
	} else {
		e.Line("const %s %s[1] = {(%s)%s};%s", e.ctype(dst.Type), e.name(id), e.ctype(dst.Type), v, e.about(id, ""))
	}
	if n := e.nulls(id); n != "" {
		e.Line("const u32 %s = %s;", n, g.unseen(e, a))
	}
}

// wideSum declares the sum of 192 bits in the arrays from number first on.
func (a *GroupedAcc) wideSum(e *Entry, first int, code ErrorCode) string {
	sum, v := e.Temp("sum"), e.Temp("sum")
	e.Line("const Wide %s = {{%s[cell], %s[cell], %s[cell]}};", sum, a.Array(e, first), a.Array(e, first+1), a.Array(e, first+2))
	e.raise("!fits_i128("+sum+")", code, nil)
	e.Line("const i128 %s = narrow(%s);", v, sum)
	return v
}

// unseen tells of a cell that no row of it had a value.
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
