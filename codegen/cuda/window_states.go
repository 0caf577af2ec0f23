package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// typeName is the type of the accumulator's states in the source.
func (a *windowAcc) typeName() string { return fmt.Sprintf("Acc%d", a.call) }

// bytes is at least what a state takes: a value of at most 16 bytes, a count of 8, and
// what has failed.
func (a *windowAcc) bytes() int {
	switch {
	case a.state == "Count":
		return 8
	case a.state == "SumNarrow":
		return 16
	case a.state == "SumFloat":
		return 24
	case a.state == "SumNum":
		return 64
	case strings.HasSuffix(a.state, "<Num>"), strings.HasSuffix(a.state, "<Interval>"):
		return 48
	case strings.HasSuffix(a.state, "<i128>"):
		return 32
	case len(a.row.Parts) > 0:
		return 8 * len(a.row.Parts)
	case a.state == "SumWide", a.state == "SumInterval":
		return 48
	}
	return 16
}

// fails reports whether a state keeps what has gone wrong.
func (a *windowAcc) fails() bool {
	return strings.HasPrefix(a.state, "Sum") && a.state != "SumNarrow"
}

// runsFrom reports whether all frames begin with the partition.
func runsFrom(f *kernel.Frame) bool {
	return f.Start.Kind == kernel.UnboundedPreceding && f.Exclude == kernel.ExcludeNothing
}

// accumulators renders the entries that make the states of accumulators.
func (w *windowing) accumulators() {
	for i := range w.s.Calls {
		c := &w.s.Calls[i]
		if c.Func != kernel.WindowAggregate {
			continue
		}
		a := &windowAcc{call: i, acc: &c.Acc, runs: runsFrom(&w.s.Frames[c.Frame])}
		a.row, _ = a.acc.Op.Row()
		switch {
		case a.row.AllRows:
			a.state = "Count"
		case len(a.row.Parts) > 0:
			a.state = w.partsStruct(a)
		default:
			a.state = w.stateType(&c.Acc)
		}
		if w.err != nil {
			return
		}
		w.accs = append(w.accs, a)
		w.takeFunction(a)
	}
	w.frameFunctions()
	if slices.ContainsFunc(w.accs, func(a *windowAcc) bool { return a.runs }) {
		w.runningStates()
	}
	if slices.ContainsFunc(w.accs, func(a *windowAcc) bool { return !a.runs }) {
		w.treeStates()
	}
}

// takeFunction renders the state of one row.
func (w *windowing) takeFunction(a *windowAcc) {
	kind := "Sure"
	if a.fails() {
		kind = "Failing"
	}
	name := a.typeName()
	w.texts = append(w.texts, fmt.Sprintf("typedef %s<%s> %s;\nstatic_assert(sizeof(%s) <= %d, \"the plan has room for a state\");\n", kind, a.state, name, name, a.bytes()))
	a.take = w.function("the state of row i", name, fmt.Sprintf("take%d", a.call), ", const u64 i", func(e *Entry) {
		e.Line("const u64 row = %s;", e.rowOf("i"))
		e.Line("const u32 active = 1;")
		e.Line("const int r = 0;")
		w.load(e, "row", append(slices.Clone(a.acc.Args), a.acc.Filter)...)
		e.Line("%s s;", name)
		e.Line("s.start();")
		e.Begin("if (%s)", e.Counted(a.acc))
		takes, counts := "", strings.HasPrefix(a.state, "Sum") || a.state == "Count"
		switch {
		case a.state == "Count":
		case len(a.row.Parts) > 0:
			takes = w.takeParts(a)
		case a.state == "SumNarrow":
			takes = fmt.Sprintf("s.take((i64)%s);", w.At(a.acc.Args[0]))
		case a.acc.Op == kernel.AccSumSquare:
			takes = fmt.Sprintf("s.take_square(%s, s.fail);", w.At(a.acc.Args[0]))
		case counts:
			takes = fmt.Sprintf("s.take(%s, s.fail);", w.At(a.acc.Args[0]))
		default:
			takes = fmt.Sprintf("s.take(%s);", w.At(a.acc.Args[0]))
		}
		if takes != "" {
			e.Line("%s", takes)
		}
		if counts {
			e.Line("s.n = 1;")
		}
		e.End()
		e.Line("return s;")
	})
}

// partsStruct renders the state of parts of double precision, and returns its type. Two
// are merged as finer groups are: see kernel.Part.
func (w *windowing) partsStruct(a *windowAcc) string {
	name := fmt.Sprintf("Parts%d", a.call)
	of := func(x string) map[string]string {
		names := make(map[string]string)
		for _, p := range a.row.Parts {
			names[p.Name] = x + "." + p.Name
		}
		return names
	}
	e := w.newEntry(name)
	e.Begin("struct %s", name)
	var fields, zeros []string
	for _, p := range a.row.Parts {
		fields, zeros = append(fields, p.Name), append(zeros, p.Name+" = 0")
	}
	e.Line("f64 %s;", strings.Join(fields, ", "))
	e.Line("DEVICE void start() { %s; }", strings.Join(zeros, ", "))
	e.Begin("DEVICE void add(const %s& x, const %s& all)", name, name)
	names := of("x")
	for _, d := range a.row.Differences {
		e.Line("const f64 %s_of = x.%s / x.%s - all.%s / all.%s;", d.Name, d.Sum, d.Count, d.Sum, d.Count)
		names[d.Name] = d.Name + "_of"
	}
	for _, p := range a.row.Parts {
		if p.Whole != "" {
			e.Line("%s += %s;", p.Name, expand(p.Whole, names))
		}
	}
	e.End()
	e.Begin("DEVICE void merge(const %s& o, u32&)", name)
	empty := func(x string) string {
		var is []string
		for _, d := range a.row.Differences {
			is = append(is, fmt.Sprintf("%s%s == 0", x, d.Count))
		}
		return strings.Join(is, " || ")
	}
	e.Line("if (%s) return;", empty("o."))
	e.Line("const %s mine = *this;", name)
	e.Line("if (%s) *this = o;", empty("mine."))
	e.Line("if (%s) return;", empty("mine."))
	for _, p := range a.row.Parts {
		if p.Whole == "" {
			e.Line("%s += o.%s;", p.Name, p.Name)
		} else {
			e.Line("%s = 0;", p.Name)
		}
	}
	e.Line("add(mine, *this);")
	e.Line("add(o, *this);")
	for _, p := range a.row.Parts {
		if p.Whole != "" {
			e.Line("%s = deviations(%[1]s, mine.%[1]s, o.%[1]s);", p.Name)
		}
	}
	e.End()
	e.depth--
	e.Line("};")
	w.texts = append(w.texts, e.lines.String())
	return name
}

// takeParts sets the parts of a state to those of a row.
func (w *windowing) takeParts(a *windowAcc) string {
	args := map[string]string{"x": w.At(a.acc.Args[len(a.acc.Args)-1]), "y": w.At(a.acc.Args[0])}
	var sets []string
	for i, p := range a.row.Parts {
		x := expand(p.Row, args)
		if a.row.Merges {
			x = w.At(a.acc.Args[i])
		}
		sets = append(sets, fmt.Sprintf("s.%s = %s;", p.Name, x))
	}
	return strings.Join(sets, " ")
}

// states is an array of states of an accumulator.
func (e *arguments) states(kind ArgKind, a *windowAcc) string {
	return fmt.Sprintf("((%s*)%s)", a.typeName(), e.Arg(Arg{Kind: kind, Index: a.call}, "u8*", "states of accumulator "+e.name(a.acc.Dst[0])))
}

func (e *arguments) tileHeads() string {
	return e.Arg(Arg{Kind: ArgTileHeads}, "u32*", "whether a partition begins in each tile")
}

// eachAcc writes what is done with the states of the accumulators that run, or do not.
func (w *windowing) eachAcc(e *Entry, runs bool, body func(a *windowAcc)) {
	for _, a := range w.accs {
		if a.runs == runs {
			e.Begin("")
			body(a)
			e.End()
		}
	}
}

// openStates declares the shared memory for states.
func (w *windowing) openStates(e *Entry) {
	most := 0
	for _, a := range w.accs {
		most = max(most, a.bytes())
	}
	e.Line("__shared__ __align__(16) u8 scratch[T / 2 * %d];", most)
}

// takeEach is a function object of the states of single rows.
func (w *windowing) takeEach(a *windowAcc) string {
	return fmt.Sprintf("[&](u64 i) { return %s(p, i); }", w.calls(a.take))
}

// runningStates renders the entries that combine the states of the rows of a partition one
// after the other.
func (w *windowing) runningStates() {
	w.overTiles("reduce", "combines the states of the last rows of each tile", func(e *Entry) {
		w.openStates(e)
		e.Line("__shared__ u32 last;")
	}, func(e *Entry) {
		w.eachAcc(e, true, func(a *windowAcc) {
			e.Line("reduce_tile((%s*)scratch, last, %s, %s, tile, %s[tile], %s[tile], %s);",
				a.typeName(), e.marks(), e.ordered(), e.states(ArgTileStates, a), e.tileHeads(), w.takeEach(a))
		})
	})
	w.entry("run_starts", "combines the states of the tiles; one block", 0, func(e *Entry) {
		w.openStates(e)
		w.eachAcc(e, true, func(a *windowAcc) {
			e.Line("run_tiles(*(Left<%s>*)scratch, %s, %s, %s);", a.typeName(), e.states(ArgTileStates, a), e.tileHeads(),
				e.Arg(Arg{Kind: ArgTiles}, "i64", "tiles of the rows"))
		})
	})
	w.overTiles("run", "combines the states of each partition's rows", w.openStates, func(e *Entry) {
		w.eachAcc(e, true, func(a *windowAcc) {
			of := "nullptr"
			if w.perGroup {
				of, _ = e.partitions()
			}
			e.Line("run_rows(*(Left<%s>*)scratch, %s, %s, tile, %s, %s, %s, %s);",
				a.typeName(), e.marks(), e.ordered(), e.states(ArgTileStates, a), e.states(ArgRunning, a), of, w.takeEach(a))
		})
	})
}

// treeStates renders the entries that make a tree of the states of the rows.
func (w *windowing) treeStates() {
	over := func(name, comment, from, to string, body func(e *Entry, a *windowAcc)) {
		w.entry(name, comment, threads, func(e *Entry) {
			lo := e.treeArg(from)
			e.Begin("for (u64 i = %s + (u64)blockIdx.x * T + threadIdx.x; i < %s; i += (u64)gridDim.x * T)", lo, e.treeArg(to))
			w.eachAcc(e, false, func(a *windowAcc) { body(e, a) })
			e.End()
		})
	}
	over("leaves", "makes the state of each row", "0", "n", func(e *Entry, a *windowAcc) {
		e.Line("%s[%s + i] = %s(p, i);", e.states(ArgNodes, a), e.ordered(), w.calls(a.take))
	})
	over("join", "combines the states of two nodes each", "from", "end", func(e *Entry, a *windowAcc) {
		e.Line("join_nodes(%s, i);", e.states(ArgNodes, a))
	})
}

// treeArg is a bound of the nodes that an entry makes.
func (e *arguments) treeArg(name string) string {
	switch name {
	case "n":
		return e.ordered()
	case "from":
		return e.Arg(Arg{Kind: ArgNodeFrom}, "u64", "first of the nodes")
	case "end":
		return e.Arg(Arg{Kind: ArgNodeEnd}, "u64", "the one behind the last")
	}
	return name
}

// aggregated declares what an accumulator gives over the frame of row i.
func (w *windowing) aggregated(e *Entry, c *kernel.WindowCall, number int) {
	a := w.accs[slices.IndexFunc(w.accs, func(a *windowAcc) bool { return a.call == number })]
	e.Line("%s s;", a.typeName())
	e.Line("s.start();")
	if a.runs {
		e.Line("const Span bounds = %s(p, i, partition, peers);", w.calls(w.frames[c.Frame]))
		e.Line("if (bounds.hi > bounds.lo) s = %s[bounds.hi - 1];", e.states(ArgRunning, a))
	} else {
		w.frame(e, c.Frame)
		e.Line("for (int k = 0; k < 3; k++) cover(s, %s, %s, frame.part[k]);", e.states(ArgNodes, a), e.ordered())
	}
	w.results(e, a)
}

// results declares what the state s of an accumulator gives.
func (w *windowing) results(e *Entry, a *windowAcc) {
	if a.fails() {
		e.raiseFailed("s.failed()", a.state)
	}
	for i, id := range a.acc.Dst {
		if len(a.row.Parts) > 0 {
			part := "s." + a.row.Parts[i].Name
			if a.row.Parts[i].Whole != "" {
				e.raise("is_inf("+part+")", ErrFloatOverflow, nil)
			}
			w.declareRow(e, id, part, "")
		} else {
			e.result("s", a.state, id)
		}
	}
}
