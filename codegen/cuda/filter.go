package cuda

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// comparisons is how many instructions at the beginning of b are comparisons with
// the filters that they are for, of values that are in registers: one mask serves
// them all. It is 0 for less than two of them, unless the one is of bytes.
func (e *Entry) comparisons(b kernel.Block) int {
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
		if filter.Pack {
			break
		}
	}
	if n == 2 && e.byteCondition(b[0].(*kernel.Compute)) != "" {
		return n
	}
	if n < 4 {
		return 0
	}
	return n
}

// comparesPlainly reports whether an instruction compares numbers that are in
// registers and never NULL.
func (e *Entry) comparesPlainly(in *kernel.Compute) bool {
	if !in.Op.IsComparison() || e.typeOf(in) == kernel.Bool {
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
	for _, b := range r.f.Blocks() {
		kernel.VisitBlock(b, func(at *kernel.ValueID) {
			if *at == id {
				n++
			}
		})
	}
	for _, read := range sinkValues(r.f.Sink) {
		if read == id {
			n++
		}
	}
	return n
}

// compareAll writes comparisons with their filters: those of bytes for the four
// rows of a quad at a time, and the others row by row.
func (e *Entry) compareAll(b kernel.Block) {
	var quads, rows []string
	var plain []*kernel.Compute
	for i := 0; i < len(b); i += 2 {
		in := b[i].(*kernel.Compute)
		if c := e.byteCondition(in); c != "" {
			quads = append(quads, c)
		} else {
			plain = append(plain, in)
		}
	}
	if quads != nil {
		e.include("bytes.cuh")
		e.keep("QUADS %s |= quad(%s) << 4 * q;", strings.Join(quads, " & "))
	}
	for _, in := range plain {
		e.need(in)
		rows = append(rows, e.compare(in.Op.Operation().CUDA, in.Args[0], in.Args[1]))
	}
	if rows != nil {
		e.keep("ROWS set(%s, r, %s);", strings.Join(rows, " && "))
	}
}

// keep writes a filter: a line that collects a mask, of which the format takes the
// name and the condition.
func (e *Entry) keep(format, condition string) {
	pass := e.Temp("pass")
	e.Line("u32 %s = 0;", pass)
	e.Line(format, pass, condition)
	e.Line("active &= %s;  // filters", pass)
}

// byteConditions are the comparisons of the bytes of a quad: each has its flag, the
// highest bit, set where a byte is in relation to a constant. The verbs are the bits,
// the constant, and what the column adds.
var byteConditions = map[kernel.Op]string{
	kernel.OpGe: "reach(%[1]s, at_least(%[2]s, %[3]s))",
	kernel.OpLt: "~reach(%[1]s, at_least(%[2]s, %[3]s))",
	kernel.OpGt: "reach(%[1]s, above(%[2]s, %[3]s))",
	kernel.OpLe: "~reach(%[1]s, above(%[2]s, %[3]s))",
	kernel.OpEq: "(reach(%[1]s, at_least(%[2]s, %[3]s)) & ~reach(%[1]s, above(%[2]s, %[3]s)))",
	kernel.OpNe: "~(reach(%[1]s, at_least(%[2]s, %[3]s)) & ~reach(%[1]s, above(%[2]s, %[3]s)))",
}

// mirrored are the comparisons with their sides exchanged.
var mirrored = map[kernel.Op]kernel.Op{
	kernel.OpGe: kernel.OpLe, kernel.OpLe: kernel.OpGe, kernel.OpGt: kernel.OpLt, kernel.OpLt: kernel.OpGt,
	kernel.OpEq: kernel.OpEq, kernel.OpNe: kernel.OpNe,
}

// byteCondition is the condition of a comparison of a column of bytes with a
// constant, for the quad q, or "" where it is another one.
func (e *Entry) byteCondition(in *kernel.Compute) string {
	op, column, constant := in.Op, in.Args[0], in.Args[1]
	if e.isParam(column) {
		op, column, constant = mirrored[op], constant, column
	}
	c, ok := e.fetchable(column)
	if !ok || c.shape.Encoding != EncU8 || !e.isParam(constant) || words(e.f.Values[column].Type) > 2 {
		return ""
	}
	return fmt.Sprintf(byteConditions[op], e.raw(column)+"[q]", "(i64)"+e.name(constant), e.baseArg(c))
}
