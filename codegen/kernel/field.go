package kernel

import "strconv"

// fields goes over the fields of sources, instructions and sinks. Each of them lists its own
// once, in the order of its text: what prints them, visits their values or goes into their
// blocks is made of that list.
type fields struct {
	out          *printer // nil: nothing is printed
	read, define func(*ValueID)
	// enter is called with each block and the value that it yields, NoValue where the
	// instruction has no block. Nil: the instructions of the block are gone over.
	enter  func(b *Block, yields ValueID)
	result *ValueID // of the instruction, defined when all its other fields have been
}

// instrs goes over the instructions of a block.
func (w *fields) instrs(b Block) {
	for _, in := range b {
		w.instr(in)
	}
}

func (w *fields) instr(in Instr) {
	outer := w.result
	w.result = nil
	in.instr(w)
	if w.result != nil && w.define != nil {
		w.define(w.result)
	}
	w.result = outer
}

// block ends the line, and goes over a block and the value that it yields.
func (w *fields) block(b *Block, yields *ValueID) {
	w.line()
	if w.enter != nil {
		w.enter(b, *yields)
		return
	}
	w.nest(1)
	w.instrs(*b)
	w.reads("yield", yields)
	w.line()
	w.nest(-1)
}

// results is the value that the instruction defines for what comes after it.
func (w *fields) results(id *ValueID) {
	w.result = id
	if w.out != nil {
		w.out.word(w.out.def(*id))
	}
}

// defines is a value that is defined before what follows.
func (w *fields) defines(id *ValueID) {
	if w.out != nil {
		w.out.word(w.out.def(*id))
	}
	if w.define != nil {
		w.define(id)
	}
}

// reads is a value that is read.
func (w *fields) reads(word string, id *ValueID) {
	if w.out != nil {
		w.out.word(word)
		w.out.word(ref(*id))
	}
	if w.read != nil {
		w.read(id)
	}
}

func (w *fields) readsAll(word string, ids []ValueID) {
	w.word(word)
	for i := range ids {
		w.reads("", &ids[i])
	}
}

// What follows is no value: it is printed alone.

func (w *fields) word(word string) {
	if w.out != nil {
		w.out.word(word)
	}
}

// text is a word and what it names, where there is such a thing.
func (w *fields) text(word, what string) {
	if w.out != nil && what != "" {
		w.out.word(word)
		w.out.word(what)
	}
}

func (w *fields) flag(word string, set bool) {
	if w.out != nil && set {
		w.out.word(word)
	}
}

// suffixIf follows a word without a space.
func (w *fields) suffixIf(text string, set bool) {
	if w.out != nil && set {
		w.out.b.WriteString(text)
	}
}

func (w *fields) number(word string, n int64) {
	if w.out != nil {
		w.text(word, strconv.FormatInt(n, 10))
	}
}

func (w *fields) estimate(word string, x float64) {
	if w.out != nil {
		w.text(word, strconv.FormatFloat(x, 'g', -1, 64))
	}
}

func (w *fields) estimateIfKnown(word string, x float64) {
	if x > 0 {
		w.estimate(word, x)
	}
}

func (w *fields) suffix(in *Compute) {
	if w.out != nil {
		w.out.b.WriteString(suffix(in))
	}
}

// line ends the line.
func (w *fields) line() {
	if w.out != nil {
		w.out.endLine()
	}
}

// end is the last line of what has several.
func (w *fields) end() {
	w.word("end")
	w.line()
}

func (w *fields) nest(levels int) {
	if w.out != nil {
		w.out.depth += levels
	}
}
