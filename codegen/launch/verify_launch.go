package launch

import "slices"

// overChunk reports whether blocks are launched for the rows of the chunk, or for so many of them
// at most: then they take the others, too.
func overChunk(over Expr) bool {
	if a, ok := over.(*Apply); ok && a.Op == Min {
		if most, known := a.X[1].(Int); known && most > 0 {
			over = a.X[0]
		}
	}
	chunk, ok := over.(Sym)
	return ok && chunk.Kind == ChunkRows
}

// launch checks the launch of an entry.
func (v *verifier) launch(stmt *Launch, s *state) {
	if stmt.Entry < 0 || stmt.Entry >= len(v.plan.Entries) {
		v.failf("there is no entry %d", stmt.Entry)
		return
	}
	e := &v.plan.Entries[stmt.Entry]
	v.at = "launch " + e.Name + ": "
	if e.Source && !v.chunks {
		v.failf("it goes over the source outside of chunks")
	}
	if e.Source && !overChunk(stmt.Over) {
		v.failf("it goes over the source, and not over the rows of the chunk")
	}
	v.natural(s, stmt.Over, "the number of rows")
	if stmt.Shared != nil {
		v.natural(s, stmt.Shared, "the shared memory")
	}
	filled := make(map[int]bool)
	for i := range stmt.Args {
		v.arg(s, e, &stmt.Args[i], filled)
	}
	for _, w := range e.Takes {
		if word := &v.plan.Blocks[e.Block].Words[w]; !word.Bound && !filled[w] {
			v.failf("nothing fills %s", word.Name)
		}
	}
	if stmt.Blocks != None {
		v.assign(s, stmt.Blocks, natural)
	}
}

// arg checks what fills a word.
func (v *verifier) arg(s *state, e *Entry, a *Arg, filled map[int]bool) {
	if !slices.Contains(e.Takes, a.Word) {
		v.failf("the entry does not take word %d", a.Word)
		return
	}
	word := &v.plan.Blocks[e.Block].Words[a.Word]
	switch {
	case filled[a.Word]:
		v.failf("%s is filled twice", word.Name)
	case word.Bound:
		v.failf("%s is filled, and is bound when the run starts", word.Name)
	case (word.Pointer > 0) != (a.X == nil) && a.X != Int(0): // no place at all
		v.failf("%s is a pointer that a number fills, or the reverse", word.Name)
	case a.X != nil:
		v.expr(s, a.X)
	case a.Access > InOut:
		v.failf("%s has no kind of access", word.Name)
	default:
		v.ref(s, a.Ref, interval{int64(word.Pointer), int64(word.Pointer)}, a.Access)
		if v.err == nil {
			v.element(a.Ref, word)
		}
	}
	filled[a.Word] = true
}

// element checks that a word that points to a place takes elements of the size that lie
// there: those of the column, or those that other words take.
func (v *verifier) element(r Ref, word *Word) {
	if word.Pointer == 1 {
		return
	}
	b := &v.plan.Buffers[r.Buffer]
	if b.Columns != nil {
		width := b.Columns[r.Part/2].Width
		if r.Part%2 == 1 || width == 0 {
			width = bitWord
		}
		if width%word.Pointer != 0 {
			v.failf("%s points to elements of %d bytes, and part %d of buffer %s has %d", word.Name, word.Pointer, r.Part, b.Name, width)
		}
		return
	}
	at := partOf{r.Buffer, r.Part}
	if other, ok := v.elements[at]; ok && other != word.Pointer {
		v.failf("%s points to elements of %d bytes, and other words to part %d of buffer %s as elements of %d",
			word.Name, word.Pointer, r.Part, b.Name, other)
	}
	v.elements[at] = word.Pointer
}

// bitWord is how many bytes the words have in which bits lie.
const bitWord = 4
