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
	visitSink(f.Sink, visit)
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
func VisitBlock(b Block, visit func(*ValueID)) {
	for _, in := range b {
		switch in := in.(type) {
		case *Compute:
			visitAll(in.Args, visit)
			visit(&in.Dst)
		case *Filter:
			visit(&in.Cond)
		case *If:
			visit(&in.Cond)
			VisitBlock(in.Then, visit)
			visit(&in.ThenVal)
			VisitBlock(in.Else, visit)
			visit(&in.ElseVal)
			visit(&in.Dst)
		case *Map:
			visit(&in.Src)
			visit(&in.Arg)
			VisitBlock(in.Body, visit)
			visit(&in.Result)
			visit(&in.Dst)
		case *Probe:
			visitKeys(in.Keys, visit)
			visitColumns(in.Payload, visit)
			VisitBlock(in.Residual, visit)
			visit(&in.Cond)
		case *Repeat:
			visit(&in.Count)
			visit(&in.Index)
		}
	}
}

func visitSink(s Sink, visit func(*ValueID)) {
	switch s := s.(type) {
	case *Materialize:
		visitAll(s.Cols, visit)
	case *Build:
		visitKeys(s.Keys, visit)
		visitAll(s.Payload, visit)
	case *Aggregate:
		visitAll(s.Keys, visit)
		for i := range s.Accs {
			visitAll(s.Accs[i].Args, visit)
			visit(&s.Accs[i].Filter)
			visitAll(s.Accs[i].Dst, visit)
		}
	case *Sort:
		visitAll(s.Cols, visit)
		visitSortKeys(s.Keys, visit)
	case *Window:
		visitWindow(s, visit)
	}
}

func visitSortKeys(keys []SortKey, visit func(*ValueID)) {
	for i := range keys {
		visit(&keys[i].Val)
	}
}

func visitWindow(s *Window, visit func(*ValueID)) {
	visitSortKeys(s.Partition, visit)
	visitSortKeys(s.Order, visit)
	visitAll(s.Cols, visit)
	for i := range s.Frames {
		visit(&s.Frames[i].Key)
		visit(&s.Frames[i].Start.Limit)
		visit(&s.Frames[i].End.Limit)
	}
	for i := range s.Calls {
		visitAll(s.Calls[i].Args, visit)
		visit(&s.Calls[i].Filter)
		visitAll(s.Calls[i].Dst, visit)
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
