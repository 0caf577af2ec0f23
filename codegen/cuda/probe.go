package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// expands reports whether a probe can make several rows of one.
func (r *renderer) expands(p *kernel.Probe) bool {
	return !r.unique(p) && (p.Kind == kernel.ProbeInner || p.Kind == kernel.ProbeLeft)
}

// unique reports whether a row has one match at most.
func (r *renderer) unique(p *kernel.Probe) bool {
	if p.Sorted != nil {
		return p.Sorted.Unique
	}
	return r.shapes[p.Input].Table.Unique
}

// lookUpKeys writes the search for the keys of the active rows.
func (e *Entry) lookUpKeys(in *kernel.Probe) *probing {
	if in.Sorted != nil {
		return e.lookUpSorted(in)
	}
	e.include("hash.cuh")
	e.include("table.cuh")
	p := &probing{Probe: in, table: e.shapes[in.Input].Table, at: e.Temp("at"), found: e.Temp("found")}
	e.Line("// probe %s %s", in.Kind, e.input(in.Input))
	for _, c := range in.Payload {
		e.checkColumn(p.table.Payload[c.Ordinal])
	}
	if len(in.Keys) != len(p.table.Keys) {
		e.refuse("a probe by %d keys of a table by %d", len(in.Keys), len(p.table.Keys))
		return p
	}
	keys := e.probeKeys(in)
	if e.err != nil {
		return p
	}
	if p.table.Layout == LayoutAll {
		rows := e.Arg(Arg{Kind: ArgRows, Input: in.Input}, "i64", "rows of "+e.input(in.Input))
		e.Line("u32 %s = %s > 0 ? active : 0;", p.found, rows)
		e.Line("u32 %s[R];", p.at)
		e.Line("ROWS %s[r] = bit(%s, r);", p.at, p.found)
		return p
	}
	e.Line("u32 %s = %s;", p.found, e.keyed(keys))
	if p.table.Layout == LayoutWide {
		e.findWide(p, keys)
		return p
	}
	e.cells(in.Input, keys, p.table.Layout, p.at, p.found)
	known := e.filterCells(p)
	slots := Arg{Kind: ArgTableSlots, Input: in.Input}
	name := e.input(in.Input)
	switch p.table.Layout {
	case LayoutCells:
		if known {
			return p
		}
		e.Line("%s = present(%s, %s, %s);", p.found, p.found, e.Arg(slots, "const u32* __restrict__", "cells of "+name), p.at)
		return p
	case LayoutDense:
		p.end = e.Temp("end")
		e.Line("u32 %s[R];", p.end)
		e.Line("%s = find_dense(%s, %s, %s, %s);", p.found, p.found, e.Arg(slots, "const u64* __restrict__", "runs of "+name), p.at, p.end)
	case LayoutNarrow:
		e.Line("%s = find_narrow(%s, %s, %s, %s);", p.found, p.found, e.Arg(slots, "const u64* __restrict__", "slots of "+name),
			e.Arg(Arg{Kind: ArgTableMask, Input: in.Input}, "u64", "slots less one of "+name), p.at)
	}
	return p
}

// findWide writes the search for keys of several words. The first slots of a thread's rows are read
// together: most keys that are not found are known by an empty one.
func (e *Entry) findWide(p *probing, keys []keyValue) {
	name := e.input(p.Input)
	slots := e.Arg(Arg{Kind: ArgTableSlots, Input: p.Input}, "const u32* __restrict__", "slots of "+name)
	mask := e.Arg(Arg{Kind: ArgTableMask, Input: p.Input}, "u64", "slots less one of "+name)
	table := e.Arg(Arg{Kind: ArgTableKeys, Input: p.Input}, "const u64* __restrict__", "keys of "+name)
	first := e.Temp("first")
	e.Line("u32 %s[R];", p.at)
	e.Line("u64 %s[R];", first)
	e.Begin("ROWS")
	e.Line("%s[r] = 0;", p.at)
	e.Begin("if (bit(%s, r))", p.found)
	kind := e.wideKey(keys)
	e.Line("%[1]s%[2]s[r] = %[3]s[%[4]s[r] = first_slot<%[5]d%[6]s>(key, %[7]s)];", e.filterKey(p, keys), p.at, slots, first, keyWords(keys), kind, mask)
	e.End()
	e.End()
	e.Begin("ROWS if (%s[r] != 0)", p.at)
	e.wideKey(keys)
	e.Line("%[1]s[r] = find_wide<%[2]d%[3]s>(key, %[4]s[r], %[1]s[r], %[5]s, %[6]s, %[7]s);", p.at, keyWords(keys), kind, first, slots, mask, table)
	e.End()
	e.Line("%s = nonzero(%s);", p.found, p.at)
}

// probe writes a probe that adds no rows.
func (e *Entry) probe(in *kernel.Probe) {
	p := e.lookUpKeys(in)
	if e.err != nil {
		return
	}
	filters := in.Kind == kernel.ProbeSemi || in.Kind == kernel.ProbeAnti
	switch {
	case filters && !p.table.Unique && (in.Cond != kernel.NoValue || in.Mark):
		e.anyMatch(p)
	default:
		e.deferPayload(p)
		e.residual(p)
		e.mark(p, p.found)
	}
	switch in.Kind {
	case kernel.ProbeInner, kernel.ProbeSemi:
		e.Line("active &= %s;", p.found)
	case kernel.ProbeAnti:
		e.Line("active &= ~%s;", p.found)
	}
}

// deferPayload has the payload loaded where something reads it: what filters
// rows out before spares their loads.
func (e *Entry) deferPayload(p *probing) {
	if e.packs {
		e.probings[p.Probe] = p
	}
	for _, c := range p.Payload {
		e.pending[c.Dst] = payloadOf{p: p, col: c}
	}
}

// residual restricts found to the pairs for which the residual is true.
func (e *Entry) residual(p *probing) {
	if p.Cond == kernel.NoValue {
		return
	}
	outer := e.Temp("outer")
	e.Line("const u32 %s = active;", outer)
	e.Line("active = %s;", p.found)
	test := func() {
		for _, in := range p.Residual {
			e.need(in)
			e.instr(in)
		}
		e.use(p.Cond)
		e.Line("%s &= active & %s;  // residual", p.found, e.truth(p.Cond))
	}
	if e.isLong(p.Residual) {
		e.Begin("if (active)")
		e.scoped(test)
		e.End()
	} else {
		test()
	}
	e.Line("active = %s;", outer)
	if p.Kind == kernel.ProbeLeft {
		e.forget(p)
	}
}

// isLong reports whether threads without a match are spared a residual: it takes many instructions,
// or values that are kept in memory since their rows are gone over in a loop.
func (e *Entry) isLong(residual kernel.Block) bool {
	wide := false
	kernel.VisitBlock(residual, func(id *kernel.ValueID) {
		wide = wide || *id != kernel.NoValue && words(e.f.Values[*id].Type) > words(kernel.I64)
	})
	return wide || len(kernel.Instructions(residual)) > maxShortResidual
}

// maxShortResidual is how many instructions of a residual are not worth a branch.
const maxShortResidual = 8

// forget makes the payload that has been loaded for the residual NULL in rows
// that have no match after it.
func (e *Entry) forget(p *probing) {
	for _, c := range p.Payload {
		if n := e.nulls(c.Dst); n != "" && e.loaded[c.Dst] {
			e.Line("%s |= ~%s;", n, p.found)
		}
	}
}

// mark remembers the rows of the table that some rows have matched.
func (e *Entry) mark(p *probing, rows string) {
	if !p.Mark {
		return
	}
	marks := e.Arg(Arg{Kind: ArgTableMark, Input: p.Input}, "u8*", "rows that have been matched of "+e.input(p.Input))
	e.Line("ROWS if (bit(%s, r)) %s[%s] = 1;", rows, marks, p.row())
}

// runEnd declares the end of the run of each row's matches, as at counts rows, unless
// that is done.
func (e *Entry) runEnd(p *probing) {
	if p.end != "" {
		return
	}
	p.end = e.Temp("end")
	e.Line("u32 %s[R];", p.end)
	switch p.table.Layout {
	case LayoutSorted:
		rows := e.Arg(Arg{Kind: ArgRows, Input: p.Input}, "i64", "rows of "+e.input(p.Input))
		e.Line("ROWS %s[r] = bit(%s, r) ? run_end(%s, (u32)%s, %s[r]) : 0;", p.end, p.found, e.dataArg(e.keyColumn(p.Probe)), rows, p.at)
	case LayoutAll:
		rows := e.Arg(Arg{Kind: ArgRows, Input: p.Input}, "i64", "rows of "+e.input(p.Input))
		e.Line("ROWS %s[r] = bit(%s, r) ? (u32)%s : 0;", p.end, p.found, rows)
	default:
		ends := e.Arg(Arg{Kind: ArgTableEnds, Input: p.Input}, "const u32* __restrict__", "by first row of a key of "+e.input(p.Input)+": the row behind the last")
		e.Line("ROWS %s[r] = bit(%s, r) ? %s[%s[r] - 1] : 0;", p.end, p.found, ends, p.at)
	}
}

// advance writes the step to the next row of the same key: for the rows of the
// mask, at becomes 0 where there is none.
func (e *Entry) advance(p *probing, rows string) {
	more := p.more
	if p.end != "" {
		more = fmt.Sprintf("%s[r] < %s[r]", p.at, p.end)
	}
	e.Line("ROWS if (bit(%s, r)) %s[r] = %s ? %s[r] + 1 : 0;", rows, p.at, more, p.at)
}

// anyMatch writes the search of a semi or anti probe through all rows of a key.
func (e *Entry) anyMatch(p *probing) {
	matched, all := e.Temp("matched"), p.found
	e.Line("u32 %s = 0;", matched)
	if p.more == "" {
		e.runEnd(p)
	}
	e.Begin("while (%s)", all)
	pair := *p
	pair.found = e.Temp("pair")
	e.Line("u32 %s = %s;", pair.found, all)
	e.scoped(func() {
		e.deferPayload(&pair)
		e.residual(&pair)
	})
	e.Line("%s |= %s;", matched, pair.found)
	e.mark(&pair, pair.found)
	e.advance(&pair, all)
	e.Line("ROWS if (%s[r] == 0) %s &= ~(1u << r);", p.at, all)
	if !p.Mark {
		e.Line("%s &= ~%s;", all, matched)
	}
	e.End()
	p.found = matched
}

// repeat writes a Repeat: what follows stands in a loop.
func (e *Entry) repeat(in *kernel.Repeat, then func()) {
	if in.Index != kernel.NoValue || e.f.Values[in.Count].Nullable {
		e.refuse("there is no device code for repetitions that are numbered or can be NULL")
		return
	}
	e.useAll()
	left := e.Temp("left")
	e.Line("// repeat %s", e.name(in.Count))
	e.Line("i64 %s[R];", left)
	e.Line("ROWS %s[r] = %s;", left, e.At(in.Count))
	pending := e.Temp("pending")
	e.Line("u32 %s = 0;", pending)
	e.Line("ROWS set(%s, r, bit(active, r) && %s[r] > 0);", pending, left)
	e.Begin("while (__syncthreads_or(%s))", pending)
	e.Line("u32 active = %s;", pending)
	e.scoped(then)
	e.Line("ROWS if (bit(%s, r) && --%s[r] == 0) %s &= ~(1u << r);", pending, left, pending)
	e.End()
}

// unmatched restricts the rows of a table to those that no probe has matched, or
// to those that one has.
func (e *Entry) unmatched(s *kernel.Unmatched) {
	name := e.input(s.Input)
	marks := e.Arg(Arg{Kind: ArgTableMark, Input: s.Input}, "const u8* __restrict__", "rows that have been matched of "+name)
	e.Begin("ROWS if (bit(active, r))")
	e.Line("const i64 row = row_of(first, r);")
	there := fmt.Sprintf("!%s[row]", marks)
	if s.Matched {
		there = marks + "[row]"
	}
	if e.shapes[s.Input].Table.Layout == LayoutCells {
		there += fmt.Sprintf(" && bit_at(%s, row)", e.Arg(Arg{Kind: ArgTableSlots, Input: s.Input}, "const u32* __restrict__", "cells of "+name))
	}
	e.Line("if (!(%s)) active &= ~(1u << r);", there)
	e.End()
}
