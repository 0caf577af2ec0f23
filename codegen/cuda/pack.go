package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// Rows that a probe leaves may be packed: each warp has them wait in shared memory, with what
// is known of them that its columns do not tell, over several tiles, and goes on when there is
// one for each row that it holds. What follows runs with full warps, and loads columns of these
// rows alone. It is an edge of CTA dependence within a warp.

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
// of the source it goes on with all that are left. Where most rows of a tile are, against
// the estimate, the warp goes on with them as they are.
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
	left, rows := e.Temp("left"), e.Temp("row")
	e.Line("// packs rows")
	place := make(map[string]string)
	words := 1
	for _, f := range fields {
		place[f.Name] = e.Temp("waiting")
		e.Line("%s* const %s = (%s*)(packed + PACK_ROOM * %d);", f.Type, place[f.Name], f.Type, words)
		words += (f.Bytes() + 3) / 4
	}
	e.Line("const u32 %s = active;", left)
	e.Line("u32 lanes[R];")
	e.Line("const bool direct = lanes_of(%s, lanes) > PACK_DENSE;", left)
	e.Begin("for (;;)")
	e.Begin("ROWS if (!direct && lanes[r] != 0 && waiting < PACKED)")
	e.Begin("if (bit(%s, r))", left)
	e.Line("const u32 to = place_of_lane(waiting, lanes[r]);")
	e.Line("packed[to] = (u32)row_of(first, r);")
	for _, f := range fields {
		e.Line("%s[to] = %s;", place[f.Name], f.Get)
	}
	e.End()
	e.Line("waiting += __popc(lanes[r]);")
	e.Line("lanes[r] = 0;")
	e.End()
	e.Line("if (!direct && waiting < PACKED && (more || waiting == 0)) break;")
	e.Line("__syncwarp();")
	e.Line("u32 active = direct ? %s : packed_rows(waiting);", left)
	e.Line("if (!direct) waiting -= waiting < PACKED ? waiting : PACKED;")
	e.Line("const u32 from = waiting + (threadIdx.x & 31);")
	e.Line("u32 %s[R];", rows)
	e.Line("ROWS %s[r] = direct ? (u32)row_of(first, r) : packed[from + 32 * r];", rows)
	kept := func(f *Field) string {
		e.Line("%s %s_kept[R];", f.Type, place[f.Name])
		e.Line("ROWS if (direct) %s_kept[r] = %s; else %s_kept[r] = %s[from + 32 * r];", place[f.Name], f.Get, place[f.Name], place[f.Name])
		return place[f.Name] + "_kept"
	}
	for i := range fields {
		place[fields[i].Name] = kept(&fields[i])
	}
	e.scoped(func() {
		clear(e.loaded)
		clear(e.fetched)
		clear(e.pending)
		for _, id := range w.values {
			e.loaded[id] = true
		}
		x.Declare(func(field string) string { return place[field] + "[r]" })
		for i, p := range probes {
			e.Line("u32 %s[R];", p.at)
			e.Line("ROWS %s[r] = %s[r];", p.at, place[p.at])
			e.Line("const u32 %s = active;", p.found)
			for _, c := range w.probes[i].Payload {
				e.pending[c.Dst] = payloadOf{p: p, col: c}
			}
		}
		e.Line("__syncwarp();")
		outer := e.rowsAt
		e.rowsAt = rows
		then()
		e.rowsAt = outer
	})
	e.Line("if (direct) break;")
	e.End()
}
