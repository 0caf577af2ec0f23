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

// dealtFields are the fields of a record, large ones first, so that none needs padding before it.
func (g *Grouping) dealtFields(e *Entry, key string) []Field {
	fields := append([]Field{{Name: "key", Type: "u64", Get: key}}, g.dealtRow(e).Fields()...)
	slices.SortStableFunc(fields, func(a, b Field) int { return cmp.Compare(b.Bytes(), a.Bytes()) })
	return fields
}

// dealtLayout returns the size of a record, and what it is aligned to; 0 where a value cannot be part of one.
// One of two words is loaded and stored as a whole.
func (g *Grouping) dealtLayout() (bytes, align int) {
	fields := g.dealtFields(g.newEntry(""), "")
	for _, f := range fields {
		if f.Bytes() == 0 {
			return 0, 0
		}
		bytes += f.Bytes()
	}
	align = wordBytes
	if bytes = roundUp(bytes, wordBytes); bytes == 2*wordBytes {
		align = bytes
	}
	align = max(align, fields[0].Bytes())
	return roundUp(bytes, align), align
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// DealtBytes is the size of a record; 0 where a value cannot be part of one.
func (g *Grouping) DealtBytes() int {
	bytes, _ := g.dealtLayout()
	return bytes
}

// IncludeDealt declares the struct of a record.
func (g *Grouping) IncludeDealt() {
	_, align := g.dealtLayout()
	var b strings.Builder
	fmt.Fprintf(&b, "// %s is a row that is to be accumulated.\nstruct __align__(%d) %s {\n", DealtRow, align, DealtRow)
	for _, f := range g.dealtFields(g.newEntry(""), "") {
		fmt.Fprintf(&b, "    %s %s;\n", f.Type, f.Name)
	}
	b.WriteString("};\n")
	g.Include(b.String())
}

// PutDealt writes row r, whose key is given, as a record.
func (g *Grouping) PutDealt(e *Entry, record, key string) {
	for _, f := range g.dealtFields(e, key) {
		e.Line("%s.%s = %s;", record, f.Name, f.Get)
	}
}

// TakeDealt declares what accumulators read of the rows whose records are the elements of an array.
func (g *Grouping) TakeDealt(e *Entry, records string) {
	e.params()
	x := g.dealtRow(e)
	x.Declare(func(field string) string { return fmt.Sprintf("%s[r].%s", records, field) })
	for _, id := range x.Live {
		e.loaded[id] = true
	}
}
