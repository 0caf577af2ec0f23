package cuda

import "fmt"

// The rows of a key form a run: they lie side by side. A Build writes rows as they come,
// and numbers those of a key. Where a key has several, its run is given a place then, and
// the rows are moved there.

// runArgs are the arrays that lead rows to their runs.
type runArgs struct{ of, rank, length string }

func (e *arguments) runArgs() runArgs {
	return runArgs{
		of:     e.Arg(Arg{Kind: ArgRunOf}, "u32*", "slots of the keys of rows"),
		rank:   e.Arg(Arg{Kind: ArgRunRank}, "u32*", "how many rows of the same key came before"),
		length: e.Arg(Arg{Kind: ArgRunLength}, "u32*", "by slot: rows of the key, then where the first of them lies"),
	}
}

func (e *arguments) nextPlace() string {
	return e.Arg(Arg{Kind: ArgRunPlace}, "u64*", "places of the runs so far")
}

// placeRuns gives each run its place, a block those of its slots at once.
func (e *Entry) placeRuns() {
	length := e.runArgs().length
	e.openPlaces("u64")
	last, runs := e.lastSlot(), ""
	table := func(element, comment string) string {
		return e.Arg(Arg{Kind: ArgTableSlots, Input: tableOutput}, element+"*", comment)
	}
	ends := func() string {
		return e.Arg(Arg{Kind: ArgTableEnds, Input: tableOutput}, "u32*", "by first row of a key: the row behind the last")
	}
	switch e.layout {
	case LayoutDense:
		runs = fmt.Sprintf("DenseRuns{%s}", table("u64", "runs by cell: the first row plus one, and the row behind the last"))
	case LayoutNarrow:
		runs = fmt.Sprintf("HashedRuns<u64>{%s, %s}", table("u64", "keys and first rows"), ends())
	case LayoutWide:
		runs = fmt.Sprintf("HashedRuns<u32>{%s, %s}", table("u32", "first rows"), ends())
	}
	next := e.nextPlace()
	spread := e.Arg(Arg{Kind: ArgRunSpread}, "u64*", "keys, most rows of one, squares of their rows")
	e.Line("assign_runs(scratch, block_place, %s, %s, %s, %s, %s);", runs, last, length, next, spread)
}

// moveRows writes each row to its place; those that have no key come behind the others.
func (e *Entry) moveRows(keys []keyValue) {
	runs := e.runArgs()
	rows := e.Arg(Arg{Kind: ArgRunRows}, "u64", "rows that are moved")
	e.Begin("for (u64 row = (u64)blockIdx.x * T + threadIdx.x; row < %s; row += (u64)gridDim.x * T)", rows)
	e.Line("const u64 to = place_of_row(%s[row], %s + row, %s, %s);", runs.of, runs.rank, runs.length, e.nextPlace())
	for i := range e.outputs {
		if e.outputs[i].Nullable {
			e.moveValid(i, rowsAsTheyCame, resultColumns)
		}
		e.moveData(i, rowsAsTheyCame, resultColumns)
	}
	if e.layout == LayoutWide {
		from := e.Arg(Arg{Kind: ArgRowKeys}, "const u64* __restrict__", "keys of the rows as they came")
		to := e.Arg(Arg{Kind: ArgTableKeys, Input: tableOutput}, "u64*", "keys of the rows")
		w := keyWords(keys)
		e.Line("move_words<%d>(%s, to, %s, row);", w, to, from)
	}
	e.End()
}

// outputColumns are columns of the kernel's outputs that rows are moved from or to.
type outputColumns struct {
	data, valid   ArgKind
	ctype, before string // of a pointer to elements; what comes before a column's name
}

var (
	rowsAsTheyCame = outputColumns{ArgRowData, ArgRowValid, "const %s* __restrict__", "rows as they came: "}
	resultColumns  = outputColumns{ArgOutData, ArgOutValid, "%s*", "result "}
)

// moveValid sets place to of the validity of an output column where place row of another is set.
func (e *Entry) moveValid(i int, source, destination outputColumns) {
	valid := func(c outputColumns) string {
		return e.Arg(Arg{Kind: c.valid, Index: i}, fmt.Sprintf(c.ctype, "u32"), "validity of "+c.before+e.name(e.results[i]))
	}
	e.Line("if (bit_at(%s, row)) set_bit(%s, to);", valid(source), valid(destination))
}

// columnData are the data of an output column.
func (e *Entry) columnData(i int, c outputColumns) string {
	return e.Arg(Arg{Kind: c.data, Index: i}, fmt.Sprintf(c.ctype, elements[e.outputs[i].Encoding]), c.before+e.name(e.results[i]))
}

// moveData copies the value in place row of an output column to place to of another.
func (e *Entry) moveData(i int, source, destination outputColumns) {
	out, from := e.columnData(i, destination), e.columnData(i, source)
	switch enc := e.outputs[i].Encoding; {
	case enc == EncBits:
		e.Line("if (bit_at(%s, row)) set_bit(%s, to);", from, out)
	case enc.takesWords():
		e.Line("move_words<%d>(%s, to, %s, row);", enc.Width()/wordBytes, out, from)
	default:
		e.Line("%s[to] = %s[row];", out, from)
	}
}

// takesWords reports whether a value takes several words.
func (e Encoding) takesWords() bool { return e.Width() > wordBytes }

const wordBytes = 8

func (e *arguments) lastSlot() string {
	return e.Arg(Arg{Kind: ArgTableMask, Input: tableOutput}, "u64", "slots less one")
}
