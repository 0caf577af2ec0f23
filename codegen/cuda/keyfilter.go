package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// A probe may test the keys of its rows in a filter before it looks into its table: a set of
// bits that each block copies into its shared memory, behind what aggregations have there. That
// of a table of cells is the table's own; another is made of the table first.

// filters returns the probes of the body that have a filter; those of one table share it.
func (r *renderer) filters() []*kernel.Probe {
	var list []*kernel.Probe
	for _, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok && r.canFilter(p) && !slices.ContainsFunc(list, func(q *kernel.Probe) bool { return q.Input == p.Input }) {
			list = append(list, p)
		}
	}
	return list
}

// canFilter reports whether the table of a probe has what its filter is made of.
func (r *renderer) canFilter(p *kernel.Probe) bool {
	if p.Filter.Form == kernel.NoFilter || p.Sorted != nil || r.shapes[p.Input].Table == nil {
		return false
	}
	switch r.shapes[p.Input].Table.Layout {
	case LayoutCells, LayoutDense:
		return true
	case LayoutNarrow, LayoutWide:
		return p.Filter.Form == kernel.BloomFilter
	}
	return false
}

// filterBytes is the shared memory that the filters of a kernel take.
func filterBytes(f *kernel.Func) int64 {
	n := int64(0)
	for _, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok {
			n += bytesOfFilter(p.Filter)
		}
	}
	return n
}

// ownBytes is the shared memory that filters and rows that wait take.
func ownBytes(f *kernel.Func, threads int) int64 { return filterBytes(f) + packBytes(f, threads) }

// bytesOfFilter is what one of them takes: whole words of 16 bytes, in which it is copied.
func bytesOfFilter(f kernel.KeyFilter) int64 { return (f.Words + 3) / 4 * 16 }

func filterArg(kind ArgKind, input int) Arg { return Arg{Kind: kind, Input: input} }

// makesFilter reports whether the filter of a probe is not what its table has already.
func (r *renderer) makesFilter(p *kernel.Probe) bool {
	return p.Filter.Form != kernel.ExactFilter || r.shapes[p.Input].Table.Layout != LayoutCells
}

// makeFilters renders the entries that make filters of tables.
func (r *renderer) makeFilters() {
	for _, p := range r.filters() {
		r.include("hash.cuh")
		r.include("table.cuh")
		r.include("filter.cuh")
		if r.makesFilter(p) {
			r.entry(filterEntry(p), "makes a filter of the keys of a table", r.threads, func(e *Entry) { e.makeFilter(p) })
		}
	}
}

func filterEntry(p *kernel.Probe) string { return fmt.Sprintf("filter%d", p.Input) }

// makeFilter goes over the slots of a table.
func (e *Entry) makeFilter(p *kernel.Probe) {
	t, name := e.shapes[p.Input].Table, e.input(p.Input)
	bits := e.Arg(filterArg(ArgFilterBits, p.Input), "u32*", "filter of "+name)
	words := e.filterWords(p)
	last := e.Arg(filterArg(ArgFilterSlots, p.Input), "u64", "slots of "+name)
	table := func(element string) string {
		return e.Arg(filterArg(ArgTableSlots, p.Input), "const "+element+"* __restrict__", "slots of "+name)
	}
	if t.Layout == LayoutCells { // a word of them at a time: most are empty
		e.Begin("for (u64 word = (u64)blockIdx.x * T + threadIdx.x; 32 * word < %s; word += (u64)gridDim.x * T)", last)
		e.Begin("for (u32 found = %s[word]; found != 0; found &= found - 1)", table("u32"))
		defer e.End()
	} else {
		e.Begin("for (u64 slot = (u64)blockIdx.x * T + threadIdx.x; slot < %s; slot += (u64)gridDim.x * T)", last)
	}
	hash := "mix((u32)slot)"
	switch t.Layout {
	case LayoutCells:
		e.Line("const u64 slot = 32 * word + __ffs(found) - 1;")
	case LayoutDense:
		e.Line("if ((u32)%s[slot] == 0) continue;", table("u64"))
	case LayoutNarrow:
		e.Line("const u64 found = %s[slot];", table("u64"))
		e.Line("if ((u32)found == 0) continue;")
		hash = "mix(found >> 32)"
	case LayoutWide:
		keys := e.probeKeys(p)
		e.Line("const u32 found = %s[slot];", table("u32"))
		e.Line("if (found == 0) continue;")
		at := e.Arg(filterArg(ArgTableKeys, p.Input), "const u64* __restrict__", "keys of "+name)
		w := keyWords(keys)
		hash = fmt.Sprintf("%s(%s + (u64)(found - 1) * %d)", e.hashOf(keys), at, w)
	}
	if p.Filter.Form == kernel.ExactFilter {
		e.Line("set_bit(%s, slot);", bits)
	} else {
		e.Line("fill_bloom(%s, %s, %s);", bits, words, hash)
	}
	e.End()
}

// hashOf is the hash of keys of LayoutWide.
func (e *Entry) hashOf(keys []keyValue) string {
	kind := e.wideKind(keys)
	if kind == "" {
		kind = ", WordKey"
	}
	return fmt.Sprintf("hash_words<%d%s>", keyWords(keys), kind)
}

func (e *arguments) filterWords(p *kernel.Probe) string {
	return e.Arg(filterArg(ArgFilterWords, p.Input), "u64", "words of the filter of "+e.input(p.Input))
}

// openShared declares the filters of an entry and where its rows wait, in the shared memory behind
// what the sink has there.
func (e *Entry) openShared(p Pass) {
	list := e.renderer.filters()
	packs := e.packsRows() && p.Warps && p.FlushTiles == nil && !p.Tickets
	if len(list) == 0 && !packs {
		return
	}
	e.Line("extern __shared__ __align__(16) u32 shared_room[];")
	if packs {
		e.openPacking()
	}
	if len(list) > 0 {
		e.takeFilters(list)
	}
}

// takeFilters has the block copy the filters into shared memory.
func (e *Entry) takeFilters(list []*kernel.Probe) {
	e.filters = make(map[int]*kernel.Probe)
	for _, p := range list {
		name, in := filterEntry(p), e.input(p.Input)
		e.Line("u32* const %s = shared_room + %s;", name, e.Arg(filterArg(ArgFilterAt, p.Input), "u64", "words before the filter of "+in))
		bits, of := filterArg(ArgFilterBits, p.Input), "u32*"
		if !e.makesFilter(p) {
			bits, of = filterArg(ArgTableSlots, p.Input), "const u32* __restrict__"
		}
		e.Line("take_filter(%s, %s, %s);", name, e.Arg(bits, of, "filter of "+in), e.filterWords(p))
		e.filters[p.Input] = p
	}
	e.Line("__syncthreads();")
}

// filterBefore is where the filter of a probe lies in shared memory; "" where there is none of its form.
func (e *Entry) filterBefore(p *kernel.Probe) string {
	if of := e.filters[p.Input]; of != nil && of.Filter == p.Filter {
		return filterEntry(p)
	}
	return ""
}

// filterCells writes the test of the cells of the rows found, and reports whether the rows that
// pass are known to be in the table.
func (e *Entry) filterCells(p *probing) (known bool) {
	filter := e.filterBefore(p.Probe)
	switch {
	case filter == "":
		return false
	case p.Filter.Form == kernel.ExactFilter:
		e.Line("%s = present(%s, %s, %s);", p.found, p.found, filter, p.at)
		return true
	}
	e.Line("%s = may_have(%s, %s, %s, %s);", p.found, p.found, filter, e.filterWords(p.Probe), p.at)
	return false
}

// filterKey is the condition that the words of a key pass the filter of a probe, which ends in
// a parenthesis and a space, or nothing where there is none.
func (e *Entry) filterKey(p *probing, keys []keyValue) string {
	filter := e.filterBefore(p.Probe)
	if filter == "" {
		return ""
	}
	return fmt.Sprintf("if (passes(%s, %s, %s(key))) ", filter, e.filterWords(p.Probe), e.hashOf(keys))
}

// planFilters has filters made before the first launch that takes them along, and gives each
// launch that does so the shared memory for them.
func (p *Planner) planFilters() {
	var made []launch.Stmt
	fills := make(map[Arg]launch.Arg)
	for _, probe := range p.filters() {
		bits := filterArg(ArgFilterBits, probe.Input)
		fills[filterArg(ArgFilterWords, probe.Input)] = launch.Arg{X: launch.Int(probe.Filter.Words)}
		if p.makesFilter(probe) {
			made = append(made, p.within(func() { p.makeFilter(probe, fills) })...)
			fill := fills[bits]
			fill.Access = launch.In
			fills[bits] = fill
		}
	}
	if len(fills) == 0 && packedBehind(p.f) < 0 {
		return
	}
	p.beforeLaunches(func(l *launch.Launch) []launch.Stmt {
		if !p.takesFilter(l) {
			return nil
		}
		if l.Shared == nil {
			l.Shared = launch.Int(0)
		}
		words := expr.Times(expr.CeilDiv(l.Shared, launch.Int(16)), launch.Int(4))
		for _, probe := range p.filters() {
			fills[filterArg(ArgFilterAt, probe.Input)] = launch.Arg{X: words}
			words = expr.Plus(words, launch.Int(bytesOfFilter(probe.Filter)/4))
		}
		fills[Arg{Kind: ArgPackedAt}] = launch.Arg{X: words}
		words = expr.Plus(words, launch.Int(packBytes(p.f, p.threads)/4))
		p.fillArgs(l, fills)
		l.Shared = expr.Times(launch.Int(4), words)
		return nil
	})
	at := slices.IndexFunc(p.list, func(s launch.Stmt) bool {
		a, ok := s.(*launch.Alloc)
		return ok && a.Buffer == p.status
	})
	p.list = slices.Insert(p.list, at+1, made...)
}

// makeFilter plans the launch that makes the filter of a probe, and notes what fills its arguments.
func (p *Planner) makeFilter(probe *kernel.Probe, fills map[Arg]launch.Arg) {
	b := p.alloc(filterEntry(probe), launch.Int(4*probe.Filter.Words), launch.Zeros)
	slots := launch.Sym{Kind: launch.TableSlots, Index: probe.Input}
	fills[filterArg(ArgFilterBits, probe.Input)] = launch.Arg{Ref: launch.Ref{Buffer: b}, Access: launch.InOut}
	fills[filterArg(ArgFilterSlots, probe.Input)] = launch.Arg{X: slots}
	l := &launch.Launch{Entry: p.entryNumber(filterEntry(probe)), Over: slots, Blocks: launch.None}
	p.fillArgs(l, p.fills)
	p.fillArgs(l, fills)
	p.add(l)
}

// takesFilter reports whether the blocks of a launch take a filter along, or have rows wait.
func (p *Planner) takesFilter(l *launch.Launch) bool {
	e := &p.made.Entries[l.Entry]
	return e.Block == 0 && slices.ContainsFunc(e.Takes, func(word int) bool {
		return p.args[word].Kind == ArgFilterAt || p.args[word].Kind == ArgPackedAt
	})
}

// fillArgs fills those of the arguments that the entry of a launch takes.
func (p *Planner) fillArgs(l *launch.Launch, fills map[Arg]launch.Arg) {
	for _, word := range p.made.Entries[l.Entry].Takes {
		if fill, ok := fills[p.args[word]]; ok {
			fill.Word = word
			l.Args = append(l.Args, fill)
		}
	}
}
