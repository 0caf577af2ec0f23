package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Rows that a probe leaves may be packed: each warp has them wait in shared memory, with what
// is known of them that its columns do not tell, over several tiles, and goes on when there is
// one for each row that it holds. What follows runs with full warps, and loads columns of these
// rows alone. It is an edge of CTA dependence within a warp.

// packRows is how many rows a thread holds where rows are packed.
const packRows = 4

// packedBehind is where in the body the probe stands behind which rows are packed, or below 0.
func packedBehind(f *kernel.Func) int {
	return slices.IndexFunc(f.Body, func(in kernel.Instr) bool {
		p, ok := in.(*kernel.Probe)
		return ok && p.Pack
	})
}

// waiting is what waits of a packed row beside its number in the source.
type waiting struct {
	values []kernel.ValueID // that have been computed
	probes []*kernel.Probe  // whose match is kept, since its payload is loaded then
}

// waitingBehind finds what waits of rows that are packed behind an instruction of f.
func waitingBehind(f *kernel.Func, at int, reads []kernel.ValueID) waiting {
	var w waiting
	given := make(map[kernel.ValueID]*kernel.Probe)
	computed := make(map[kernel.ValueID]bool)
	for _, in := range f.Body[:at+1] {
		if p, ok := in.(*kernel.Probe); ok {
			for _, c := range p.Payload {
				given[c.Dst] = p
			}
			continue
		}
		if _, ok := in.(*kernel.Filter); !ok {
			computed[kernel.Result(in)] = true
		}
	}
	note := func(id *kernel.ValueID) {
		if p := given[*id]; p != nil && !slices.Contains(w.probes, p) {
			w.probes = append(w.probes, p)
		}
		if computed[*id] {
			computed[*id] = false
			w.values = append(w.values, *id)
		}
	}
	kernel.VisitBlock(f.Body[at+1:], note)
	for _, id := range reads {
		note(&id)
	}
	return w
}

// words is at least what waits of a row, in words of 32 bits.
func (w *waiting) words(f *kernel.Func) int {
	n, masks := 1+len(w.probes), 0
	for _, id := range w.values {
		v := &f.Values[id]
		n += words(v.Type)
		if v.Type == kernel.Bool {
			masks++
		}
		if v.Nullable {
			masks++
		}
	}
	return n + (masks+maskBits-1)/maskBits
}

// packBytes is the shared memory in which rows of f wait, in blocks of so many threads.
func packBytes(f *kernel.Func, threads int) int64 {
	at := packedBehind(f)
	if at < 0 {
		return 0
	}
	return packBytesBehind(f, at, threads)
}

func packBytesBehind(f *kernel.Func, at, threads int) int64 {
	w := waitingBehind(f, at, sinkValues(f.Sink))
	return int64(threads * (packRows + 1) * 4 * w.words(f))
}

// ownBytes is the shared memory that filters and rows that wait take.
func ownBytes(f *kernel.Func, threads int) int64 { return filterBytes(f) + packBytes(f, threads) }

// mayPack says why rows cannot be packed anywhere in f; "" where they can.
func (t *Target) mayPack(f *kernel.Func) string {
	s, ok := f.Sink.(*kernel.Aggregate)
	if !ok || s.Strategy == kernel.Ordered || ordersRows(s) {
		return "only rows that are aggregated may come in any order, warp by warp"
	}
	for _, in := range f.Body {
		p, ok := in.(*kernel.Probe)
		if _, repeats := in.(*kernel.Repeat); repeats || ok && (p.Sorted != nil || mayExpand(p) || p.Expand != "") {
			return "the threads of a block wait for each other"
		}
	}
	if !isSingle(s) && !t.meetsOnlyWarps(f, s) {
		return "the threads of a block find groups together, or each has its own"
	}
	return ""
}

// packRefusal says why rows cannot be packed behind an instruction of f, where they may elsewhere.
func packRefusal(f *kernel.Func, at int) string {
	for _, in := range f.Body[:at+1] {
		if p, ok := in.(*kernel.Probe); ok && p.Kind == kernel.ProbeLeft && len(p.Payload) > 0 {
			return "rows without a match would have to be told from others"
		}
	}
	w := waitingBehind(f, at, sinkValues(f.Sink))
	for _, id := range w.values {
		if v := &f.Values[id]; v.Type == kernel.Num || v.Type == kernel.Interval {
			return fmt.Sprintf("a value of type %s would have to wait", v.Type)
		}
	}
	return ""
}

// meetsOnlyWarps reports whether an aggregation brings no more threads together than those of a warp,
// and none of them counts its own rows.
func (t *Target) meetsOnlyWarps(f *kernel.Func, s *kernel.Aggregate) bool {
	r := newRenderer(t, f, PlainShapes(f))
	g := r.layOut(s)
	if r.err != nil {
		return false
	}
	how := g.decided()
	if r.err != nil || how.strategy.Adding(g).Refusal != "" {
		return false
	}
	return g.Layout.Dense || g.Layout.KeyWords > fewKeyWords || how.strategy.Name() == "shared"
}

// fewKeyWords is how many words keys have at most for which a block's threads find slots together.
const fewKeyWords = 2

// openPacking declares where the rows of a warp wait.
func (e *Entry) openPacking() {
	at := packedBehind(e.f)
	if at < 0 {
		return
	}
	e.include("pack.cuh")
	e.packs, e.probings = true, make(map[*kernel.Probe]*probing)
	w := waitingBehind(e.f, at, sinkValues(e.f.Sink))
	start := e.Arg(Arg{Kind: ArgPackedAt}, "u64", "words before the rows that wait")
	e.Line("u32* const packed = shared_room + %s + threadIdx.x / 32 * (PACK_ROOM * %d);", start, w.words(e.f))
	e.Line("u32 waiting = 0;")
}

// pack writes what has the active rows wait, and goes on with those of full warps. At the end
// of the source it goes on with all that are left.
func (e *Entry) pack(rest kernel.Block, then func()) {
	at := len(e.f.Body) - len(rest) - 1
	w := waitingBehind(e.f, at, sinkValues(e.f.Sink))
	x := &Expansion{Entry: e, Live: w.values}
	fields := x.Fields()
	e.use(w.values...)
	probes := make([]*probing, len(w.probes))
	for i, p := range w.probes {
		probes[i] = e.probings[p]
		fields = append(fields, Field{Name: probes[i].at, Type: "u32", Get: probes[i].at + "[r]"})
	}
	pending, rows := e.Temp("pending"), e.Temp("row")
	e.Line("// packs rows")
	place := make(map[string]string)
	words := 1
	for _, f := range fields {
		place[f.Name] = e.Temp("waiting")
		e.Line("%s* const %s = (%s*)(packed + PACK_ROOM * %d);", f.Type, place[f.Name], f.Type, words)
		words += (f.Bytes() + 3) / 4
	}
	e.Line("u32 %s = active;", pending)
	e.Begin("for (;;)")
	e.Begin("ROWS")
	e.Line("const u32 lanes = waiting < PACKED ? __ballot_sync(~0u, bit(%s, r)) : 0u;", pending)
	e.Begin("if (lanes >> (threadIdx.x & 31) & 1)")
	e.Line("const u32 to = place_of_lane(waiting, lanes);")
	e.Line("packed[to] = (u32)row_of(first, r);")
	for _, f := range fields {
		e.Line("%s[to] = %s;", place[f.Name], f.Get)
	}
	e.Line("%s &= ~(1u << r);", pending)
	e.End()
	e.Line("waiting += __popc(lanes);")
	e.End()
	e.Line("if (waiting < PACKED && (more || waiting == 0)) break;")
	e.Line("__syncwarp();")
	e.Line("u32 active = packed_rows(waiting);")
	e.Line("waiting -= waiting < PACKED ? waiting : PACKED;")
	e.Line("const u32 from = waiting + (threadIdx.x & 31);")
	e.Line("u32 %s[R];", rows)
	e.Line("ROWS %s[r] = packed[from + 32 * r];", rows)
	e.scoped(func() {
		clear(e.loaded)
		clear(e.fetched)
		clear(e.pending)
		for _, id := range w.values {
			e.loaded[id] = true
		}
		x.Declare(func(field string) string { return place[field] + "[from + 32 * r]" })
		for i, p := range probes {
			e.Line("u32 %s[R];", p.at)
			e.Line("ROWS %s[r] = %s[from + 32 * r];", p.at, place[p.at])
			e.Line("const u32 %s = active;", p.found)
			for _, c := range w.probes[i].Payload {
				e.pending[c.Dst] = payloadOf{p: p, col: c}
			}
		}
		e.Line("__syncwarp();")
		outer := e.rowsAt
		e.rowsAt = rows
		e.block(rest, then)
		e.rowsAt = outer
	})
	e.End()
}

// loadPacked writes the load of a column of the source for rows that were packed.
func (e *Entry) loadPacked(id kernel.ValueID, c stored) {
	v, name := &e.f.Values[id], e.name(id)
	isNull := c.shape.Encoding == EncNull
	at := e.rowsAt + "[r]"
	switch {
	case v.Type == kernel.Bool:
		e.Line("u32 %s = 0;", name)
		if !isNull {
			e.Line("ROWS set(%s, r, bit(active, r) && %s);", name, e.element(c, at, v.Type))
		}
	case isNull:
		e.Line("%s %s[R] = {};", e.ctype(v.Type), name)
	default:
		e.Line("%s %s[R];", e.kept(id), name)
		e.Line("ROWS %s[r] = bit(active, r) ? (%s)%s : %s;", name, e.kept(id), e.element(c, at, v.Type), zeroOf(v.Type))
	}
	switch {
	case isNull:
		e.declareNulls(id, "ALL")
	case c.shape.Nullable && v.Nullable:
		e.declareNulls(id, "0")
		e.Line("ROWS set(%s, r, bit(active, r) && !bit_at(%s, %s));", e.nulls(id), e.validArg(c), at)
	default:
		e.declareNulls(id, "")
	}
}
