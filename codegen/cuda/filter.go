package cuda

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// comparisons is how many instructions at the beginning of b are comparisons with
// the filters that they are for, of values that are in registers: one mask serves
// them all. It is 0 for less than two of them.
func (e *entry) comparisons(b kernel.Block) int {
	n := 0
	for n+1 < len(b) {
		compare, ok := b[n].(*kernel.Compute)
		if !ok || !e.comparesPlainly(compare) {
			break
		}
		filter, ok := b[n+1].(*kernel.Filter)
		if !ok || filter.Cond != compare.Dst || e.mentions(compare.Dst) > 2 {
			break
		}
		n += 2
	}
	if n < 4 {
		return 0
	}
	return n
}

// comparesPlainly tells whether an instruction compares numbers that are in
// registers and never NULL.
func (e *entry) comparesPlainly(in *kernel.Compute) bool {
	if comparators[in.Op] == "" || e.typeOf(in) == kernel.Bool {
		return false
	}
	for _, id := range in.Args {
		if e.f.Values[id].Nullable {
			return false
		}
		if _, ok := e.sourceColumn(id); ok && !e.loaded[id] && !e.fetched[id] {
			return false
		}
		if _, ok := e.pending[id]; ok {
			return false
		}
	}
	return true
}

// mentions counts where a value stands: where it is made and where it is read.
func (r *renderer) mentions(id kernel.ValueID) int {
	n := 0
	kernel.VisitBlock(r.f.Body, func(at *kernel.ValueID) {
		if *at == id {
			n++
		}
	})
	for _, read := range sinkValues(r.f.Sink) {
		if read == id {
			n++
		}
	}
	return n
}

// compareAll writes comparisons with their filters.
func (e *entry) compareAll(b kernel.Block) {
	var conditions []string
	for i := 0; i < len(b); i += 2 {
		in := b[i].(*kernel.Compute)
		e.need(in)
		conditions = append(conditions, e.compare(comparators[in.Op], in.Args[0], in.Args[1]))
	}
	pass := e.temp("pass")
	e.line("u32 %s = 0;", pass)
	e.line("ROWS set(%s, r, %s);", pass, strings.Join(conditions, " && "))
	e.line("active &= %s;  // filters", pass)
}
