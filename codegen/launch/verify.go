package launch

import (
	"go/token"
	"slices"
)

// Verify checks that a plan is well formed: a launch fills every word of its entry
// exactly once, numbers with numbers and pointers with places in buffers; every
// buffer is allocated once, used while it is, and written before it is read, on every
// way through branches and loops, within its size where that is known, and with elements
// of one size; variables are set before they are read; sizes and numbers of rows are not
// negative and divisors are positive whatever the symbols are; what ends a loop changes in
// it, every way ends in a result, and nothing is declared that is not used. What it reports
// is a defect of what made the plan.
func Verify(p *Plan) error {
	v := &verifier{plan: p, elements: map[partOf]int{}, steps: map[*Let]interval{}}
	v.declarations()
	if v.err != nil {
		return v.err
	}
	s := newState(p)
	if ends := v.list(p.Body, s); !ends {
		v.failf("it ends without a result")
	}
	v.used()
	return v.err
}

// mostParts is how many parts a buffer has at most: something is remembered of each.
const mostParts = 1 << 16

// declarations checks what stands before the body.
func (v *verifier) declarations() {
	blocks, entries, numbers := names{}, names{}, names{}
	for i := range v.plan.Blocks {
		b := &v.plan.Blocks[i]
		blocks.add(v, "block", b.Name)
		words := names{}
		for _, w := range b.Words {
			words.add(v, "word", w.Name)
			if !slices.Contains(elements, w.Pointer) {
				v.failf("word %s points to elements of %d bytes", w.Name, w.Pointer)
			}
		}
	}
	for i := range v.plan.Entries {
		entries.add(v, "entry", v.plan.Entries[i].Name)
		v.entry(&v.plan.Entries[i])
	}
	buffers := names{}
	for i := range v.plan.Buffers {
		b := &v.plan.Buffers[i]
		buffers.add(v, "buffer", b.Name)
		switch {
		case b.Columns == nil && b.Parts < 1:
			v.failf("buffer %s has no parts", b.Name)
		case b.Parts > mostParts:
			v.failf("buffer %s has %d parts, more than %d", b.Name, b.Parts, mostParts)
		case b.Columns != nil && b.Parts != 2*len(b.Columns):
			v.failf("buffer %s has %d parts for %d columns", b.Name, b.Parts, len(b.Columns))
		}
		for _, c := range b.Columns {
			if c.Width < 0 {
				v.failf("buffer %s has a column of %d bytes", b.Name, c.Width)
			}
		}
	}
	for _, x := range v.plan.Vars {
		numbers.add(v, "variable", x.Name)
		if slices.Contains(SymbolNames[:], x.Name) || slices.Contains(functionNames, x.Name) {
			v.failf("variable %s has the name of a symbol or a function", x.Name)
		}
	}
}

// names are those in use of one kind of thing.
type names map[string]bool

func (n names) add(v *verifier, what, name string) {
	switch {
	case !token.IsIdentifier(name) || slices.Contains(Statements, name):
		v.failf("%q is no name of a %s", name, what)
	case n[name]:
		v.failf("there are two of %s %s", what, name)
	}
	n[name] = true
}

// elements are how many bytes a word's elements may have; 0: it is no pointer.
var elements = []int{0, 1, 2, 4, 8}

// The sizes of blocks that a device runs.
const (
	warp       = 32
	maxThreads = 1024
)

func (v *verifier) entry(e *Entry) {
	switch {
	case e.Block < 0 || e.Block >= len(v.plan.Blocks):
		v.failf("entry %s has parameter block %d of %d", e.Name, e.Block, len(v.plan.Blocks))
		return
	case e.Threads < warp || e.Threads > maxThreads || e.Threads%warp != 0:
		v.failf("entry %s has blocks of %d threads", e.Name, e.Threads)
	case e.TileRows < 0 || e.PerSM < 0:
		v.failf("entry %s has tiles of %d rows, and %d blocks on a multiprocessor", e.Name, e.TileRows, e.PerSM)
	case e.Source && e.TileRows == 0:
		v.failf("entry %s goes over the source without tiles", e.Name)
	}
	for i, w := range e.Takes {
		if w < 0 || w >= len(v.plan.Blocks[e.Block].Words) || i > 0 && w <= e.Takes[i-1] {
			v.failf("entry %s takes word %d, out of range or order", e.Name, w)
		}
	}
}

// list checks statements and reports whether the last one of them ends the plan.
func (v *verifier) list(list []Stmt, s *state) (ends bool) {
	for _, stmt := range list {
		if ends {
			v.at = ""
			v.failf("statements follow the end of the plan")
			return true
		}
		ends = v.stmt(stmt, s)
		if v.err != nil {
			return true
		}
	}
	v.at = ""
	return ends
}

func (v *verifier) stmt(stmt Stmt, s *state) (ends bool) {
	v.at = ""
	switch stmt := stmt.(type) {
	case *Let:
		v.at = "let " + v.varName(stmt.Var) + ": "
		v.step(s, stmt)
		v.assign(s, stmt.Var, v.expr(s, stmt.X))
	case *List:
		v.at = "list " + v.varName(stmt.Array) + ": "
		v.listed(stmt, s)
	case *Alloc, *Columns, *Clear, *Release, *Swap, *Read, *Keep:
		v.memory(stmt, s)
	case *Launch:
		v.launch(stmt, s)
	case *If:
		return v.branch(stmt, s)
	case *Loop:
		v.loop(stmt, s)
	case *Until:
		v.failf("an until stands outside of a loop's own statements")
	case *Chunks:
		v.inChunks(stmt, s)
	case *Fail:
		v.at = "fail: "
		v.expr(s, stmt.Cond)
	case *Note:
		v.at = "note: "
		for _, x := range stmt.X {
			v.expr(s, x)
		}
	case *Rows, *Relations, *Table, *Groups, *Fallback, *Complete:
		v.result(stmt, s)
		return true
	default:
		v.failf("there is no statement %T", stmt)
	}
	return false
}

// branch checks both branches; afterwards counts what both have done, or the one that
// goes on.
func (v *verifier) branch(stmt *If, s *state) (ends bool) {
	v.at = "if: "
	v.expr(s, stmt.Cond)
	other := s.clone()
	first, second := v.list(stmt.Then, s), v.list(stmt.Else, other)
	switch {
	case first && second:
		return true
	case first:
		*s = *other
	case !second:
		v.join(s, other, "a branch")
	}
	return false
}

// loop checks the body until what is known at its beginning stays: what is so before
// the loop and after each iteration.
func (v *verifier) loop(stmt *Loop, s *state) {
	begin, out := s.clone(), (*state)(nil)
	for v.err == nil {
		at := begin.clone()
		out = nil
		for _, inner := range stmt.Body {
			until, ok := inner.(*Until)
			if !ok {
				if v.stmt(inner, at) {
					v.failf("a loop's statements end the plan")
				}
				continue
			}
			v.at = "until: "
			v.until(at, until)
			if out == nil {
				out = at.clone()
			} else {
				v.join(out, at, "an until")
			}
		}
		if v.at = ""; out == nil {
			v.failf("a loop has no until")
		}
		if v.err != nil {
			return
		}
		before := begin.clone()
		v.join(begin, at, "an iteration of a loop")
		begin.widen(before)
		if begin.equal(before) {
			v.progress(stmt)
			break
		}
	}
	if out != nil {
		*s = *out
	}
}

// inChunks checks what is done for each chunk.
func (v *verifier) inChunks(stmt *Chunks, s *state) {
	if v.chunks {
		v.failf("chunks stand within chunks")
	}
	v.chunks = true
	v.loop(&Loop{Body: append(slices.Clone(stmt.Body), &Until{Cond: Int(1)})}, s) // of many iterations or one
	v.chunks = false
}
