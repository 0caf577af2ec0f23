package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// The words of the status.
const (
	statusError   = 0 // three words
	statusCount   = 3
	statusDups    = 4
	statusKeyless = 5
	statusEnded   = 5 // of an Aggregate and a Sort: see ArgEnded
	statusGroups  = 6 // five words: see ArgGroupCount
	statusMarked  = 7 // of an Aggregate without a table: see ArgMarkFull
	statusRuns    = 11
	statusAdded   = 12 // two words: see ArgAdditions
	statusSpread  = 14 // three words: see ArgRunSpread
	statusBounds  = 17 // of a Build: two words for each of boundedKeys, see ArgKeyBounds
)

// statusWord is the place of a word of the status.
func (p *Planner) statusWord(word int) launch.Ref {
	ref := launch.Ref{Buffer: p.status}
	if word > 0 {
		ref.Offset = launch.Int(8 * word)
	}
	return ref
}

// countWord is the word of the status that counts the rows of a branch.
func countWord(branch int) int {
	if branch == 0 {
		return statusCount
	}
	return statusBounds + branch - 1
}

// statusWords is the length of the status.
func (p *Planner) statusWords() int {
	switch s := p.f.Sink.(type) {
	case *kernel.Build:
		return statusBounds + 2*len(p.boundedKeys(s))
	case *kernel.Several:
		return countWord(len(s.Branches)-1) + 1
	}
	return statusBounds
}

func (p *Planner) add(s launch.Stmt) { p.list = append(p.list, s) }

// within returns the statements that body makes.
func (p *Planner) within(body func()) []launch.Stmt {
	outer := p.list
	p.list = nil
	body()
	made := p.list
	p.list = outer
	return made
}

func (p *Planner) Loop(body func()) { p.add(&launch.Loop{Body: p.within(body)}) }

func (p *Planner) Chunks(body func()) { p.add(&launch.Chunks{Body: p.within(body)}) }

func (p *Planner) Until(x launch.Expr) { p.add(&launch.Until{Cond: x}) }

// When makes a branch, or one of its sides alone where the condition is constant.
func (p *Planner) When(cond launch.Expr, then, otherwise func()) {
	if known, ok := cond.(launch.Int); ok {
		if known != 0 {
			then()
		} else {
			otherwise()
		}
		return
	}
	p.add(&launch.If{Cond: cond, Then: p.within(then), Else: p.within(otherwise)})
}

// Note has EXPLAIN ANALYZE say which way is taken, with numbers, nil for none.
func (p *Planner) Note(text string, x ...launch.Expr) {
	x = slices.DeleteFunc(x, func(x launch.Expr) bool { return x == nil })
	p.add(&launch.Note{Text: text, X: x})
}

// Variable finds a variable by its name, or makes it: all that name it mean the same.
func (p *Planner) Variable(name string, kind launch.VarKind) int {
	i := slices.IndexFunc(p.made.Vars, func(v launch.Var) bool { return v.Name == name })
	if i < 0 {
		i = len(p.made.Vars)
		p.made.Vars = append(p.made.Vars, launch.Var{Name: name, Kind: kind})
	}
	return i
}

// Let makes a variable of its own, with a number where the name is taken, sets it and
// returns it.
func (p *Planner) Let(name string, x launch.Expr) launch.Expr {
	unique := name
	for n := 2; slices.ContainsFunc(p.made.Vars, func(v launch.Var) bool { return v.Name == unique }); n++ {
		unique = fmt.Sprintf("%s%d", name, n)
	}
	return p.Set(p.Value(unique), x)
}

// Set sets a variable, which is what v reads, and returns it.
func (p *Planner) Set(v, x launch.Expr) launch.Expr {
	p.add(&launch.Let{Var: int(v.(launch.VarRef)), X: x})
	return v
}

// Value reads the variable of a name, which Let, Set or a word of the status sets.
func (p *Planner) Value(name string) launch.Expr {
	return launch.VarRef(p.Variable(name, launch.Natural))
}

// buffer makes a buffer, with a number where the name is taken.
func (p *Planner) buffer(name string, parts int) int {
	unique := name
	for n := 2; slices.ContainsFunc(p.made.Buffers, func(b launch.Buffer) bool { return b.Name == unique }); n++ {
		unique = fmt.Sprintf("%s%d", name, n)
	}
	p.made.Buffers = append(p.made.Buffers, launch.Buffer{Name: unique, Parts: parts})
	return len(p.made.Buffers) - 1
}

// columns makes a buffer of the kernel's result columns.
func (p *Planner) columns(name string) int { return p.columnsOf(name, 0, len(p.outputs)) }

// columnsOf makes a buffer of some of the kernel's result columns.
func (p *Planner) columnsOf(name string, first, n int) int {
	b := p.buffer(name, 2*n)
	cols := make([]launch.Column, n)
	for i, shape := range p.outputs[first : first+n] {
		cols[i] = launch.Column{Width: shape.Encoding.Width(), Valid: shape.Nullable}
	}
	p.made.Buffers[b].First, p.made.Buffers[b].Columns = first, cols
	return b
}

// alloc makes a buffer of one part and allocates it.
func (p *Planner) alloc(name string, bytes launch.Expr, fill launch.Fill) int {
	b := p.buffer(name, 1)
	p.add(&launch.Alloc{Buffer: b, Sizes: []launch.Expr{bytes}, Fill: fill})
	return b
}

// Array allocates so many bytes, which an argument points to, and returns what releases them.
func (p *Planner) Array(a Arg, name string, bytes launch.Expr, fill launch.Fill) (release func()) {
	b, access := p.alloc(name, bytes, fill), launch.InOut
	if fill == launch.Anything {
		access = launch.Out
	}
	p.Pointer(a, access, launch.Ref{Buffer: b})
	return func() { p.release(b) }
}

func (p *Planner) release(buffers ...int) {
	for _, b := range buffers {
		p.add(&launch.Release{Buffer: b})
	}
}

// Number has a number fill an argument, and pointer a place in a buffer.
func (p *Planner) Number(a Arg, x launch.Expr) { p.fills[a] = launch.Arg{X: x} }

func (p *Planner) Pointer(a Arg, access launch.Access, ref launch.Ref) {
	p.fills[a] = launch.Arg{Ref: ref, Access: access}
}

// into has the entries write their result to columns, with room for so many rows.
func (p *Planner) into(out int, capacity launch.Expr) { p.intoResult(out, 0, capacity) }

// intoResult is into for one of several results.
func (p *Planner) intoResult(out, result int, capacity launch.Expr) {
	p.Number(Arg{Kind: ArgCapacity, Index: result}, capacity)
	b := &p.made.Buffers[out]
	for i := range b.Columns {
		at := b.First + i
		p.Pointer(Arg{Kind: ArgOutData, Index: at}, launch.Out, launch.Data(out, i))
		p.Pointer(Arg{Kind: ArgOutValid, Index: at}, launch.InOut, launch.Validity(out, i))
		p.Number(Arg{Kind: ArgOutBase, Index: at}, launch.Int(p.bases[at]))
	}
}

// entryNumber is the number of an entry, or of a pass over the rows, or below 0.
func (p *Planner) entryNumber(name string) int {
	pass := p.passName(name)
	return slices.IndexFunc(p.made.Entries, func(e launch.Entry) bool { return e.Name == name || e.Name == pass })
}

// TileRows is how many rows a block of an entry takes at a time.
func (p *Planner) TileRows(name string) int { return p.made.Entries[p.entryNumber(name)].TileRows }

// Launch launches an entry of the kernel with the arguments that it takes.
func (p *Planner) Launch(name string, over launch.Expr) *launch.Launch {
	l := &launch.Launch{Entry: p.entryNumber(name), Over: over, Blocks: launch.None}
	for _, word := range p.made.Entries[l.Entry].Takes {
		if fill, ok := p.fills[p.args[word]]; ok {
			fill.Word = word
			l.Args = append(l.Args, fill)
		}
	}
	p.add(l)
	return l
}

// overRows launches an entry over all rows of the source.
func (p *Planner) overRows(name string) {
	p.overRowsBehind(func() {}, name)
}

// overRowsBehind is that, with what before plans before each launch.
func (p *Planner) overRowsBehind(before func(), name string) {
	p.Chunks(func() {
		before()
		p.Launch(name, expr.Chunk)
	})
}

// readStatus reads the status, raising the error of a row, and sets variables to words
// of it.
func (p *Planner) readStatus(into ...launch.Into) { p.readStatusTo(launch.None, into...) }

// readResult is that, with the rows of a buffer, of which there are so many at most.
func (p *Planner) readResult(buffer int, most launch.Expr, into ...launch.Into) {
	p.readStatus(into...)
	p.list[len(p.list)-1].(*launch.Read).With = &launch.Rows{Buffer: buffer, Rows: most}
}

// readStatusTo is that, and has a variable get all of its words.
func (p *Planner) readStatusTo(array int, into ...launch.Into) {
	p.add(&launch.Read{From: p.statusWord(0), Words: launch.Int(p.statusWords()), Raise: statusError, Into: into, Array: array})
}

// word has a variable get a word of the status.
func (p *Planner) word(name string, word int) launch.Into {
	return launch.Into{Word: word, Var: p.Variable(name, launch.Natural)}
}

func (p *Planner) clearStatus() {
	p.add(&launch.Clear{At: p.statusWord(0), Bytes: launch.Int(8 * p.statusWords())})
}

// firstGroups is for how many groups of a dense aggregation there is room at first.
const firstGroups = 1 << 20

// firstRoom is for how many rows of the result there is room at first: for all of the
// source, or in a part of the memory where the source is streamed. It is tried again
// with as many as there turn out to be. Keys are words that a row takes besides.
func (p *Planner) firstRoom(keys int) launch.Expr {
	width := 1 + 8*keys
	for _, shape := range p.outputs {
		width += max(shape.Encoding.Width(), 1)
	}
	if p.f.GroupsSource() >= 0 {
		return expr.Select(expr.Filled, expr.Filled, expr.Min(expr.Rows, launch.Int(firstGroups)))
	}
	part := expr.Div(expr.Div(expr.Free, launch.Int(pieceShare)), launch.Int(width))
	return expr.Select(expr.Streamed, expr.Min(expr.Rows, expr.Max(part, launch.Int(fewestRows))), expr.Rows)
}

// The part of the memory that a result of a streamed source is given at first, and for
// how many rows there is room at least.
const (
	pieceShare = 8
	fewestRows = 1024
)
