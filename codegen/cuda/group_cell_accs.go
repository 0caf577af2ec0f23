package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// What is read of the accumulators in a cell.

// value declares what part of the result of a cell needs, and returns it.
func (a *cellAcc) value(e *Entry, part int) string {
	if a.kind == keptState {
		v := a.Array(e, part) + "[cell]"
		e.finite(v)
		return v
	}
	v := a.Array(e, 0) + "[cell]"
	switch a.kind {
	case keptSum:
		return "(i64)" + v
	case keptWide:
		v = a.wideSum(e, 0, ErrSumRange)
		e.fits(v, a.result[0])
	case keptNum:
		return a.numSum(e)
	case keptFloat:
		e.finite(v)
	case keptMax:
		return a.unranked(e, v)
	case keptBits:
		return "(i64)" + a.keptBits(v)
	case keptText:
		return "kept_text(" + v + ")"
	}
	return v
}

// unseen is the condition that no row of the cell had a value.
func (a *cellAcc) unseen(e *Entry) string {
	switch {
	case a.kind == keptText:
		return a.Array(e, 0) + "[cell] == 0"
	case !a.noted:
		return "0"
	}
	return a.seen.cells(e, 0) + "[cell] == 0"
}

// unranked declares the value that has a rank.
func (a *cellAcc) unranked(e *Entry, rank string) string {
	if a.isMin {
		rank = "~" + rank
	}
	v := e.Temp("value")
	if a.bits == 128 {
		return a.unrankedWide(e, v, rank)
	}
	if a.arg == kernel.Bool {
		e.Line("const u32 %s = (%s) & 1;", v, rank)
		return v
	}
	e.Line("%s %s;", e.ctype(a.arg), v)
	e.Line("unrank(%s, %s);", rank, v)
	return v
}

// unrankedWide declares the value of 128 bits that has a rank and a low word.
func (a *cellAcc) unrankedWide(e *Entry, v, rank string) string {
	low := a.Array(e, 1) + "[cell]"
	if a.isMin {
		low = "~" + low
	}
	e.Line("i64 %s_high;", v)
	e.Line("unrank(%s, %s_high);", rank, v)
	e.Line("const i128 %s = wide(%s, (u64)%s_high);", v, low, v)
	return v
}

// keptBits are the bits that are kept for those of a value, and the bits of the result for those
// that are kept.
func (a *cellAcc) keptBits(bits string) string {
	if a.op == kernel.AccBitAnd {
		return "~(" + bits + ")"
	}
	return bits
}

// wideSum declares the sum of 192 bits of term i.
func (a *cellAcc) wideSum(e *Entry, i int, code ErrorCode) string {
	sum, v := e.Temp("sum"), e.Temp("sum")
	e.Line("const Wide %s = WideSum::of(cell, %s);", sum, a.Wide(e, i))
	e.raise("!fits_i128("+sum+")", code, nil)
	e.Line("const i128 %s = narrow(%s);", v, sum)
	return v
}

// numSum declares the sum of a cell.
func (a *cellAcc) numSum(e *Entry) string {
	coef := a.wideSum(e, 1, ErrNumRange)
	e.raise("magnitude("+coef+") >= power10(NUM_DIGITS)", ErrNumRange, nil)
	v := e.Temp("num")
	e.Line("const Num %s = {%s, max(%s[cell], 1u) - 1};", v, coef, a.Array(e, 0))
	return v
}
