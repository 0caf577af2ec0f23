package cuda

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Rows of an aggregation that are written as records, each with its key of one word and what the
// accumulators read of it, for an entry that accumulates them in another order.

// DealtRow is what the struct of a record is called.
const DealtRow = "DealtRow"

// dealtRow are the values of a row that accumulators read, as those behind an expansion without matches.
func (g *Grouping) dealtRow(e *Entry) *Expansion {
	x := &Expansion{Entry: e}
	for _, id := range sinkValues(&kernel.Aggregate{Accs: g.s.Accs}) {
		if !g.isParam(id) && !slices.Contains(x.Live, id) {
			x.Live = append(x.Live, id)
		}
	}
	return x
}

// dealtFields are the fields of a record behind its key, large ones first, so that none needs padding
// before it.
func (g *Grouping) dealtFields(e *Entry) []Field {
	fields := g.dealtRow(e).Fields()
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(b.Bytes(), a.Bytes()) })
	return fields
}

// DealtBytes is the size of a record; 0 where a value cannot be part of one.
func (g *Grouping) DealtBytes() int {
	bytes := wordBytes
	for _, f := range g.dealtFields(g.newEntry("")) {
		if f.Bytes() == 0 {
			return 0
		}
		if f.Bytes() > wordBytes {
			bytes += bytes % f.Bytes()
		}
		bytes += f.Bytes()
	}
	return (bytes + wordBytes - 1) / wordBytes * wordBytes
}

// IncludeDealt declares the struct of a record. One of two words is loaded and stored as a whole.
func (g *Grouping) IncludeDealt() {
	align := wordBytes
	if g.DealtBytes()%(2*wordBytes) == 0 {
		align *= 2
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is a row that is to be accumulated.\nstruct __align__(%d) %s {\n    u64 key;\n", DealtRow, align, DealtRow)
	for _, f := range g.dealtFields(g.newEntry("")) {
		fmt.Fprintf(&b, "    %s %s;\n", f.Type, f.Name)
	}
	b.WriteString("};\n")
	g.Include(b.String())
}

// PutDealt writes row r, whose key is given, as a record.
func (g *Grouping) PutDealt(e *Entry, record, key string) {
	e.Line("%s.key = %s;", record, key)
	for _, f := range g.dealtFields(e) {
		e.Line("%s.%s = %s;", record, f.Name, f.Get)
	}
}

// TakeDealt declares the values of the rows whose records are the elements of an array.
func (g *Grouping) TakeDealt(e *Entry, records string) {
	x := g.dealtRow(e)
	x.Declare(func(field string) string { return fmt.Sprintf("%s[r].%s", records, field) })
	for _, id := range x.Live {
		e.loaded[id] = true
	}
}
