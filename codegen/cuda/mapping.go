package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// mapping writes a Map: a look-up of what the host has computed for each entry
// of the dictionary.
func (e *computing) mapping(in *kernel.Map) {
	number := slices.Index(e.maps, in)
	dst := &e.f.Values[in.Dst]
	if dst.Type == kernel.Interval {
		e.refuse("there is no device code for functions of text of type %s", dst.Type)
	}
	what := "of each " + e.name(in.Src)
	element := e.ctype(dst.Type)
	if dst.Type == kernel.I128 || dst.Type == kernel.Num {
		element = "u64"
	}
	data := e.Arg(Arg{Kind: ArgMapData, Index: number}, "const "+element+"* __restrict__", what)
	if dst.Type == kernel.Bool {
		e.Line("u32 %s = 0;  // what the host found %s", e.name(in.Dst), what)
	} else {
		e.Line("%s %s[R];  // what the host found %s", e.ctype(dst.Type), e.name(in.Dst), what)
	}
	e.declareNulls(in.Dst, "")
	e.Begin("ROWS")
	if dst.Type != kernel.Bool {
		e.Line("%s[r] = %s;", e.name(in.Dst), zeroOf(dst.Type))
	}
	e.Begin("if (bit(active, r))")
	e.entryOf(in)
	e.mapValue(in, data)
	if dst.Nullable || e.f.BlockCanRaise(in.Body) {
		e.mapState(in, number)
	}
	e.End()
	e.End()
}

// entryOf writes the number of the entry of a row.
func (e *computing) entryOf(in *kernel.Map) {
	if n := e.nulls(in.Src); n != "" {
		e.Line("const u32 entry = bit(%s, r) ? 0 : %s + 1;", n, e.At(in.Src))
		return
	}
	e.Line("const u32 entry = %s + 1;", e.At(in.Src))
}

func (e *computing) mapValue(in *kernel.Map, data string) {
	switch e.f.Values[in.Dst].Type {
	case kernel.Bool:
		e.Line("set(%s, r, bit_at(%s, entry));", e.name(in.Dst), data)
	case kernel.I128:
		e.Line("%s[r] = get_i128(%s, entry);", e.name(in.Dst), data)
	case kernel.Num:
		e.Line("%s[r] = get_num(%s, entry);", e.name(in.Dst), data)
	default:
		e.Line("%s[r] = %s[entry];", e.name(in.Dst), data)
	}
}

// mapState writes the look-up of whether an entry is NULL or raises an error.
func (e *computing) mapState(in *kernel.Map, number int) {
	state := e.Arg(Arg{Kind: ArgMapState, Index: number}, "const u8* __restrict__", "states of "+e.name(in.Dst))
	e.Line("const u8 state = %s[entry];", state)
	e.Line("if (state == %d) raise(%s, %d, %d, entry);", MapError, e.known[Arg{Kind: ArgError}], ErrMapEntry, e.site(in))
	if n := e.nulls(in.Dst); n != "" {
		e.Line("set(%s, r, state == %d);", n, MapNull)
	}
}
