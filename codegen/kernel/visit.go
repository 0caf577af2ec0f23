package kernel

import "slices"

// VisitValues calls visit with the place of every ValueID in the kernel,
// definitions before their uses; visit may change it.
func VisitValues(f *Func, visit func(*ValueID)) {
	for i := range f.Params {
		visit(&f.Params[i].Dst)
	}
	switch s := f.Source.(type) {
	case *Scan:
		visitColumns(s.Cols, visit)
		for i := range s.Prune {
			visit(&s.Prune[i].Lo)
			visit(&s.Prune[i].Hi)
		}
	case *Unmatched:
		visitColumns(s.Cols, visit)
	}
	VisitBlock(f.Body, visit)
	visitSink(f.Sink, visit, visit)
}

func visitColumns(cols []SourceCol, visit func(*ValueID)) {
	for i := range cols {
		visit(&cols[i].Dst)
	}
}

func visitAll(ids []ValueID, visit func(*ValueID)) {
	for i := range ids {
		visit(&ids[i])
	}
}

func visitKeys(keys []Key, visit func(*ValueID)) {
	for i := range keys {
		visit(&keys[i].Val)
	}
}

// VisitBlock is VisitValues for the instructions of a block.
func VisitBlock(b Block, visit func(*ValueID)) { visitBlock(b, visit, visit) }

// Operands calls read with every value that an instruction reads, NoValue included, and
// define with every one that it defines, nested blocks included. Either may be nil.
func Operands(in Instr, read, define func(ValueID)) {
	visitBlock(Block{in}, byValue(read), byValue(define))
}

// SinkOperands calls read with every value that a sink reads, NoValue included.
func SinkOperands(s Sink, read func(ValueID)) { visitSink(s, byValue(read), byValue(nil)) }

func byValue(f func(ValueID)) func(*ValueID) {
	return func(id *ValueID) {
		if f != nil {
			f(*id)
		}
	}
}

func visitBlock(b Block, read, define func(*ValueID)) {
	for _, in := range b {
		switch in := in.(type) {
		case *Compute:
			visitAll(in.Args, read)
			define(&in.Dst)
		case *Filter:
			read(&in.Cond)
		case *If:
			read(&in.Cond)
			visitBlock(in.Then, read, define)
			read(&in.ThenVal)
			visitBlock(in.Else, read, define)
			read(&in.ElseVal)
			define(&in.Dst)
		case *Map:
			read(&in.Src)
			define(&in.Arg)
			visitBlock(in.Body, read, define)
			read(&in.Result)
			define(&in.Dst)
		case *Probe:
			visitKeys(in.Keys, read)
			visitColumns(in.Payload, define)
			visitBlock(in.Residual, read, define)
			read(&in.Cond)
		case *Repeat:
			read(&in.Count)
			define(&in.Index)
		}
	}
}

func visitSink(s Sink, read, define func(*ValueID)) {
	switch s := s.(type) {
	case *Materialize:
		visitAll(s.Cols, read)
	case *Build:
		visitKeys(s.Keys, read)
		visitAll(s.Payload, read)
	case *Aggregate:
		visitAll(s.Keys, read)
		visitAccs(s.Accs, read, define)
	case *Cubing:
		visitAll(s.Keys, read)
		visitAccs(s.Accs, read, define)
	case *Sort:
		visitAll(s.Cols, read)
		visitSortKeys(s.Keys, read)
	case *Window:
		visitWindow(s, read, define)
	}
}

func visitAccs(accs []Acc, read, define func(*ValueID)) {
	for i := range accs {
		visitAll(accs[i].Args, read)
		read(&accs[i].Filter)
		visitAll(accs[i].Dst, define)
	}
}

func visitSortKeys(keys []SortKey, visit func(*ValueID)) {
	for i := range keys {
		visit(&keys[i].Val)
	}
}

func visitWindow(s *Window, read, define func(*ValueID)) {
	visitSortKeys(s.Partition, read)
	visitSortKeys(s.Order, read)
	visitAll(s.Cols, read)
	for i := range s.Frames {
		read(&s.Frames[i].Key)
		read(&s.Frames[i].Start.Limit)
		read(&s.Frames[i].End.Limit)
	}
	for i := range s.Calls {
		visitAll(s.Calls[i].Args, read)
		read(&s.Calls[i].Filter)
		visitAll(s.Calls[i].Dst, define)
	}
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
