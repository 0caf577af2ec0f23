package cuda

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The arguments of a Cubing's entries beside those of a Window. Groups are partitions, cells
// the finer groups that they may have: see cubing.cuh.
const (
	ArgCodes        ArgKind = "codes"         // by collected row: the code of key Index, 32 bits; of all keys, one after the other, where they are made
	ArgCard         ArgKind = "card"          // codes of the key that refines
	ArgCoarse       ArgKind = "coarse"        // rows that are refined
	ArgCoarseRows   ArgKind = "coarse_rows"   // by row in order: where it lies, 32 bits
	ArgCoarseGroups ArgKind = "coarse_groups" // likewise: its group
	ArgFineRows     ArgKind = "fine_rows"     // likewise of the rows of the finer groups
	ArgFineGroups   ArgKind = "fine_groups"
	ArgCellCounts   ArgKind = "cell_counts"  // by cell, 32 bits: rows, and then where the next one goes
	ArgCellNumbers  ArgKind = "cell_numbers" // by cell, 32 bits: the number of its group
	ArgCellSums     ArgKind = "cell_sums"    // by tile of cells and one more: the survivors before it
	ArgFewest       ArgKind = "fewest"       // rows that a group has at least
	ArgSeen         ArgKind = "seen"         // counter of cells with rows
	ArgKept         ArgKind = "kept"         // counter of survivors
	ArgLevel        ArgKind = "level"        // two words: survivors and their rows
	ArgOne          ArgKind = "one"          // 1: there is a group without rows, too
	ArgBar          ArgKind = "bar"          // the limit of Bars[Index]
	ArgMask         ArgKind = "mask"         // the keys of the set that is written, a bit each
	ArgRunWords     ArgKind = "run_words"    // by word and row, 64 bits: what is sorted, equal for rows of one run
	ArgRunCapacity  ArgKind = "run_capacity" // rows between two words
	ArgRunWidth     ArgKind = "run_width"    // words of a row
	ArgRunOrder     ArgKind = "run_order"    // rows in the order of their words
)

// refinedTile is how many rows or cells a block takes at a time: REFINED_TILE of cubing.cuh.
const refinedTile = 8 * threads

// cubing is a Cubing while it is rendered. One entry writes the rows that remain and the
// codes of their keys. The others find the groups of one set from those of a coarser one: they
// count the rows of cells, number those that are not pruned, and move rows there; accumulators
// are combined as those of windows are, whose partitions are the groups.
type cubing struct {
	*windowing
	s    *kernel.Cubing
	bars []cubeBar
	keys []cubeKey
}

// cubeBar is a bar but for one on the number of rows.
type cubeBar struct {
	kernel.Bar
	number int // of the kernel's
	acc    *windowAcc
}

// cubeKey says how the values of a key become codes: as they lie in a range, with one more
// for NULL, or as numbers of runs of the sorted words of the values.
type cubeKey struct {
	direct bool
	words  [][]sortField // where they are sorted
}

// maxDirect is how many bits the codes of a key have at most that are places in a range.
const maxDirect = 30

// codes renders the entry that writes the rows that remain, and codes of their keys, or the
// words that become codes.
func (c *cubing) codes() {
	for i, id := range c.s.Keys {
		v := &c.f.Values[id]
		k := cubeKey{direct: true}
		switch {
		case v.Type == kernel.Bool, v.Type == kernel.Code:
		case v.Type.IsInteger() && knownRange(v) && bits.Len64(uint64(v.Range.Hi)-uint64(v.Range.Lo)) <= maxDirect:
		default:
			k = cubeKey{words: c.sortWords([]kernel.SortKey{{Val: id}})}
			for _, fields := range k.words {
				for f := range fields {
					fields[f].at = i
				}
			}
		}
		c.keys = append(c.keys, k)
	}
	c.collect(nil, nil, func(e *Entry) {
		for _, id := range c.collected {
			e.storeTo(c.column(id), id, "to")
		}
		for i, id := range c.s.Keys {
			if k := &c.keys[i]; k.direct {
				e.Line("%s[%d * capacity + to] = %s;", e.codes(codesOfAll), i, e.directCode(i, id))
			} else {
				e.sortKeys(e.Arg(Arg{Kind: ArgSortKeys, Index: 1 + i}, "u64*", "words of "+e.name(id)), k.words)
			}
		}
	})
}

// directCode is the code of row r of key i: its place in the range of its values, behind NULL.
func (e *computing) directCode(i int, id kernel.ValueID) string {
	code := "(u32)" + e.At(id)
	if v := &e.f.Values[id]; v.Type.IsInteger() {
		code = fmt.Sprintf("(u32)((u64)%s - (u64)%s)", e.At(id), e.Arg(Arg{Kind: ArgKeyLo, Index: i}, "i64", "minimum of "+e.name(id)))
	}
	if nulls := e.nulls(id); nulls != "" {
		return fmt.Sprintf("bit(%s, r) ? 0u : %s + 1", nulls, code)
	}
	return code
}

// refine renders the entries that find finer groups.
func (c *cubing) refine() {
	c.entry("all_rows", "makes one group of all rows", threads, func(e *Entry) {
		rows, groups := e.fine()
		e.Begin("for (u64 i = (u64)blockIdx.x * T + threadIdx.x; i < %s; i += (u64)gridDim.x * T)", e.coarseCount())
		e.Line("%s[i] = (u32)i;", rows)
		e.Line("%s[i] = 0;", groups)
		e.End()
	})
	c.overRefined("tally", "counts the rows of finer groups", e32, (*Entry).coarseCount, func(e *Entry) {
		e.Line("count_cells(window, coarse, tile, %s);", e.cellCounts())
	})
	c.overRefined("survive", "counts those that are not pruned", e64, (*Entry).cellCount, func(e *Entry) {
		e.Line("count_survivors(scratch, %s, %s, %s, tile, %s, %s);", e.cellCounts(), e.cellCount(), e.least(), e.cellSums(),
			e.Arg(Arg{Kind: ArgSeen}, "u64*", "cells with rows"))
	})
	c.entry("begin", "says how many there are; one block", 0, func(e *Entry) {
		e.openQuads()
		e.Line("start_survivors(scratch, %s, %s, (Level*)%s, %s, %s);", e.Arg(Arg{Kind: ArgTiles}, "i64", "tiles"), e.cellSums(),
			e.Arg(Arg{Kind: ArgLevel}, "u64*", "survivors and their rows"), e.Arg(Arg{Kind: ArgKept}, "u64*", "survivors of the level"),
			e.Arg(Arg{Kind: ArgOne}, "u64", "whether there is a group without rows"))
	})
	c.overRefined("place", "says where they begin", e64, (*Entry).cellCount, func(e *Entry) {
		starts := e.groupStarts()
		e.Line("place_survivors(scratch, %s, %s, %s, tile, %s, %s, %s, %s);", e.cellCounts(), e.cellCount(), e.least(), e.cellSums(), e.cellNumbers(), starts, e.marks())
	})
	c.overRefined("move", "moves rows to finer groups", e32, (*Entry).coarseCount, func(e *Entry) {
		rows, groups := e.fine()
		e.Line("move_rows(window, coarse, tile, %s, %s, %s, %s);", e.cellCounts(), e.cellNumbers(), rows, groups)
	})
	c.runs()
	if c.sortsKeys() {
		c.overRefined("encode", "makes codes of the numbers", "", (*Entry).coarseCount, func(e *Entry) {
			e.Line("EACH_REFINED(coarse.n) %s[coarse.rows[i]] = coarse.groups[i];", e.codes(codesOfAll))
		})
	}
}

// runs renders the entries that number cells of which few have rows.
func (c *cubing) runs() {
	c.overRefined("cells", "says of which finer group rows are", "", (*Entry).coarseCount, func(e *Entry) {
		e.Line("EACH_REFINED(coarse.n) %s[i] = coarse.cell(i);", e.runWords())
	})
	c.overRefined("runs", "counts those that there are", e64, (*Entry).coarseCount, func(e *Entry) {
		e.Line("count_runs(scratch, %s, tile, %s);", e.runs(), e.cellSums())
	})
	c.entry("start_runs", "replaces the numbers of the tiles by those before each", 0, func(e *Entry) {
		e.openQuads()
		e.Line("start_tiles(scratch, %s, %s);", e.Arg(Arg{Kind: ArgTiles}, "i64", "tiles"), e.cellSums())
	})
	c.overRefined("number", "numbers them", e64, (*Entry).coarseCount, func(e *Entry) {
		rows, groups := e.fine()
		e.coarse()
		e.Line("number_runs(scratch, %s, tile, %s, coarse, %s, %s);", e.runs(), e.cellSums(), rows, groups)
	})
}

// runs are the words that are sorted.
func (e *arguments) runs() string {
	return fmt.Sprintf("{%s, %s, %s, %s, %s}", e.runWords(), e.Arg(Arg{Kind: ArgRunCapacity}, "u64", "rows between two of their words"),
		e.Arg(Arg{Kind: ArgRunWidth}, "u64", "words of a row"), e.Arg(Arg{Kind: ArgRunOrder}, "u32*", "rows in their order"), e.coarseCount())
}

// The shared memory that an entry over tiles of rows or cells has: a window, or sums.
const (
	e32 = "__shared__ u32 window[WINDOW];"
	e64 = "__shared__ u64 scratch[WARPS];"
)

// overRefined renders an entry that does something with each tile of the rows that are
// refined, or of their cells.
func (c *cubing) overRefined(name, comment, shared string, over func(e *Entry) string, body func(e *Entry)) {
	c.entry(name, comment, refinedTile, func(e *Entry) {
		if shared != "" {
			e.Line("%s", shared)
		}
		if shared != e64 {
			e.coarse()
		}
		e.Begin("for (u64 tile = blockIdx.x; tile * REFINED_TILE < %s; tile += gridDim.x)", over(e))
		body(e)
		e.End()
	})
}

// coarse declares the rows that are refined.
func (e *Entry) coarse() {
	e.Line("const Coarse coarse = {%s, %s, %s, %s, %s};", e.Arg(Arg{Kind: ArgCoarseRows}, "u32*", "rows in order"),
		e.Arg(Arg{Kind: ArgCoarseGroups}, "u32*", "groups of rows in order"), e.codes(codesOfOne), e.coarseCount(), e.Arg(Arg{Kind: ArgCard}, "u64", "codes of the key"))
}

// Which codes an entry takes: those of all keys, or of one.
const (
	codesOfAll = iota
	codesOfOne
)

func (e *arguments) codes(which int) string {
	return e.Arg(Arg{Kind: ArgCodes, Index: which}, "u32*", "codes of keys")
}
func (e *arguments) coarseCount() string { return e.Arg(Arg{Kind: ArgCoarse}, "u64", "rows to refine") }
func (e *arguments) cellCount() string {
	return e.Arg(Arg{Kind: ArgCells}, "u64", "cells")
}
func (e *arguments) least() string {
	return e.Arg(Arg{Kind: ArgFewest}, "u64", "rows of a group at least")
}
func (e *arguments) cellCounts() string {
	return e.Arg(Arg{Kind: ArgCellCounts}, "u32*", "rows of cells")
}
func (e *arguments) cellNumbers() string {
	return e.Arg(Arg{Kind: ArgCellNumbers}, "u32*", "groups of cells")
}
func (e *arguments) cellSums() string {
	return e.Arg(Arg{Kind: ArgCellSums}, "u64*", "survivors before each tile")
}
func (e *arguments) runWords() string { return e.Arg(Arg{Kind: ArgRunWords}, "u64*", "words of rows") }
func (e *arguments) fine() (rows, groups string) {
	return e.Arg(Arg{Kind: ArgFineRows}, "u32*", "rows in the order of finer groups"), e.Arg(Arg{Kind: ArgFineGroups}, "u32*", "their groups")
}

// judge renders the entry that sets the count of each group to 0 which fails a bar.
func (c *cubing) judge() {
	c.entry("judge", "prunes groups by what accumulators come to", threads, func(e *Entry) {
		starts := e.groupStarts()
		e.Begin("for (u64 k = (u64)blockIdx.x * T + threadIdx.x; k < %s; k += (u64)gridDim.x * T)", e.groupCount())
		e.Line("const u64 lo = %s[k], hi = %s[k + 1];", starts, starts)
		e.Line("bool passes = true;")
		for i := range c.bars {
			b := &c.bars[i]
			e.Begin("")
			e.Line("const %s& s = %s[hi - 1];", b.acc.typeName(), e.states(ArgRunning, b.acc))
			value, op := "s.v", ">="
			switch {
			case b.acc.state == "Count":
				value = "(i64)s.n"
			case b.acc.acc.Op == kernel.AccSum:
				value = "s.sum"
			}
			if b.AtMost {
				op = "<="
			}
			if b.acc.state != "Count" {
				e.Line("passes &= s.n > 0;")
			}
			e.Line("passes &= %s %s %s;", value, op, e.Arg(Arg{Kind: ArgBar, Index: b.number}, "i64", "limit of "+e.name(b.acc.acc.Dst[0])))
			e.End()
		}
		e.Line("%s[k] = passes ? (u32)(hi - lo) : 0;", e.cellCounts())
		e.End()
	})
}

func (e *arguments) groupStarts() string {
	return e.Arg(Arg{Kind: ArgPartStarts}, "u32*", "first row of each of the groups")
}
func (e *arguments) groupCount() string { return e.Arg(Arg{Kind: ArgGroups}, "u64", "groups") }

// write renders the entry that writes groups.
func (c *cubing) write() {
	c.entry("write", "writes the groups", threads, func(e *Entry) {
		starts := e.groupStarts()
		e.Begin("for (u64 k = (u64)blockIdx.x * T + threadIdx.x; k < %s; k += (u64)gridDim.x * T)", e.groupCount())
		e.Line("const int r = 0;")
		e.Line("const u64 rows = %s;", e.ordered())
		e.Line("const u64 lo = rows ? %s[k] : 0, hi = rows ? %s[k + 1] : 0;", starts, starts)
		place := "k"
		if len(c.bars) > 0 {
			e.Line("const u32 place = %s[k];", e.cellNumbers())
			e.Line("if (place == PRUNED) continue;")
			place = "place"
		}
		for i, id := range c.s.Keys {
			c.writeKey(e, i, id, place)
		}
		out := len(c.s.Keys)
		for _, a := range c.accs {
			e.Begin("")
			e.Line("%s s;", a.typeName())
			e.Line("s.start();")
			e.Line("if (hi > lo) s = %s[hi - 1];", e.states(ArgRunning, a))
			c.results(e, a)
			for _, id := range a.acc.Dst {
				e.store(out, id, place)
				out++
			}
			e.End()
		}
		e.End()
	})
}

// writeKey writes key i of a group: that of its first row, or NULL where the set lacks it.
func (c *cubing) writeKey(e *Entry, i int, id kernel.ValueID, place string) {
	col := e.outputColumn(i, id)
	valid := e.Arg(col.valid, "u32*", "validity of "+col.name)
	col.shape.Nullable = false
	mask := e.Arg(Arg{Kind: ArgMask}, "u64", "keys of the set")
	e.Begin("if (%s >> %d & 1)", mask, i)
	c.load(e, e.rowOf("lo"), id)
	e.storeTo(col, id, place)
	there := ""
	if nulls := e.nulls(id); nulls != "" {
		there = "if (!" + nulls + ") "
	}
	e.Line("%sset_bit(%s, %s);", there, valid, place)
	e.End()
	out := e.dataOut(col)
	switch enc := col.shape.Encoding; enc {
	case EncBits:
	case EncI128:
		e.Line("else put_i128(%s, %s, 0);", out, place)
	case EncTexts:
		e.Line("else %s[%s] = Text{0};", out, place)
	default:
		e.Line("else %s[%s] = 0;", out, place)
	}
}

// dataOut is the array that a column is written to.
func (e *arguments) dataOut(c stored) string {
	return e.Arg(c.data, elements[c.shape.Encoding]+"*", c.name)
}

// sortsKeys reports whether there are keys whose codes are numbers of runs.
func (c *cubing) sortsKeys() bool {
	return slices.ContainsFunc(c.keys, func(k cubeKey) bool { return !k.direct })
}
