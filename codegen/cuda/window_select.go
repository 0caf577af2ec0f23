package cuda

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// percentiles are the accumulators that pick values by their places in order.
func (w *windowing) percentiles() []*windowAcc {
	return slices.DeleteFunc(slices.Clone(w.accs), func(a *windowAcc) bool { return !a.row.Fraction })
}

// eachPercentile writes what is done for each percentile.
func (w *windowing) eachPercentile(e *Entry, body func(a *windowAcc)) {
	for _, a := range w.percentiles() {
		e.Begin("")
		body(a)
		e.End()
	}
}

func (e *arguments) wordsOf(a *windowAcc) string {
	return e.Arg(Arg{Kind: ArgWords, Index: a.call}, "u64*", "words of the values of "+e.name(a.acc.Dst[0]))
}

func (e *arguments) picked(a *windowAcc) string {
	return e.Arg(Arg{Kind: ArgPicked, Index: a.call}, "u64*", "words picked for "+e.name(a.acc.Dst[0]))
}

// segments are the partitions of more words than a warp selects from, or of many.
func (e *arguments) segments(many int) string {
	return e.Arg(Arg{Kind: ArgSegments, Index: many}, "u32*", "segments of "+[]string{"more", "many"}[many]+" words")
}

func (e *arguments) fraction(a *windowAcc) string {
	return e.Arg(Arg{Kind: ArgFraction, Index: a.call}, "f64", "fraction of a percentile")
}

// wanted is where the selection for a percentile of partition k begins.
func (e *arguments) wanted(a *windowAcc) string {
	of, desc := "wanted_at", a.acc.Op == kernel.AccPercentileDesc || a.acc.Op == kernel.AccPlacedDesc
	if isPlaced(a) {
		of = "wanted_first"
	}
	return fmt.Sprintf("%s<%t>(%s, %s[k].n)", of, desc, e.fraction(a), e.states(ArgRunning, a))
}

// isPlaced reports whether a percentile is one of the values.
func isPlaced(a *windowAcc) bool {
	return a.acc.Op == kernel.AccPlaced || a.acc.Op == kernel.AccPlacedDesc
}

// selections renders the entries that pick the values of percentiles.
func (w *windowing) selections() {
	if len(w.percentiles()) == 0 {
		return
	}
	w.include("select.cuh")
	w.entry("words", "takes the values of percentiles in the order of the partitions", threads, func(e *Entry) {
		e.Begin("for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < %s; i += (u64)gridDim.x * T)", e.ordered())
		e.Line("const u64 row = %s;", e.rowOf("i"))
		e.Line("const u32 active = 1;")
		e.Line("const int r = 0;")
		w.eachPercentile(e, func(a *windowAcc) {
			w.load(e, "row", append(slices.Clone(a.acc.Args), a.acc.Filter)...)
			e.Line("%s[i] = (%s) ? rank(%s) : ~0ull;", e.wordsOf(a), e.Counted(a.acc), w.At(a.acc.Args[0]))
		})
		e.End()
	})
	w.entry("pick_few", "picks from partitions of few words; lists the others", threads/Lanes, w.selectFew)
	w.entry("pick_more", "picks from partitions of more words", 1, func(e *Entry) {
		e.Line("__shared__ Selecting selecting;")
		_, starts := e.partitions()
		e.Begin("for (u64 at = blockIdx.x; at < %s; at += gridDim.x)", e.Arg(Arg{Kind: ArgMore}, "u64", "segments of more words"))
		e.Line("const u64 k = %s[at], lo = %s[k];", e.segments(0), starts)
		w.eachPercentile(e, func(a *windowAcc) {
			e.Line("select_more(selecting, %s + lo, %s[k + 1] - lo, %s, %s + 2 * k);", e.wordsOf(a), starts, e.wanted(a), e.picked(a))
		})
		e.End()
	})
	w.overMany("many_count", "counts digits of words of partitions of many", chunkWords, func(e *Entry, a *windowAcc, starts string) {
		e.Line("count_many(selecting, many, %s, %s, (int)%s);", starts, e.wordsOf(a), e.digitShift())
	})
	w.overMany("many_choose", "goes on by a digit of them", 1, func(e *Entry, a *windowAcc, starts string) {
		e.Line("choose_many(selecting, many, (int)%s, %s);", e.digitShift(), e.picked(a))
	})
	w.overMany("many_next", "picks the words behind", chunkWords, func(e *Entry, a *windowAcc, starts string) {
		e.Line("pick_next(many, %s, %s, %s);", starts, e.wordsOf(a), e.picked(a))
	})
}

func (e *arguments) digitShift() string {
	return e.Arg(Arg{Kind: ArgShift}, "u64", "place of the digit")
}

// selectFew writes the entry that has a warp pick from each partition of few words.
func (w *windowing) selectFew(e *Entry) {
	_, starts := e.partitions()
	counts := e.Arg(Arg{Kind: ArgSegmentN}, "u64*", "segments of more words, and of many")
	e.Begin("for (u64 k = (u64)blockIdx.x * WARPS + threadIdx.x / 32; k < %s && %s > 0; k += (u64)gridDim.x * WARPS)", e.groupCount(), e.ordered())
	e.Line("const u64 lo = %s[k], n = %s[k + 1] - lo;", starts, starts)
	e.Begin("if (n > FEW_WORDS)")
	e.Line("if ((threadIdx.x & 31) != 0) continue;")
	e.Line("const bool many = n > MANY_WORDS;")
	e.Line("const u64 at = atomicAdd(%s + many, 1ull);", counts)
	e.Line("(many ? %s : %s)[at] = (u32)k;", e.segments(1), e.segments(0))
	for _, a := range w.percentiles() {
		e.Line("if (many) ((Selected*)%s)[at] = %s;", e.selected(a), e.wanted(a))
	}
	e.Line("continue;")
	e.End()
	w.eachPercentile(e, func(a *windowAcc) {
		e.Line("select_few(%s + lo, n, %s, %s + 2 * k);", e.wordsOf(a), e.wanted(a), e.picked(a))
	})
	e.End()
}

func (e *arguments) selected(a *windowAcc) string {
	return e.Arg(Arg{Kind: ArgSelected, Index: a.call}, "u8*", "how far the selection is for "+e.name(a.acc.Dst[0]))
}

// overMany writes an entry that does something with the partitions of many words.
func (w *windowing) overMany(name, comment string, rows int, body func(e *Entry, a *windowAcc, starts string)) {
	w.entry(name, comment, rows, func(e *Entry) {
		if name != "many_next" {
			e.Line("__shared__ Selecting selecting;")
		}
		_, starts := e.partitions()
		w.eachPercentile(e, func(a *windowAcc) {
			e.Line("const Many many = {%s, %s, (Selected*)%s, %s};", e.segments(1), e.Arg(Arg{Kind: ArgMany}, "u64", "segments of many words"),
				e.selected(a), e.Arg(Arg{Kind: ArgDigits, Index: a.call}, "u32*", "digits counted for "+e.name(a.acc.Dst[0])))
			body(e, a, starts)
		})
	})
}

// percentile declares the value at the fraction of the way through those of s.n rows,
// between two where it is none's.
func (w *windowing) percentile(e *Entry, a *windowAcc) {
	if isPlaced(a) {
		e.Line("%s first = 0;", w.kept(a.acc.Args[0]))
		e.Line("if (s.n) unrank(%s[2 * k], first);", e.picked(a))
		w.declareRow(e, a.acc.Dst[0], "first", "s.n == 0")
		return
	}
	e.Line("const f64 at = %s * (f64)(s.n ? s.n - 1 : 0);", e.fraction(a))
	e.Line("const u64 before = (u64)at;")
	e.Line("f64 first = 0, second = 0;")
	lo, hi := "first", "second"
	if a.acc.Op == kernel.AccPercentileDesc {
		lo, hi = hi, lo
	}
	e.Begin("if (s.n)")
	e.Line("unrank(%s[2 * k], %s);", e.picked(a), lo)
	e.Line("unrank(%s[2 * k + 1], %s);", e.picked(a), hi)
	e.End()
	w.declareRow(e, a.acc.Dst[0], "(at == (f64)before ? first : first + (at - (f64)before) * (second - first))", "s.n == 0")
}

// chunkWords and manyWords are CHUNK_WORDS and MANY_WORDS of select.cuh, and selectedBytes
// the size of a Selected.
const (
	chunkWords    = 16 * threads
	manyWords     = 1 << 15
	selectedBytes = 40
)

// selections plans the selection of the values of percentiles within so many groups.
func (p *windowPlanner) selections(n, groups launch.Expr) {
	accs := p.w.percentiles()
	if len(accs) == 0 {
		return
	}
	bytes := func(each int, x launch.Expr) launch.Expr { return expr.Times(launch.Int(each), x) }
	most := expr.Plus(expr.Div(n, launch.Int(manyWords)), launch.Int(1))
	var held []int
	alloc := func(a Arg, access launch.Access, size launch.Expr, fill launch.Fill) {
		b := p.alloc(fmt.Sprintf("%s_%d", a.Kind, a.Index), size, fill)
		p.Pointer(a, access, launch.Ref{Buffer: b})
		if a.Kind != ArgPicked {
			held = append(held, b)
		}
	}
	as := func(kind ArgKind, access launch.Access) {
		for a, fill := range p.fills {
			if a.Kind == kind {
				p.Pointer(a, access, fill.Ref)
			}
		}
	}
	for _, a := range accs {
		p.Number(Arg{Kind: ArgFraction, Index: a.call}, launch.Int(math.Float64bits(a.acc.Fraction)))
		alloc(Arg{Kind: ArgWords, Index: a.call}, launch.Out, bytes(8, n), launch.Anything)
		alloc(Arg{Kind: ArgPicked, Index: a.call}, launch.InOut, bytes(16, groups), launch.Zeros)
		alloc(Arg{Kind: ArgSelected, Index: a.call}, launch.InOut, bytes(selectedBytes, most), launch.Zeros)
	}
	alloc(Arg{Kind: ArgSegments}, launch.InOut, bytes(4, groups), launch.Zeros)
	alloc(Arg{Kind: ArgSegments, Index: 1}, launch.InOut, bytes(4, most), launch.Zeros)
	alloc(Arg{Kind: ArgSegmentN}, launch.InOut, launch.Int(16), launch.Zeros)
	counts := p.fills[Arg{Kind: ArgSegmentN}].Ref
	p.Launch("words", n)
	as(ArgWords, launch.In)
	p.Launch("pick_few", groups)
	more, many := p.word("more", 0), p.word("many", 1)
	p.add(&launch.Read{From: counts, Words: launch.Int(2), Raise: launch.None, Into: []launch.Into{more, many}, Array: launch.None})
	p.Number(Arg{Kind: ArgMore}, launch.VarRef(more.Var))
	p.Number(Arg{Kind: ArgMany}, launch.VarRef(many.Var))
	p.When(expr.LessThan(launch.Int(0), launch.VarRef(more.Var)), func() { p.Launch("pick_more", launch.VarRef(more.Var)) }, func() {})
	p.When(expr.LessThan(launch.Int(0), launch.VarRef(many.Var)), func() {
		for _, a := range accs {
			alloc(Arg{Kind: ArgDigits, Index: a.call}, launch.InOut, bytes(4<<digitBits, launch.VarRef(many.Var)), launch.Zeros)
			held = held[:len(held)-1]
		}
		digit := p.Let("digit", launch.Int(wordDigits))
		p.Loop(func() {
			p.Set(digit, expr.Minus(digit, launch.Int(1)))
			p.Number(Arg{Kind: ArgShift}, expr.Times(launch.Int(digitBits), digit))
			p.Launch("many_count", n)
			p.Launch("many_choose", launch.VarRef(many.Var))
			p.Until(expr.Equal(digit, launch.Int(0)))
		})
		p.Launch("many_next", n)
		for _, a := range accs {
			p.release(p.fills[Arg{Kind: ArgDigits, Index: a.call}].Ref.Buffer)
		}
	}, func() {})
	as(ArgPicked, launch.In)
	p.release(held...)
}
