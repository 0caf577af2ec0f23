package cuda

// The rows of a key form a run: they lie side by side. A Build writes rows as they come,
// and numbers those of a key. Where a key has several, its run is given a place then, and
// the rows are moved there.

// runArgs are the arrays that lead rows to their runs.
type runArgs struct{ of, rank, length string }

func (e *Entry) runArgs() runArgs {
	return runArgs{
		of:     e.Arg(Arg{Kind: ArgRunOf}, "u32*", "slots of the keys of rows"),
		rank:   e.Arg(Arg{Kind: ArgRunRank}, "u32*", "how many rows of the same key came before"),
		length: e.Arg(Arg{Kind: ArgRunLength}, "u32*", "by slot: rows of the key, then where the first of them lies"),
	}
}

func (e *Entry) nextPlace() string {
	return e.Arg(Arg{Kind: ArgRunPlace}, "u64*", "places of the runs so far")
}

// placeRuns gives each run its place, a block those of its slots at once.
func (e *Entry) placeRuns() {
	length := e.runArgs().length
	e.Line("__shared__ u64 scratch[WARPS];")
	e.Line("__shared__ u64 block_place;")
	e.Line("u64 keys = 0, most = 0, squares = 0;")
	last := e.lastSlot()
	e.Begin("for (u64 tile = (u64)blockIdx.x * T; tile <= %s; tile += (u64)gridDim.x * T)", last)
	e.Line("const u64 slot = tile + threadIdx.x;")
	switch slots := (Arg{Kind: ArgTableSlots, Input: tableOutput}); e.layout {
	case LayoutDense:
		e.Line("const u32 rows = slot <= %s ? %s[slot] : 0;", last, length)
		e.takeRuns(length, func() {
			e.Line("%s[slot] = from + rows << 32 | from + 1;", e.Arg(slots, "u64*", "runs by cell: the first row plus one, and the row behind the last"))
		})
	case LayoutNarrow:
		table := e.Arg(slots, "u64*", "keys and first rows")
		e.Line("const u64 had = slot <= %s ? %s[slot] : 0;", last, table)
		e.Line("const u32 rows = had ? %s[slot] + 1 : 0;", length)
		e.takeRuns(length, func() { e.Line("%s[slot] = had >> 32 << 32 | from + 1;", table) })
	case LayoutWide:
		table := e.Arg(slots, "u32*", "first rows")
		e.Line("const u32 had = slot <= %s ? %s[slot] : 0;", last, table)
		e.Line("const u32 rows = had ? %s[slot] + 1 : 0;", length)
		e.takeRuns(length, func() { e.Line("%s[slot] = (u32)from + 1;", table) })
	}
	e.End()
	spread := e.Arg(Arg{Kind: ArgRunSpread}, "u64*", "keys, most rows of one, squares of their rows")
	e.Line("add_spread(%s, keys, most, squares);", spread)
}

// takeRuns takes places for the runs of the block, and has the slot of each lead there.
func (e *Entry) takeRuns(length string, lead func()) {
	e.Line("u64 total;")
	e.Line("const u64 before = block_scan<u64>(rows, scratch, total);")
	e.Line("if (threadIdx.x == 0) block_place = atomicAdd(%s, total);", e.nextPlace())
	e.Line("__syncthreads();")
	e.Line("const u64 from = block_place + before;")
	e.Line("if (rows == 0) continue;")
	e.Line("keys++;")
	e.Line("most = rows > most ? rows : most;")
	e.Line("squares += (u64)rows * rows;")
	e.Line("%s[slot] = (u32)from;", length)
	if e.layout != LayoutDense {
		e.Line("%s[from] = (u32)from + rows;", e.Arg(Arg{Kind: ArgTableEnds, Input: tableOutput}, "u32*", "by first row of a key: the row behind the last"))
	}
	lead()
}

// moveRows writes each row to its place; those that have no key come behind the others.
func (e *Entry) moveRows(keys []keyValue) {
	runs := e.runArgs()
	rows := e.Arg(Arg{Kind: ArgRunRows}, "u64", "rows that are moved")
	e.Begin("for (u64 row = (u64)blockIdx.x * T + threadIdx.x; row < %s; row += (u64)gridDim.x * T)", rows)
	e.Line("const u32 run = %s[row];", runs.of)
	e.Line("const u64 to = run == NO_RUN ? atomicAdd(%s, 1ull) : (u64)%s[run] + %s[row];", e.nextPlace(), runs.length, runs.rank)
	for i := range e.outputs {
		e.moveColumn(i)
	}
	if e.layout == LayoutWide {
		from := e.Arg(Arg{Kind: ArgRowKeys}, "const u64* __restrict__", "keys of the rows as they came")
		to := e.Arg(Arg{Kind: ArgTableKeys, Input: tableOutput}, "u64*", "keys of the rows")
		w := keyWords(keys)
		e.Line("for (int w = 0; w < %d; w++) %s[to * %d + w] = %s[row * %d + w];", w, to, w, from, w)
	}
	e.End()
}

// moveColumn copies the row's value of an output column.
func (e *Entry) moveColumn(i int) {
	shape, name := e.outputs[i], e.name(e.results[i])
	if shape.Nullable {
		from := e.Arg(Arg{Kind: ArgRowValid, Index: i}, "const u32* __restrict__", "validity of rows as they came: "+name)
		e.Line("if (bit_at(%s, row)) set_bit(%s, to);", from, e.Arg(Arg{Kind: ArgOutValid, Index: i}, "u32*", "validity of result "+name))
	}
	element := elements[shape.Encoding]
	out := e.Arg(Arg{Kind: ArgOutData, Index: i}, element+"*", "result "+name)
	from := e.Arg(Arg{Kind: ArgRowData, Index: i}, "const "+element+"* __restrict__", "rows as they came: "+name)
	switch shape.Encoding {
	case EncBits:
		e.Line("if (bit_at(%s, row)) set_bit(%s, to);", from, out)
	case EncI128, EncIntervals, EncNum:
		w := shape.Encoding.Width() / wordBytes
		e.Line("for (int w = 0; w < %d; w++) %s[to * %d + w] = %s[row * %d + w];", w, out, w, from, w)
	default:
		e.Line("%s[to] = %s[row];", out, from)
	}
}

const wordBytes = 8

func (e *Entry) lastSlot() string {
	return e.Arg(Arg{Kind: ArgTableMask, Input: tableOutput}, "u64", "slots less one")
}
