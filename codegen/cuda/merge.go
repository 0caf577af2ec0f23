package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// MaxMerged is how many rows a relation has at most that others are merged with.
const MaxMerged = 1<<32 - 2

// keyColumn is the column in whose order the relation of a merge is.
func (r *renderer) keyColumn(in *kernel.Probe) stored {
	return r.relationColumn(in.Input, kernel.SourceCol{Ordinal: in.Sorted.Ordinal, Dst: in.Keys[0].Val})
}

// lookUpSorted writes the search for the keys of the active rows in a relation in
// their order (the partition and the compute stage of Kernel Weaver's join).
func (e *Entry) lookUpSorted(in *kernel.Probe) *probing {
	e.include("merge.cuh")
	p := &probing{Probe: in, table: &TableShape{Layout: LayoutSorted, Unique: in.Sorted.Unique}, at: e.Temp("at"), found: e.Temp("found")}
	name, column, key := e.input(in.Input), e.keyColumn(in), in.Keys[0].Val
	e.Line("// merge %s %s", in.Kind, name)
	for _, c := range in.Payload {
		e.checkColumn(e.shapes[in.Input].Columns[c.Ordinal])
	}
	rows := e.Arg(Arg{Kind: ArgRows, Input: in.Input}, "i64", "rows of "+name)
	e.Line("u32 %s = %s;", p.found, e.without("active", []kernel.ValueID{key}))
	keys := e.Temp("keys")
	switch enc := column.shape.Encoding; {
	case enc.isOffset():
		e.Line("u32 %s[R];", keys)
		e.Begin("ROWS")
		e.Line("const i64 key = (i64)((u64)(i64)%s - (u64)%s);", e.At(key), e.baseArg(column))
		e.Line("%s[r] = (u32)key;", keys)
		e.Line("if (key != (i64)%s[r]) %s &= ~(1u << r);", keys, p.found)
		e.End()
	case enc == EncI64:
		e.Line("i64 %s[R];", keys)
		e.Line("ROWS %s[r] = %s;", keys, e.At(key))
	default:
		e.refuse("there is no device code that merges by columns of type %s", column.shape.Type)
	}
	e.Line("u32 %s[R];", p.at)
	e.Line("merge(%s, (u32)%s, %s, %s, %s);", e.dataArg(column), rows, keys, p.found, p.at)
	e.Line("%s = nonzero(%s);", p.found, p.at)
	p.more = fmt.Sprintf("%[1]s[r] < (u32)%[2]s && %[3]s[%[1]s[r]] == %[4]s[r]", p.at, rows, e.dataArg(column), keys)
	return p
}
