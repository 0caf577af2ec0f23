package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// single renders the aggregation of one group: every thread keeps a state in its
// registers, the threads of a block merge theirs, and the last block merges those
// of the blocks and writes the row, or an entry of its own where there are no rows.
func (r *renderer) single(s *kernel.Aggregate) {
	r.include("state.cuh")
	r.planMarks(s)
	states := make([]string, len(s.Accs))
	for i := range s.Accs {
		states[i] = r.stateType(&s.Accs[i])
	}
	if r.err != nil {
		return
	}
	r.texts = append(r.texts, stateStruct(states))
	for i := range s.Accs {
		for _, id := range s.Accs[i].Dst {
			r.output(id)
		}
	}
	r.Pass(Pass{
		Name: "aggregate", Comment: "aggregates the rows of each block", Warps: true, Marks: true,
		Open: func(e *Entry) {
			e.Line("State state;")
			e.Line("state.start();")
			e.Line("u32 fail = 0;")
		},
		Rows: func(e *Entry) {
			for i := range s.Accs {
				e.accumulate(i, &s.Accs[i], states[i])
			}
		},
		Close: func(e *Entry) {
			e.openMerge()
			e.mergeBlock(states)
			e.Line("if (threadIdx.x == 0) ((State*)%s)[%s + blockIdx.x] = state;", e.partials(), e.firstBlock())
		},
		Last: func(e *Entry) {
			e.whereLast("the last block merges those of all", "", func(string) { e.finish(s, states, e.firstBlock()+" + gridDim.x") })
		},
	})
	r.entry("finish", "merges the blocks' states and writes the row; one block", 0, func(e *Entry) {
		e.openMerge()
		e.finish(s, states, e.Arg(Arg{Kind: ArgBlocks}, "u64", "blocks that have aggregated"))
	})
}

// stateType is the device type of an accumulator's state.
func (r *renderer) stateType(a *kernel.Acc) string {
	if a.TakesOnce() && r.markings == nil {
		r.refuse("there is no device code for %s(DISTINCT) without GROUP BY", a.Op)
	}
	if len(a.Args) == 0 {
		return "Count"
	}
	arg, dst := &r.f.Values[a.Args[0]], &r.f.Values[a.Dst[0]]
	switch a.Op {
	case kernel.AccCount:
		return "Count"
	case kernel.AccSum, kernel.AccSumCount:
		return r.sumType(arg, dst)
	case kernel.AccSumSquare:
		switch dst.Type {
		case kernel.I128:
			return "SumWide"
		case kernel.Num:
			return "SumNum"
		}
	case kernel.AccMin:
		return "Min<" + r.ctype(arg.Type) + ">"
	case kernel.AccMax:
		return "Max<" + r.ctype(arg.Type) + ">"
	case kernel.AccAnd:
		return "Min<u32>"
	case kernel.AccOr:
		return "Max<u32>"
	case kernel.AccBitAnd:
		return "Bits<And, " + r.ctype(arg.Type) + ">"
	case kernel.AccBitOr:
		return "Bits<Or, " + r.ctype(arg.Type) + ">"
	case kernel.AccBitXor:
		return "Bits<Xor, " + r.ctype(arg.Type) + ">"
	case kernel.AccAny:
		return "Any<" + r.ctype(arg.Type) + ">"
	}
	r.refuse("there is no device code for %s giving %s", a.Op, dst.Type)
	return ""
}

// sumType is the state of a sum: 64 bits where they are proven to be enough.
func (r *renderer) sumType(arg, dst *kernel.Value) string {
	switch {
	case dst.Type == kernel.F64:
		return "SumFloat"
	case dst.Type == kernel.Num:
		return "SumNum"
	case dst.Type == kernel.Interval:
		return "SumInterval"
	case !dst.Type.IsInteger() || !arg.Type.IsInteger():
		r.refuse("there is no device code for sums of type %s", dst.Type)
		return ""
	case arg.Type == kernel.I32, dst.Type != kernel.I128 && dst.Range.Known:
		return "SumNarrow"
	}
	return "SumWide"
}

// stateStruct declares the state of all accumulators.
func stateStruct(states []string) string {
	var fields, start, merge strings.Builder
	for i, s := range states {
		fmt.Fprintf(&fields, "    %s acc%d;\n", s, i)
		fmt.Fprintf(&start, " acc%d.start();", i)
		fmt.Fprintf(&merge, " acc%d.merge(o.acc%d, fail);", i, i)
	}
	return fmt.Sprintf(`// State is what a thread keeps of all accumulators.
struct State {
%s    DEVICE void start() {%s }
    DEVICE void merge(const State& o, u32& fail) {%s }
};
`, fields.String(), start.String(), merge.String())
}

// accumulate writes what an accumulator does with the rows of a tile.
func (e *Entry) accumulate(i int, a *kernel.Acc, state string) {
	e.Line("// %s %s", a.Op, e.name(a.Dst[0]))
	e.Begin("")
	e.Line("const u32 rows = %s;", e.Counted(a))
	acc := fmt.Sprintf("state.acc%d", i)
	switch {
	case state == "Count":
		e.Line("%s.n += __popc(rows);", acc)
	case state == "SumNarrow":
		e.Line("ROWS %s.take(bit(rows, r) ? (i64)%s : 0);", acc, e.At(a.Args[0]))
		e.Line("%s.n += __popc(rows);", acc)
	case a.Op == kernel.AccSumSquare:
		e.Line("ROWS if (bit(rows, r)) %s.take_square(%s, fail);", acc, e.At(a.Args[0]))
		e.Line("%s.n += __popc(rows);", acc)
	case strings.HasPrefix(state, "Sum"):
		e.Line("ROWS if (bit(rows, r)) %s.take(%s, fail);", acc, e.At(a.Args[0]))
		e.Line("%s.n += __popc(rows);", acc)
	default:
		e.Line("ROWS if (bit(rows, r)) %s.take(%s);", acc, e.At(a.Args[0]))
	}
	e.End()
}

func (e *arguments) firstBlock() string {
	return e.Arg(Arg{Kind: ArgFirstBlock}, "u64", "blocks of the launches before")
}

// openMerge declares the shared memory in which the states of threads are merged.
func (e *Entry) openMerge() { e.Line("__shared__ __align__(16) u8 scratch[T / 2 * sizeof(State)];") }

// mergeBlock merges the states of the threads and raises what went wrong.
func (e *Entry) mergeBlock(states []string) {
	e.Line("merge_block(state, (State*)scratch, fail);")
	e.raiseFailed("fail", states...)
}

// raiseFailed raises what has gone wrong with sums of some types.
func (e *Entry) raiseFailed(fail string, states ...string) {
	e.raise(fail+" & 1", ErrSumRange, nil)
	e.raise(fail+" & 2", ErrFloatOverflow, nil)
	if slices.Contains(states, "SumNum") {
		e.raise(fail+" & 4", ErrNumRange, nil)
	}
	if slices.Contains(states, "SumInterval") {
		e.raise(fail+" & 8", ErrIntervalRange, nil)
	}
}

func (e *arguments) partials() string {
	return e.Arg(Arg{Kind: ArgPartials}, "u8*", "states of the blocks")
}

// finish merges the states of so many blocks and writes the row.
func (e *Entry) finish(s *kernel.Aggregate, states []string, blocks string) {
	e.Line("State state;")
	e.Line("state.start();")
	e.Line("u32 fail = 0;")
	e.Line("_Pragma(\"unroll 1\") for (u64 b = threadIdx.x; b < %s; b += T) state.merge(((const State*)%s)[b], fail);", blocks, e.partials())
	e.mergeBlock(states)
	e.Begin("if (threadIdx.x == 0)")
	e.Line("const int r = 0;")
	out := 0
	for i := range s.Accs {
		for _, id := range s.Accs[i].Dst {
			e.result(fmt.Sprintf("state.acc%d", i), states[i], id)
			e.store(out, id, "0")
			out++
		}
	}
	e.End()
}

// result declares the result of an accumulator as a value of one row.
func (e *Entry) result(acc, state string, id kernel.ValueID) {
	dst := &e.f.Values[id]
	v := acc + ".v"
	switch {
	case state == "Count":
		v = acc + ".n"
	case strings.HasPrefix(state, "Sum"):
		v = acc + ".sum"
	}
	if state == "SumWide" {
		e.fits(v, dst.Type)
	}
	if dst.Type == kernel.Bool {
		e.Line("const u32 %s = %s;", e.name(id), v)
	} else {
		e.Line("const %s %s[1] = {(%s)%s};", e.ctype(dst.Type), e.name(id), e.ctype(dst.Type), v)
	}
	if n := e.nulls(id); n != "" {
		e.Line("const u32 %s = %s.n == 0;", n, acc)
	}
}

// fits raises an error where a sum does not fit the type of the result; a decimal
// has at most 38 digits.
func (e *Entry) fits(v string, t kernel.Type) {
	if t == kernel.I128 {
		e.raise(fmt.Sprintf("magnitude(%s) >= (u128)pow10<i128>(38)", v), ErrSumRange, nil)
		return
	}
	e.raise(fmt.Sprintf("(i64)%s != %s", v, v), ErrIntRange, nil)
}

// isSingle reports whether an Aggregate has one group, whose state fits registers.
func isSingle(s *kernel.Aggregate) bool {
	return len(s.Keys) == 0 && !slices.ContainsFunc(s.Accs, func(a kernel.Acc) bool { return isState(a.Op) })
}
