package kernel

import "slices"

// VisitValues calls visit with the place of every ValueID in the kernel,
// definitions before their uses; visit may change it.
func VisitValues(f *Func, visit func(*ValueID)) {
	for i := range f.Params {
		visit(&f.Params[i].Dst)
	}
	w := &fields{read: visit, define: visit}
	w.function(f)
}

// VisitBlock is VisitValues for the instructions of a block.
func VisitBlock(b Block, visit func(*ValueID)) {
	w := &fields{read: visit, define: visit}
	w.instrs(&b)
}

// Operands calls read with every value that an instruction reads, NoValue included, and
// define with every one that it defines, nested blocks included. Either may be nil.
func Operands(in Instr, read, define func(ValueID)) {
	w := &fields{read: byValue(read), define: byValue(define)}
	w.instr(in)
}

// SinkOperands calls read with every value that a sink reads, NoValue included.
func SinkOperands(s Sink, read func(ValueID)) { s.sink(&fields{read: byValue(read)}) }

// SourceOperands calls read with every value that a source reads, NoValue included.
func SourceOperands(s Source, read func(ValueID)) { s.source(&fields{read: byValue(read)}) }

func byValue(f func(ValueID)) func(*ValueID) {
	if f == nil {
		return nil
	}
	return func(id *ValueID) { f(*id) }
}

// Result is the value that a computation defines for what comes after it, NoValue of other
// instructions.
func Result(in Instr) ValueID {
	w := &fields{enter: func(*Block, ValueID) {}}
	if in.instr(w); w.result == nil {
		return NoValue
	}
	return *w.result
}

// Blocks calls visit with the place of each block that an instruction holds itself, and the
// value that it yields.
func Blocks(in Instr, visit func(b *Block, yields ValueID)) { in.instr(&fields{enter: visit}) }

// Instructions are those of a block, each before those within it.
func Instructions(b Block) []Instr {
	var all []Instr
	w := &fields{}
	w.enter = func(b *Block, _ ValueID) {
		for _, in := range *b {
			all = append(all, in)
			in.instr(w)
		}
	}
	w.enter(&b, NoValue)
	return all
}

// GroupsSource is the input whose groups the source reads from their cells, -1 for none.
func (f *Func) GroupsSource() int {
	if s, ok := f.Source.(*Scan); ok && s.Input < len(f.Inputs) && f.Inputs[s.Input].Kind == GroupsInput {
		return s.Input
	}
	return -1
}

// ColumnsRead are the ordinals of the columns that f reads of relation input, each
// once: those of a Scan, and of a Probe of a relation in order.
func (f *Func) ColumnsRead(input int) []int {
	var ordinals []int
	add := func(ordinal int) {
		if !slices.Contains(ordinals, ordinal) {
			ordinals = append(ordinals, ordinal)
		}
	}
	for _, in := range f.Body {
		if p, ok := in.(*Probe); ok && p.Sorted != nil && p.Input == input {
			add(p.Sorted.Ordinal)
			for _, c := range p.Payload {
				add(c.Ordinal)
			}
		}
	}
	if s, ok := f.Source.(*Scan); ok && s.Input == input {
		for _, c := range s.Cols {
			add(c.Ordinal)
		}
	}
	return ordinals
}
