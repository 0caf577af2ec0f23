package kernel

func (s *Scan) source(w *fields) {
	w.number("scan", int64(s.Input))
	w.columns(s.Cols)
	w.nest(1)
	for i := range s.Prune {
		p := &s.Prune[i]
		w.number("prune column", int64(p.Ordinal))
		w.reads("from", &p.Lo)
		w.reads("to", &p.Hi)
		w.line()
	}
	w.nest(-1)
}

func (s *Unmatched) source(w *fields) {
	word := "unmatched"
	if s.Matched {
		word = "matched"
	}
	w.number(word, int64(s.Input))
	w.columns(s.Cols)
}

func (in *Compute) instr(w *fields) {
	w.results(&in.Dst)
	w.word("=")
	w.word(string(in.Op))
	w.readsAll("", in.Args)
	w.suffix(in)
	w.line()
}

func (in *Filter) instr(w *fields) {
	w.reads("filter", &in.Cond)
	w.flag("pack", in.Pack)
	w.line()
}

func (in *If) instr(w *fields) {
	w.results(&in.Dst)
	w.reads("= if", &in.Cond)
	w.block(&in.Then, &in.ThenVal)
	w.word("else")
	w.block(&in.Else, &in.ElseVal)
	w.end()
}

func (in *Map) instr(w *fields) {
	w.results(&in.Dst)
	w.reads("= map", &in.Src)
	w.word("as")
	w.defines(&in.Arg)
	w.block(&in.Body, &in.Result)
	w.end()
}

func (in *Probe) instr(w *fields) {
	w.word("probe")
	w.number(string(in.Kind), int64(in.Input))
	if s := in.Sorted; s != nil {
		w.number("sorted", int64(s.Ordinal))
		w.flag("unique", s.Unique)
	}
	w.keys(in.Keys)
	w.flag("mark", in.Mark)
	w.estimateIfKnown("matches", in.Matches)
	w.flag("in order", in.InOrder)
	if in.Rows != (ProbeRows{}) {
		w.estimate("rows", in.Rows.In)
		w.estimate("to", in.Rows.Out)
		w.estimate("of", in.Rows.Table)
	}
	w.text("expand", in.Expand)
	w.flag("open", in.Open && in.Expand != "")
	if g := in.Pages; g.Rows > 0 && in.Expand != "" {
		w.number("pages", int64(g.Rows))
		w.number("blocks", g.Blocks)
		w.number("segment", g.Segment)
	}
	if in.Filter.Form != NoFilter {
		w.text("filter", string(in.Filter.Form))
		w.number("words", in.Filter.Words)
	}
	w.flag("pack", in.Pack)
	w.columns(in.Payload)
	if in.Cond != NoValue {
		w.word("residual")
		w.block(&in.Residual, &in.Cond)
	}
	w.end()
}

func (in *Repeat) instr(w *fields) {
	w.reads("repeat", &in.Count)
	if in.Index != NoValue {
		w.word("index")
		w.defines(&in.Index)
	}
	w.line()
}

func (s *Materialize) sink(w *fields) {
	w.word("materialize")
	w.limits(s.Limit, s.Offset)
	w.flag("ordered", s.Ordered)
	w.readsAll("columns", s.Cols)
	w.line()
}

func (s *Build) sink(w *fields) {
	w.word("build")
	w.flag("dense", s.Dense)
	w.flag("members", s.Members)
	w.flag("repeats", s.Repeats)
	w.estimate("rows", s.Rows)
	w.keys(s.Keys)
	w.readsAll("payload", s.Payload)
	w.line()
}

func (s *Aggregate) sink(w *fields) {
	w.word("aggregate")
	w.word(string(s.Strategy))
	if s.Strategy == Ordered {
		w.number("by", int64(s.By))
	}
	if s.Determinant > 0 {
		w.number("determinant", int64(s.Determinant))
	}
	w.flag("partitioned", s.Partitioned)
	w.flag("cells", s.Cells)
	w.text("device", s.Device)
	w.text("preaggregate", s.Preaggregate)
	if s.Replicas > 0 {
		w.number("replicas", int64(s.Replicas))
	}
	if s.Threads > 0 {
		w.number("threads", int64(s.Threads))
	}
	if s.ThreadRows > 0 {
		w.number("thread_rows", int64(s.ThreadRows))
	}
	if f := s.RunForm; f != (RunForm{}) {
		w.number("kernels", int64(f.Kernels))
		w.text("update", f.Update)
		w.number("chunk", int64(f.Rows))
	}
	w.estimateIfKnown("rows", s.Rows)
	w.estimate("groups", s.Groups)
	w.estimateIfKnown("largest", s.Largest)
	w.estimateIfKnown("combinations", s.Combinations)
	w.readsAll("keys", s.Keys)
	w.line()
	w.accs(s.Accs)
	w.end()
}

func (s *Sort) sink(w *fields) {
	w.word("sort")
	w.flag("top", s.Top)
	w.limits(s.Limit, s.Offset)
	w.readsAll("columns", s.Cols)
	w.line()
	w.sortKeys("by", s.Keys)
	w.end()
}

func (s *Window) sink(w *fields) {
	w.word("window")
	w.flag("ordered", s.InOrder)
	w.readsAll("columns", s.Cols)
	w.line()
	w.sortKeys("partition", s.Partition)
	w.sortKeys("order", s.Order)
	if s.First > 0 {
		w.number("first", s.First)
		w.flag("ties", s.Ties)
		w.line()
	}
	w.nest(1)
	for i := range s.Frames {
		w.frame(&s.Frames[i])
	}
	for i := range s.Calls {
		w.call(&s.Calls[i])
	}
	w.nest(-1)
	w.end()
}

func (w *fields) frame(f *Frame) {
	w.word("frame")
	w.word(string(f.Unit))
	w.bound("from", &f.Start)
	w.bound("to", &f.End)
	w.text("exclude", string(f.Exclude))
	w.reads("key", &f.Key)
	w.line()
}

func (w *fields) bound(word string, b *FrameBound) {
	w.word(word)
	w.number(string(b.Kind), b.Offset)
	w.reads("", &b.Limit)
}

func (w *fields) call(c *WindowCall) {
	w.text("call", string(c.Func))
	w.number("frame", int64(c.Frame))
	if c.Func == WindowAggregate {
		w.accOf(&c.Acc)
	} else {
		w.readsAll("", c.Args)
	}
	w.line()
	w.gives(c.Dst)
}

func (w *fields) accs(accs []Acc) {
	w.nest(1)
	for i := range accs {
		w.accOf(&accs[i])
		w.line()
		w.gives(accs[i].Dst)
	}
	w.nest(-1)
}

// accOf goes over an accumulator less what it defines.
func (w *fields) accOf(a *Acc) {
	w.word(string(a.Op))
	w.readsAll("", a.Args)
	w.flag("distinct", a.Distinct)
	if row, _ := a.Op.Row(); row.AllRows {
		w.estimate("at", a.Fraction)
	}
	w.reads("filter", &a.Filter)
}

// gives defines values, in a line each.
func (w *fields) gives(dst []ValueID) {
	w.nest(1)
	for i := range dst {
		w.word("gives")
		w.defines(&dst[i])
		w.line()
	}
	w.nest(-1)
}

func (w *fields) limits(limit, offset int64) {
	w.number("limit", limit)
	w.number("offset", offset)
}

func (w *fields) keys(keys []Key) {
	w.word("keys")
	for i := range keys {
		w.reads("", &keys[i].Val)
		w.suffixIf("=", keys[i].NullSafe)
	}
}

// sortKeys has a line for each key, which word begins.
func (w *fields) sortKeys(word string, keys []SortKey) {
	w.nest(1)
	for i := range keys {
		k, dir, nulls := &keys[i], "asc", "last"
		if k.Desc {
			dir = "desc"
		}
		if k.NullsFirst {
			nulls = "first"
		}
		w.reads(word, &k.Val)
		w.word(dir)
		w.text("nulls", nulls)
		w.line()
	}
	w.nest(-1)
}

// columns ends the line, and has one for each column.
func (w *fields) columns(cols []SourceCol) {
	w.line()
	w.nest(1)
	for i := range cols {
		w.defines(&cols[i].Dst)
		w.number("= column", int64(cols[i].Ordinal))
		w.line()
	}
	w.nest(-1)
}
