package kernel

import (
	"fmt"
	"strconv"
	"strings"
)

// fields goes over the fields of sources, instructions and sinks. Each of them lists its own
// once, in the order of its text: what prints and reads them, visits their values or goes
// into their blocks is made of that list.
type fields struct {
	out          *printer // nil: nothing is printed
	in           Reader   // nil: nothing is read
	read, define func(*ValueID)
	// enter is called with each block and the value that it yields, NoValue where the
	// instruction has no block. Nil: the instructions of the block are gone over.
	enter  func(b *Block, yields ValueID)
	result *ValueID // of the instruction, defined when all its other fields have been
}

// function goes over the source, the body and the sink.
func (w *fields) function(f *Func) {
	if w.in != nil {
		f.Source = chosen(w.in, sources)
	}
	if f.Source == nil {
		return
	}
	f.Source.source(w)
	w.word("body")
	w.line()
	w.nest(1)
	w.instrs(&f.Body)
	w.nest(-1)
	w.sink(&f.Sink)
}

func (w *fields) sink(s *Sink) {
	if w.in != nil {
		*s = chosen(w.in, sinks)
	}
	if *s != nil {
		(*s).sink(w)
	}
}

// instrs goes over the instructions of a block.
func (w *fields) instrs(b *Block) {
	for _, in := range *b {
		w.instr(in)
	}
	if w.in == nil {
		return
	}
	for in := nextInstr(w.in); in != nil; in = nextInstr(w.in) {
		in.instr(w)
		*b = append(*b, in)
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
	w.instrs(b)
	w.reads("yield", yields)
	w.line()
	w.nest(-1)
}

// results is the value that the instruction defines for what comes after it.
func (w *fields) results(id *ValueID) {
	w.result = id
	w.def(id)
}

// defines is a value that is defined before what follows.
func (w *fields) defines(id *ValueID) {
	w.def(id)
	if w.define != nil {
		w.define(id)
	}
}

func (w *fields) def(id *ValueID) {
	if w.in != nil {
		*id = w.in.Def()
	}
	if w.out != nil {
		w.out.word(w.out.def(*id))
	}
}

// reads is a value that is read.
func (w *fields) reads(word string, id *ValueID) {
	w.word(word)
	if w.in != nil {
		*id = w.in.Ref()
	}
	if w.out != nil {
		w.out.word(ref(*id))
	}
	if w.read != nil {
		w.read(id)
	}
}

func (w *fields) readsAll(word string, ids *[]ValueID) {
	w.word(word)
	list(w, ids, isValue, func(id *ValueID) { w.reads("", id) })
}

// list goes over the items of a list; more tells from a word whether it begins another one.
func list[T any](w *fields, items *[]T, more func(word string) bool, item func(*T)) {
	for i := range *items {
		item(&(*items)[i])
	}
	for w.in != nil && more(w.in.Peek()) {
		var x T
		item(&x)
		*items = append(*items, x)
	}
}

// is has a list go on as long as an item begins with a word.
func is(word string) func(string) bool { return func(w string) bool { return w == word } }

// What follows is no value: it is printed and read alone.

// word is words that always stand there.
func (w *fields) word(words string) {
	if w.out != nil {
		w.out.word(words)
	}
	if w.in == nil {
		return
	}
	for _, word := range strings.Fields(words) {
		if w.in.Peek() != word {
			w.in.Failf("want %q, have %q", word, w.in.Peek())
			return
		}
		w.in.Word()
	}
}

// has is words before what there may be.
func (w *fields) has(words string, there bool) bool {
	if w.in != nil {
		first, _, _ := strings.Cut(words, " ")
		there = w.in.Peek() == first
	}
	if there {
		w.word(words)
	}
	return there
}

func (w *fields) flag(words string, set *bool) {
	if there := w.has(words, *set); there != *set {
		*set = there
	}
}

// either is one of two words.
func (w *fields) either(yes, no string, set *bool) {
	if w.flag(yes, set); !*set {
		w.word(no)
	}
}

// text is a word and what it names, where there is such a thing.
func text[T ~string](w *fields, word string, what *T) {
	if word != "" && !w.has(word, *what != "") {
		return
	}
	if w.in != nil {
		*what = T(w.in.Word())
	}
	if w.out != nil {
		w.out.word(string(*what))
	}
}

// integer is what holds a whole number.
type integer interface {
	~int | ~int32 | ~int64 | ~uint8 | ~uint64
}

func number[T integer](w *fields, word string, n *T) {
	w.word(word)
	if w.in != nil {
		*n = T(w.in.Int(""))
	}
	if w.out != nil {
		w.out.word(fmt.Sprint(*n))
	}
}

func numberIfAny[T integer](w *fields, word string, n *T) {
	if w.has(word, *n > 0) {
		number(w, "", n)
	}
}

func (w *fields) estimate(word string, x *float64) {
	w.word(word)
	if w.in != nil {
		*x = w.in.Float()
	}
	if w.out != nil {
		w.out.word(strconv.FormatFloat(*x, 'g', -1, 64))
	}
}

func (w *fields) estimateIfKnown(word string, x *float64) {
	if w.has(word, *x > 0) {
		w.estimate("", x)
	}
}

// attribute is a word that consists of a name and a number, but for the number that goes without saying.
func attribute[T integer](w *fields, name string, n *T, none T) {
	if w.out != nil && *n != none {
		w.out.word(name + fmt.Sprint(*n))
	}
	if w.in != nil && strings.HasPrefix(w.in.Peek(), name) {
		*n = T(w.in.Int(name))
	}
}

// attached is a text in one word with its name, where there is one.
func (w *fields) attached(name string, what *string) {
	if w.out != nil && *what != "" {
		w.out.word(name + *what)
	}
	if w.in != nil && strings.HasPrefix(w.in.Peek(), name) {
		*what = strings.TrimPrefix(w.in.Word(), name)
	}
}

// line ends the line.
func (w *fields) line() {
	if w.in != nil {
		w.in.Line()
	}
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
