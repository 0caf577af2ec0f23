package cuda

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// The entries of the rows' module that plans launch, with the words of their parameters
// as order.cuh and gather.cuh declare them.
var (
	orderWords = []launch.Word{
		{Name: "keys", Pointer: 8}, {Name: "capacity"}, {Name: "words"}, {Name: "word"}, {Name: "rows"},
		{Name: "in_keys", Pointer: 8}, {Name: "out_keys", Pointer: 8},
		{Name: "in_rows", Pointer: 4}, {Name: "out_rows", Pointer: 4}, {Name: "shift"}, {Name: "digit"},
		{Name: "counts", Pointer: 4}, {Name: "tiles", Pointer: 8}, {Name: "spread", Pointer: 8},
	}
	orderEntries = []struct {
		name  string
		rows  int // of a tile
		takes []string
	}{
		{"rank_rows", RowsThreads, []string{"keys", "capacity", "words", "rows", "out_rows"}},
		{"differ", RowsThreads, []string{"keys", "capacity", "word", "rows", "spread"}},
		{"in_place", RowsThreads, []string{"rows", "out_rows"}},
		{"histograms", RowsThreads, []string{"keys", "capacity", "word", "rows", "counts", "spread"}},
		{"sweep", sweptTile, sweptWords},
		{"sweep_few", fewSweptTile, sweptWords},
	}
	sweptWords  = []string{"keys", "capacity", "word", "rows", "in_keys", "out_keys", "in_rows", "out_rows", "shift", "digit", "counts", "tiles"}
	columnWords = []launch.Word{
		{Name: "from", Pointer: 1}, {Name: "from_valid", Pointer: 4},
		{Name: "to", Pointer: 1}, {Name: "to_valid", Pointer: 4}, {Name: "width"},
	}
)

// rowsBlocksPerSM is how many blocks of the rows' module a multiprocessor runs.
const rowsBlocksPerSM = 2048 / RowsThreads

// sorter plans what a Sort and a Window begin with: rows and their keys are written, and
// the keys ordered.
type sorter struct {
	*Planner
	keys     int         // buffer
	n, words launch.Expr // rows, and words of a key
	capacity launch.Expr // rows between two words of a key
	before   func()      // plans what comes before each launch that writes rows
	order    int         // buffer of the rows' numbers in order
}

// wordsOf is how many words a layout has.
func (p *Planner) wordsOf(l *sortLayout) launch.Expr {
	if l.Texts == 0 {
		return launch.Int(l.Words)
	}
	return expr.Plus(launch.Int(l.Words), expr.Times(launch.Int(l.Texts), expr.LongestText))
}

// sweptTile is how many rows a block sorts by a digit at a time, and fewSweptTile where there are at
// most fewSwept of them: SWEPT_TILE of order.cuh.
const (
	sweptTile    = 16 * RowsThreads
	fewSweptTile = 4 * RowsThreads
	fewSwept     = 1 << 18
)

// fewSorted is up to how many rows are ordered by comparing each with all, and
// rankedRows how many rows a block compares with all at a time.
const (
	fewSorted  = 4096
	rankedRows = 32
)

// declare declares the entries of the rows' module but for those without.
func (o *sorter) declare(gathers bool, without ...string) {
	made := o.made
	block := len(made.Blocks)
	made.Blocks = append(made.Blocks, launch.Block{Name: RowsBlock, Words: orderWords})
	entry := func(name string, block, rows int, takes []int) {
		made.Entries = append(made.Entries, launch.Entry{
			Name: name, Block: block, Threads: RowsThreads, TileRows: rows, PerSM: rowsBlocksPerSM, Takes: takes,
		})
	}
	for _, e := range orderEntries {
		if slices.Contains(without, e.name) {
			continue
		}
		var takes []int
		for i, w := range orderWords {
			if slices.Contains(e.takes, w.Name) {
				takes = append(takes, i)
			}
		}
		entry(e.name, block, e.rows, takes)
	}
	if !gathers {
		return
	}
	words := []launch.Word{{Name: "order", Pointer: 4}, {Name: "rows"}, {Name: "column_count"}}
	for i := range RowsColumns {
		for _, w := range columnWords {
			words = append(words, launch.Word{Name: fmt.Sprintf("%s_%d", w.Name, i), Pointer: w.Pointer})
		}
	}
	all := make([]int, len(words))
	for i := range all {
		all[i] = i
	}
	entry("gather", len(made.Blocks), RowsThreads, all)
	made.Blocks = append(made.Blocks, launch.Block{Name: RowsBlock + "_gather", Words: words})
}

// collect writes the rows and their keys, again with more room where they were more
// than expected.
func (o *sorter) collect(make func(capacity launch.Expr) []int) {
	o.capacity = o.Let("space", o.firstRoom(o.sort.Words))
	o.Loop(func() {
		made := o.collectOnce(make, func(count launch.Into) { o.readStatus(count) })
		o.Until(expr.LessOrEqual(o.n, o.capacity))
		o.release(made...)
		o.clearStatus()
		o.Set(o.capacity, o.n)
	})
}

// collectOnce writes rows and their keys, as far as there is room, counts all, which read reads with
// the status, and returns the buffers.
func (o *sorter) collectOnce(make func(capacity launch.Expr) []int, read func(count launch.Into)) []int {
	rows := make(o.capacity)
	o.add(&launch.Alloc{Buffer: o.keys, Sizes: []launch.Expr{expr.Times(expr.Times(launch.Int(8), o.words), o.capacity)}})
	o.Pointer(Arg{Kind: ArgSortKeys}, launch.Out, launch.Ref{Buffer: o.keys})
	o.overRowsBehind(o.before, "collect")
	count := o.word("count", statusCount)
	read(count)
	o.n = launch.VarRef(count.Var)
	o.add(&launch.Fail{Kind: launch.Refused, Cond: expr.LessThan(launch.Int(math.MaxUint32), o.n), Text: "more than 2^32 rows are to be sorted"})
	return append(rows, o.keys)
}

// rowsArg fills a word of a parameter of the rows' module.
type rowsArg struct {
	word   string
	x      launch.Expr
	access launch.Access
	buffer int
}

// start launches an entry of the rows' module; the keys, and what else is the same for
// all, is filled where the entry takes it.
func (o *sorter) start(name string, over launch.Expr, args ...rowsArg) {
	l := &launch.Launch{Entry: o.entryNumber(name), Over: over, Blocks: launch.None}
	args = append(args,
		rowsArg{word: "keys", buffer: o.keys}, rowsArg{word: "capacity", x: o.capacity}, rowsArg{word: "words", x: o.words},
		rowsArg{word: "rows", x: o.n})
	for _, word := range o.made.Entries[l.Entry].Takes {
		i := slices.IndexFunc(args, func(a rowsArg) bool { return a.word == orderWords[word].Name })
		if i >= 0 {
			l.Args = append(l.Args, launch.Arg{Word: word, X: args[i].x, Ref: launch.Ref{Buffer: args[i].buffer}, Access: args[i].access})
		}
	}
	o.add(l)
}

// sortRows orders the rows that were written.
func (o *sorter) sortRows() {
	o.When(expr.LessOrEqual(o.n, launch.Int(fewSorted)), o.rank, func() {
		o.Note("rows sorted by digits of their keys", o.n)
		o.radix()
	})
}

// rank orders few rows.
func (o *sorter) rank() {
	o.Note("rows compared with each other", nil)
	o.add(&launch.Alloc{Buffer: o.order, Sizes: []launch.Expr{expr.Times(launch.Int(4), o.n)}})
	o.start("rank_rows", expr.Times(o.n, launch.Int(RowsThreads/rankedRows)), rowsArg{word: "out_rows", access: launch.Out, buffer: o.order})
}

// digitBits is the size of the digits of the radix sort, and wordDigits how many a word has.
const (
	digitBits  = 8
	wordDigits = 64 / digitBits
)

// radix sorts by the digits of all words in which keys differ, least significant first.
func (o *sorter) radix() {
	n := o.n
	differs := o.Variable("differing", launch.Array)
	s := &sweeping{sorter: o, spread: o.alloc("spread", expr.Times(launch.Int(8), o.words), launch.Zeros)}
	s.w = o.Let("w", launch.Int(0))
	o.Loop(func() {
		o.start("differ", n, rowsArg{word: "word", x: s.w}, rowsArg{word: "spread", access: launch.InOut, buffer: s.spread})
		o.Set(s.w, expr.Plus(s.w, launch.Int(1)))
		o.Until(expr.LessOrEqual(o.words, s.w))
	})
	o.add(&launch.Read{From: launch.Ref{Buffer: s.spread}, Words: o.words, Raise: launch.None, Array: differs})
	s.fromKeys, s.fromRows = o.alloc("a_keys", expr.Times(launch.Int(8), n), launch.Anything), o.alloc("a_rows", expr.Times(launch.Int(4), n), launch.Anything)
	s.toKeys = o.alloc("b_keys", expr.Times(launch.Int(8), n), launch.Anything)
	o.add(&launch.Alloc{Buffer: o.order, Sizes: []launch.Expr{expr.Times(launch.Int(4), n)}})
	s.counts = o.alloc("counts", launch.Int(4*wordDigits<<digitBits), launch.Anything)
	s.tileBytes = expr.Times(launch.Int(8), expr.Plus(launch.Int(1), expr.Times(launch.Int(1<<digitBits), expr.CeilDiv(n, expr.Select(s.few(), launch.Int(fewSweptTile), launch.Int(sweptTile))))))
	s.tiles = o.alloc("swept", s.tileBytes, launch.Anything)
	s.differing = launch.At{Array: differs, Index: s.w}
	// The last word in which keys differ, and then those before it.
	o.Loop(func() {
		o.Set(s.w, expr.Minus(s.w, launch.Int(1)))
		o.Until(expr.Plus(expr.Equal(s.w, launch.Int(0)), expr.NotEqual(s.differing, launch.Int(0))))
	})
	o.When(expr.NotEqual(s.differing, launch.Int(0)), func() {
		s.word(rowsArg{word: "in_rows", x: launch.Int(0)})
	}, func() {
		o.start("in_place", n, rowsArg{word: "out_rows", access: launch.Out, buffer: o.order})
	})
	o.Loop(func() {
		o.Until(expr.Equal(s.w, launch.Int(0)))
		o.Set(s.w, expr.Minus(s.w, launch.Int(1)))
		o.When(expr.NotEqual(s.differing, launch.Int(0)), func() {
			s.word(rowsArg{word: "in_rows", access: launch.In, buffer: o.order})
		}, func() {})
	})
	o.release(s.spread, s.fromKeys, s.fromRows, s.toKeys, s.counts, s.tiles)
}

// sweeping is the sort by digits: see order.cuh.
type sweeping struct {
	*sorter
	w, differing               launch.Expr // the word at hand, and its bits in which keys differ
	spread, counts, tiles      int         // buffers
	fromKeys, fromRows, toKeys int
	tileBytes                  launch.Expr
}

// few says whether the rows are so few that they are swept by small tiles.
func (s *sweeping) few() launch.Expr { return expr.LessOrEqual(s.n, launch.Int(fewSwept)) }

// word sorts rows by the digits of a word that have bits in which keys differ, from one pair of
// buffers to the other and back, and leaves the rows in order. The first sweep fetches the keys.
func (s *sweeping) word(in rowsArg) {
	s.add(&launch.Clear{At: launch.Ref{Buffer: s.counts}, Bytes: launch.Int(4 * wordDigits << digitBits)})
	s.start("histograms", s.n, rowsArg{word: "word", x: s.w}, rowsArg{word: "spread", access: launch.In, buffer: s.spread},
		rowsArg{word: "counts", access: launch.InOut, buffer: s.counts})
	bits, shift, digit := s.Variable("bits", launch.Bits), s.Variable("shift", launch.Natural), s.Let("digit", launch.Int(0))
	s.add(&launch.Let{Var: bits, X: s.differing})
	sweep := func(keys, rows rowsArg, toKeys, toRows int) {
		s.add(&launch.Let{Var: shift, X: expr.Apply(launch.CTZ, launch.VarRef(bits))})
		s.add(&launch.Let{Var: bits, X: expr.Apply(launch.AndNot, launch.VarRef(bits), launch.Int(1<<digitBits-1), launch.VarRef(shift))})
		s.add(&launch.Clear{At: launch.Ref{Buffer: s.tiles}, Bytes: s.tileBytes})
		start := func(entry string) {
			s.start(entry, s.n, keys, rows, rowsArg{word: "word", x: s.w}, rowsArg{word: "shift", x: launch.VarRef(shift)}, rowsArg{word: "digit", x: digit},
				rowsArg{word: "counts", access: launch.In, buffer: s.counts}, rowsArg{word: "tiles", access: launch.InOut, buffer: s.tiles},
				rowsArg{word: "out_keys", access: launch.Out, buffer: toKeys}, rowsArg{word: "out_rows", access: launch.Out, buffer: toRows})
		}
		s.When(s.few(), func() { start("sweep_few") }, func() { start("sweep") })
		s.Set(digit, expr.Plus(digit, launch.Int(1)))
	}
	sweep(rowsArg{word: "in_keys", x: launch.Int(0)}, in, s.fromKeys, s.fromRows)
	s.Loop(func() {
		s.Until(expr.Equal(launch.VarRef(bits), launch.Int(0)))
		sweep(rowsArg{word: "in_keys", access: launch.In, buffer: s.fromKeys}, rowsArg{word: "in_rows", access: launch.In, buffer: s.fromRows}, s.toKeys, s.order)
		s.add(&launch.Swap{A: s.fromKeys, B: s.toKeys})
		s.add(&launch.Swap{A: s.fromRows, B: s.order})
	})
	s.add(&launch.Swap{A: s.fromKeys, B: s.toKeys})
	s.add(&launch.Swap{A: s.fromRows, B: s.order})
}

// wanted is how many rows a Sort gives.
func (o *sorter) wanted(s *kernel.Sort) launch.Expr {
	return o.Let("wanted", limited(expr.Minus(o.n, launch.Int(s.Offset)), s.Limit))
}

// gather copies the rows wanted in their order to columns.
func (o *sorter) gather(s *kernel.Sort, wanted launch.Expr, rows, out int) {
	from := expr.Min(launch.Int(s.Offset), o.n)
	for first := 0; first < len(o.outputs); first += RowsColumns {
		l := &launch.Launch{Entry: o.entryNumber("gather"), Over: wanted, Blocks: launch.None}
		fill := func(x launch.Expr, access launch.Access, ref launch.Ref) {
			l.Args = append(l.Args, launch.Arg{Word: len(l.Args), X: x, Ref: ref, Access: access})
		}
		n := min(len(o.outputs)-first, RowsColumns)
		fill(nil, launch.In, launch.Ref{Buffer: o.order, Offset: expr.Times(launch.Int(4), from)})
		fill(wanted, 0, launch.Ref{})
		fill(launch.Int(n), 0, launch.Ref{})
		for i := range RowsColumns {
			o.gatherColumn(fill, first+i, rows, out, i < n)
		}
		o.add(l)
	}
}

// gatherColumn fills the words of a column, or those that stand for none.
func (o *sorter) gatherColumn(fill func(launch.Expr, launch.Access, launch.Ref), i, rows, out int, there bool) {
	null := launch.Int(0)
	column := func(access launch.Access, buffer int) {
		if !there {
			fill(null, 0, launch.Ref{})
			fill(null, 0, launch.Ref{})
			return
		}
		fill(nil, access, launch.Data(buffer, i))
		if !o.outputs[i].Nullable {
			fill(null, 0, launch.Ref{})
		} else if access == launch.Out {
			fill(nil, launch.InOut, launch.Validity(buffer, i))
		} else {
			fill(nil, access, launch.Validity(buffer, i))
		}
	}
	column(launch.In, rows)
	column(launch.Out, out)
	width := 0
	if there {
		width = o.outputs[i].Encoding.Width()
	}
	fill(launch.Int(width), 0, launch.Ref{})
}
